/** Holds the loader's report of a document against what is expected of it. */

import { expect } from '@jest/globals';
import { type ApiDocument, parseApiDocument } from '../../src/engine/document/document';

/** Severity, pointer, line and column, and what the message must say. */
export type Want = [
  severity: string,
  pointer: string,
  line: number,
  column: number,
  message: RegExp,
];
export type ProblemCase = [title: string, text: string, ...wants: Want[]];

/** A Responses Object, as text. */
export const ok = `responses: {'200': {description: Fine}}`;
const head = `openapi: 3.0.3\ninfo: {title: Test, version: '1'}\n`;

/** A document of paths and components; the text begins on line 3. */
export const load = (text: string): ApiDocument => parseApiDocument('specs/test.yaml', head + text);

/** Expects these findings and no others. */
export const expectProblems = (_title: string, text: string, ...wants: Want[]): void => {
  const problems = load(text).diagnostics.filter(({ rule }) => rule !== 'nothing-served');
  expect(problems).toEqual(
    wants.map(([severity, pointer, line, column, message]) => ({
      severity,
      rule: expect.any(String),
      pointer,
      message: expect.stringMatching(message),
      file: 'specs/test.yaml',
      line,
      column,
    })),
  );
};
