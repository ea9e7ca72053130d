/** Parameters: styles (P01 to P10, P23), declarations and encoding (P11 to P18, P24), values (P19 to P22, P25). */

import { describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, recording } from './ask';
import { checkRow, rowsOf } from './read-parameters';

describe.each(['styles', 'encoding', 'values'])('%s', (name) => {
  test.each(rowsOf(`${name}.cases.txt`))('%s', checkRow);
});

test('P24 too many pairs are refused', () =>
  checkRow(
    '',
    '{schema: {type: string}, required: true}',
    `?${'a&'.repeat(1001)}`,
    'refused: query  must not have more than 1000 parameters',
    {},
  ));

test('P15 the operation overrides by name and place, and removes nothing', async () => {
  const text = { type: 'string' };
  const int64 = { type: 'integer', format: 'int64' };
  const parameter = (name: string, place: string, schema: object) => ({
    name,
    in: place,
    schema,
  });
  const { handler, calls } = recording();
  const { url } = await serveDocument({
    document: {
      paths: {
        '/a': {
          parameters: [
            parameter('p', 'query', text),
            parameter('q', 'query', int64),
            parameter('X-P', 'header', text),
          ],
          get: {
            operationId: 'a',
            parameters: [
              parameter('p', 'query', int64),
              parameter('q', 'header', text),
              parameter('x-p', 'header', int64),
            ],
            responses: { 200: { description: 'Fine' } },
          },
        },
      },
    },
    handlers: { a: handler },
  });
  expect((await ask(url, '/a?p=1&q=2', { headers: { Q: '3', 'X-P': '4' } })).status).toBe(200);
  expect(calls.map(({ query, header }) => ({ ...query, ...{ header: { ...header } } }))).toEqual([
    { p: 1n, q: 2n, header: { q: '3', 'x-p': 4n } },
  ]);
  expect((await ask(url, '/a?p=x')).status).toBe(400);
});
