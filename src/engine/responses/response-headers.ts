/** The checks of responses, and their headers: declared ones are written by their schemas, others as they are (OAS 3.0.3, Header Object). */

import { validateHeaderValue } from 'node:http';
import { isPlainObject } from '../../base/plain-object';
import { withoutValue } from '../../http/http-error';
import { isBuiltInHeader } from '../../http/send';
import type { Parameter } from '../../model/operation';
import type { Schema } from '../../model/schema';
import { keepText, onlyValue, writeScalar } from '../../schema/scalars';
import { memberShape, type Shape } from '../../schema/shape';
import type { SchemaContext } from '../media-types/schema-context';
import { isSetCookie, layoutOf, textReader } from '../parameters/typed-value';

/** The tools that responses are compiled with. */
export interface ResponseTools extends SchemaContext {
  /** True: each response is checked before it is sent. */
  readonly validateResponses: boolean;
  readonly stopping?: AbortSignal | undefined;
  /** The word for what is written, in errors: `response`, unless it is a request that the API sends. */
  readonly message?: 'request';
}

/** Throws if a value does not fit its schema; the index is that of a single item of a list. */
export type HeaderCheck = (value: unknown, index?: number) => void;

/** Compiles the check of a value of the response; undefined if nothing is checked. */
export const compileCheck = (
  what: string,
  schema: Schema | undefined,
  tools: ResponseTools,
): HeaderCheck | undefined => {
  if (!tools.validateResponses || schema === undefined) return undefined;
  const validate = tools.validators.validatorOf(schema, 'response');
  return (value, index) => {
    const [error] = validate(value);
    if (error === undefined) return;
    const path = index === undefined ? error.path : `/${index}${error.path}`;
    // It goes to the log, which holds no values.
    throw new Error(
      `The ${tools.message ?? 'response'}'s ${what}${path} ${withoutValue(error.message)}`,
    );
  };
};

// RFC 9110 section 5.5: a field value is one line.
const lineBreaks = /[\r\n]+/g;

/** Writes bigint and number in decimal, bytes in base64, an absent value as nothing. */
const writeText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return writeScalar(value).replace(lineBreaks, ' ');
};

/**
 * Writes a header's value: `blue,black` for arrays; for objects `R,100,G,200`, with explode `R=100,G=200`. Nothing is
 * percent-encoded.
 */
export const writeSimple = (value: unknown, shape: Shape, explode: boolean, gap = ','): string => {
  if (Array.isArray(value)) return value.map(writeText).join(gap);
  if (!isPlainObject(value)) return writeText(value);
  const delimiter = explode ? '=' : ',';
  return Object.entries(value)
    .filter(([key, member]) => member !== undefined && !memberShape(shape, key)?.writeOnly)
    .map(([key, member]) => `${writeText(key)}${delimiter}${writeText(member)}`)
    .join(gap);
};

/** Turns the values of headers into texts, declared ones by their schemas. Throws if one cannot be sent. */
export type WriteHeaders = (
  headers: Readonly<Record<string, unknown>>,
) => Record<string, string | string[]>;

/** Writes an undeclared header: as text, or a list of texts sent as repeated fields. */
const plainHeader = (value: unknown): string | string[] =>
  Array.isArray(value) ? value.map(writeScalar) : writeScalar(value);

/** Headers that the engine sets unless a response does, in its spelling. */
const engineHeaders = new Map(
  ['Content-Type', 'ETag', 'Vary'].map((name) => [name.toLowerCase(), name]),
);

/**
 * Compiles the writer of a declared header in simple style (OAS 3.0.3, Header Object); the text is checked as its reader reads it.
 * @example const text = compileHeader(header, { ...tools, validateResponses: true })(value);
 */
export const compileHeader = (
  header: Parameter,
  tools: ResponseTools,
): ((value: unknown) => string | string[]) => {
  const { name, schema, explode, mediaType } = header;
  const shape = tools.shapeOf(schema);
  const read = textReader(shape, layoutOf(header), keepText);
  const check = compileCheck(`header ${name}`, schema, tools);
  const hasLines = isSetCookie(header);
  // With `content`, a text has its lines already (OAS 3.2.0, Header Object).
  const isWhole = hasLines && mediaType !== undefined;
  const write = (value: unknown) =>
    writeSimple(value, shape, explode || hasLines, hasLines ? '\n' : ',');
  return (value) => {
    // A receiver of what the API sends would take such an item for several.
    const texts = typeof value === 'object' ? Object.entries(value ?? {}).flat() : [];
    if (tools.message && !hasLines && texts.some((one) => writeText(one).includes(','))) {
      throw new Error(
        `The ${tools.message}'s header ${name} has an item with a comma, which separates items`,
      );
    }
    const text = write(isWhole ? [value].flat().join('\n').trim().split(lineBreaks) : value);
    check?.(hasLines && text === '' ? [] : read(text));
    return hasLines ? text.split('\n').filter(Boolean) : text;
  };
};

/**
 * Compiles the writer of headers: declared ones by their schemas, others as they are; names are case-insensitive (RFC 9110 section 5.1).
 * @param added the name, in lower case, of one that is added later
 */
export const headersWriter = (
  declared: readonly Parameter[],
  tools: ResponseTools,
  added?: string,
): WriteHeaders => {
  const writers = new Map(
    declared.map((header) => [header.name.toLowerCase(), compileHeader(header, tools)]),
  );
  const required = declared
    .filter((header) => tools.validateResponses && header.required && !isBuiltInHeader(header.name))
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase() !== added);
  const usual = declared.flatMap(({ name, schema }) => {
    const value = onlyValue(schema);
    return value === undefined || isBuiltInHeader(name)
      ? []
      : [[name.toLowerCase(), [name, value]] as const];
  });
  return (headers) => {
    const byName = new Map<string, readonly [name: string, value: unknown]>(usual);
    for (const [name, value] of Object.entries(headers)) {
      const key = name.toLowerCase();
      if (value !== undefined && !isBuiltInHeader(key)) byName.set(key, [name, value]);
    }
    const missing = required.find((name) => !byName.has(name.toLowerCase()));
    if (missing !== undefined)
      throw new Error(`The ${tools.message ?? 'response'} lacks the header ${missing}`);
    return Object.fromEntries(
      [...byName].map(([key, [name, value]]) => {
        const text = (writers.get(key) ?? plainHeader)(value);
        // A value that no header can carry must fail here, where it can still be answered and logged.
        for (const line of [text].flat()) validateHeaderValue(name, line);
        return [engineHeaders.get(key) ?? name, text];
      }),
    );
  };
};
