/** Reports errors of the compiler in handlers: a sentence with both places, the compiler's own text below it, equal texts once. */

import { existsSync, readFileSync } from 'node:fs';
import { groupBy } from '../base/group-by';
import { pointerTo } from '../base/json-pointer';
import type { ApiDocument } from '../engine';
import type { CompilerError } from './build-record';
import { placeOf, placeOfOperation } from './handler-report';

/** Lines beyond these say nothing new. */
const most = 20;

const enclosingOperation = (
  { file, line }: CompilerError,
  ids: readonly string[],
): string | undefined => {
  if (!existsSync(file)) return undefined;
  const above = readFileSync(file, 'utf8').split('\n').slice(0, line).reverse();
  const names = above.map((text) => /^\s*(?:async\s+)?(\w+)\s*[(:]/.exec(text)?.[1] ?? '');
  return names.find((name) => ids.includes(name));
};

/** The type that lacks a property, or has no place for one. */
const lackingType = /(?:on|in) type '(\w+)'/;

/** Finds the schema or operation of a document that an error is about. */
const subjectOf = (error: CompilerError, document: ApiDocument) => {
  const { operations, file } = document;
  const ids = operations.map(({ operationId }) => operationId);
  const schemas = [...document.schemas.keys()];
  const schemaOf = (type: string | undefined): string | undefined =>
    schemas.find((name) => name === type || `${name}Response` === type);
  const named = error.text.match(/[\w$]+/g) ?? [];
  const lacking = schemaOf(lackingType.exec(error.text)?.[1]);
  const id = named.find((name) => ids.includes(name)) ?? enclosingOperation(error, ids);
  const operation = operations.find((operation) => operation.operationId === id);
  if (lacking === undefined && operation !== undefined) {
    return { name: operation.operationId, place: placeOfOperation(document, operation) };
  }
  const schema = lacking ?? named.map(schemaOf).find((found) => found !== undefined);
  return schema === undefined
    ? { name: document.name, place: file }
    : { name: schema, place: placeOf(document, pointerTo('/components/schemas', schema)) };
};

const wrongName = /^TS(?:2304|2305|2307|2552|2614|2724)\b/;
/** Values of which nothing is known, since the type that tells it is not there. */
const untyped = /^TS70\d\d\b/;

const textOf = ([first, ...others]: readonly CompilerError[]): string => {
  if (first === undefined) return '';
  const { file, line, column, text } = first;
  const lines = [...new Set(others.map((other) => other.line))].join(', ');
  return `  ${file}:${line}:${column} error ${text}${lines && ` (and in line ${lines})`}`;
};

const groupLines = (
  errors: readonly CompilerError[],
  subject: ReturnType<typeof subjectOf> | undefined,
  isTold: (name: string) => boolean,
): readonly string[] => {
  const [first] = errors;
  if (first === undefined) return [];
  // The types of single values differ from item to item of the same fault.
  const alike = groupBy(errors, ({ text }) => text.replaceAll(/'\{.*?\}'/gs, "'{…}'"));
  const texts = [...alike.values()].map(textOf);
  const named = errors.some(({ text }) => (text.match(/[\w$]+/g) ?? []).some(isTold));
  if (subject === undefined || named || isTold(first.file)) return texts;
  const { name, place } = subject;
  const sentence = `${first.file}:${first.line} does not fit ${name} (${place}). npm run types checks it again`;
  return [sentence, ...texts];
};

/**
 * Makes the lines for readers.
 *
 * @param documents - those that are served
 * @param told - operationIds and files that the report of the handlers names already
 */
export const compilerLines = (
  errors: readonly CompilerError[],
  documents: readonly ApiDocument[],
  told: readonly string[],
): readonly string[] => {
  const withWrongName = new Set(
    errors.filter(({ text }) => wrongName.test(text)).map(({ file }) => file),
  );
  // Without what follows from a wrong name in the same file: each value that the name would have typed.
  const causes = errors.filter(
    ({ file, text }) => !(withWrongName.has(file) && untyped.test(text)),
  );
  const subjects = causes.map((error) => {
    const [, name] = /(?:^|\/)handlers\/([^/]+)\//.exec(error.file) ?? [];
    const document = documents.find((document) => document.name === name);
    return { error, subject: document && subjectOf(error, document) };
  });
  const groups = groupBy(subjects, ({ error: { file }, subject }) =>
    JSON.stringify([file, subject?.name]),
  );
  const lines = [...groups.values()].flatMap((group) =>
    groupLines(
      group.map(({ error }) => error),
      group[0]?.subject,
      (name) => told.includes(name),
    ),
  );
  return lines.length > most
    ? [...lines.slice(0, most), `and ${lines.length - most} more; npm run types shows all`]
    : lines;
};
