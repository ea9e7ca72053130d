/** Holds the loader's whole report of a small document against what is expected of it, to the letter. */

import { expect } from '@jest/globals';
import { parseApiDocument } from '../../src/engine/document/document';

/** A title, a document after its first line, and `LINE:COLUMN SEVERITY RULE: SENTENCE (POINTER)` of each finding. */
export type Case = [title: string, text: string, ...lines: string[]];

/** A Responses Object, as text. */
export const ok = `responses: {'200': {description: Fine}}`;

export const info = `info: {title: Test, version: '1'}\n`;

/** An operation that nothing is wrong with. */
export const served = `paths: {/a: {get: {${ok}}}}\n`;

/** The operation getA with these fields; they begin on line 7. */
export const get = (fields: string): string =>
  `paths:\n  /a:\n    get:\n      operationId: getA\n      ${fields}\n`;

/** The same with a response. */
export const getOk = (fields: string): string => get(`${fields}\n      ${ok}`);

/** The same with a parameter; it stands on line 8. */
export const param = (text: string): string => getOk(`parameters:\n        - ${text}`);

/** A document with the schema A; it stands on line 6. */
export const schema = (text: string): string =>
  `${info}${served}components:\n  schemas:\n    A: ${text}\n`;

/** Expects these findings and no others, but for the one that sums up that nothing is left to serve. */
export const expectReport = (_title: string, text: string, ...lines: string[]): void => {
  const { diagnostics } = parseApiDocument('specs/test.yaml', `openapi: 3.0.3\n${text}`);
  const found = diagnostics.filter(({ rule }) => rule !== 'nothing-served');
  expect(
    found.map(
      ({ line, column, severity, rule, message, pointer }) =>
        `${line}:${column} ${severity} ${rule}: ${message} (${pointer})`,
    ),
  ).toEqual(lines);
  expect(new Set(found.map(({ file }) => file)).size).toBeLessThan(2);
};
