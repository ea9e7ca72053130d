/** A comparison for programs. */

import type { Change } from '../../../src/contract';
import { problemFields } from '../json-report';
import type { DiffReport } from './diff-report';

/** The members of an object that JSON.stringify has written, and further ones that are JSON texts: no digit of them is lost. */
const withTexts = (value: object, texts: Readonly<Record<string, string | null>>): string => {
  const members = Object.entries(texts).map(([name, text]) => `,\n  "${name}": ${text}`);
  return `${JSON.stringify(value, null, 2).slice(0, -2)}${members.join('')}\n}`;
};

const indented = (text: string): string => text.replaceAll('\n', '\n    ');

const changeText = ({ was, now, ...change }: Change): string => withTexts(change, { was, now });

/**
 * JSON text: `{breaking: boolean, problems: [{file, line, column, severity, rule, pointer, message}], changes: [{rule,
 * severity, side, operation, method, path, pointer, file, line, column, message, was, now}]}`. Lines and columns count from 1,
 * columns in UTF-16 units; `was` and `now` are values as they stand in the documents, or words.
 */
export const jsonDiff = ({ changes, problems }: DiffReport): string => {
  const breaking = changes.some(({ severity }) => severity === 'breaking');
  const list = changes.map((change) => `\n    ${indented(changeText(change))}`);
  const head = { breaking, problems: problems.map(problemFields) };
  return `${withTexts(head, { changes: list.length === 0 ? '[]' : `[${list.join(',')}\n  ]` })}\n`;
};
