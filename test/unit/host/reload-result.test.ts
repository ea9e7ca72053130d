/** The operations that a reload reports: those that need less of their callers than before. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../src/engine';
import type { DocumentState } from '../../../src/host/documents';
import { compareStates } from '../../../src/host/reload-result';
import { readText, tableOf } from '../../support/text-cases';

const cases = join(__dirname, 'reload-result.cases.txt');

const stateOf = (operation: string): DocumentState => {
  const text = `openapi: 3.0.3
info: { title: Box, version: '1' }
paths:
  /box/{name}:
    get:
      operationId: open
      ${operation}
      parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: A } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: key }
    auth: { type: oauth2, flows: { implicit: { authorizationUrl: /a, scopes: { read: '', write: '' } } } }
`;
  const document = parseApiDocument('box.yaml', text);
  const { name, file } = document;
  return { name, file, state: 'current', document, problems: [], refused: [] };
};

describe('an operation needs less than before', () => {
  test.each(tableOf(cases, 'what an operation needs'))(
    '%j, now %j: %j',
    (before = '', now = '', isLess = '') => {
      const { weakened } = compareStates([stateOf(readText(before))], [stateOf(readText(now))]);
      expect(weakened).toEqual(isLess === 'true' ? ['box: open (GET /box/{name})'] : []);
    },
  );
});

test('a document that could not be served, and was removed, is gone', () => {
  const { name, file } = stateOf('');
  const unserved = { name, file, state: 'unserved', document: undefined } as const;
  expect(compareStates([{ ...unserved, problems: [], refused: [] }], []).mended).toEqual([
    'box.yaml is gone',
  ]);
});
