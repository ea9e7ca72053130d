/** Methods that a path does not have, and what YAML must not make of a document: D14 and D15. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../src/engine/document/api-document';
import { serveDocument } from '../support/serve-document';
import { valuesOf } from '../support/text-cases';
import { ask, errorOf, recording } from './ask';

const cases = join(__dirname, 'methods.cases.txt');

const content = { 'application/json': { schema: { type: 'integer', format: 'int64' } } };
const responses = {
  200: { description: 'Fine', content },
  405: {
    description: 'Invalid input',
    content: { 'application/json': { schema: { type: 'object' } } },
  },
};

describe('D14 methods', () => {
  const { handler } = recording({ status: 200, body: 5n });
  const serve = () =>
    serveDocument({
      document: {
        paths: {
          '/both': {
            get: { operationId: 'read', responses: { 200: responses[200] } },
            post: {
              operationId: 'write',
              requestBody: { required: true, content },
              responses,
            },
          },
          '/post': { post: { operationId: 'post', responses: { 200: responses[200] } } },
        },
      },
      handlers: { read: handler, write: handler, post: handler },
    });
  const both = 'GET, HEAD, OPTIONS, POST';

  test.each(
    valuesOf<[method: string, path: string, status: number, allow: string | undefined]>(
      cases,
      'requests',
    ),
  )('D14 %s %s answers %d', async (method, path, status, allow) => {
    const { url } = await serve();
    const response = await ask(url, path, { method });
    expect([response.status, response.headers['allow']]).toEqual([status, allow]);
  });

  test('D14 HEAD says what GET would, without the content', async () => {
    const { url } = await serve();
    const get = await ask(url, '/both');
    const head = await ask(url, '/both', { method: 'HEAD' });
    const own = { date: '', 'x-request-id': '' };
    expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own });
    expect(head.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '1',
    });
    expect([get.text, head.text]).toEqual(['5', '']);
  });

  test('D14 the body tells the two kinds of 405 apart, and both say what is allowed', async () => {
    const { url } = await serve();
    const method = await ask(url, '/both', { method: 'PATCH' });
    const input = await ask(url, '/both', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '"x"',
    });
    expect([method.status, input.status]).toEqual([405, 405]);
    expect([method.headers['allow'], input.headers['allow']]).toEqual([both, both]);
    const message = 'The path does not have this method';
    expect(errorOf(method)).toEqual({ code: 405, type: 'method-not-allowed', message });
    expect(errorOf(input)).toEqual({ code: 405, type: 'invalid-body', message: 'Invalid input' });
  });
});

describe('D15 YAML as JSON', () => {
  const document = `
openapi: 3.0.3
info: {title: Test, version: 1.0}
paths:
  /a:
    get:
      operationId: a
      parameters:
        - {name: answer, in: query, schema: {type: string, enum: [yes, no, on, off, 2024-01-01, 1_000, ~x, 12:30]}}
      responses:
        200: {description: Quoted or not}
        '404': {description: no}
        default: {description: 2024-01-01}
`;
  test('D15 status keys and texts', () => {
    const [operation] = parseApiDocument('specs/test.yaml', document).operations;
    expect(operation?.responses.map(({ key, description }) => [key, description])).toEqual([
      ['200', 'Quoted or not'],
      ['404', 'no'],
      ['default', '2024-01-01'],
    ]);
  });

  test('D15 JSON is YAML', async () => {
    const json = {
      openapi: '3.0.3',
      info: {},
      paths: { '/a': { get: { operationId: 'a', responses } } },
    };
    const { handler } = recording({ status: 200, body: 5n });
    const { url } = await serveDocument({
      document: JSON.stringify(json, null, '\t'),
      handlers: { a: handler },
    });
    expect((await ask(url, '/a')).text).toBe('5');
  });

  test.each([
    ['a key twice', 'a: 1\na: 2\n', /^specs\/test.yaml:2:1 /],
    ['no YAML', 'a: [1\nb: 2', /^specs\/test.yaml:\d+:\d+ /],
    [
      'aliases that multiply',
      `a: &a [1, 1]\n${'bcdefghijkl'
        .split('')
        .map((key, at) => `${key}: &${key} [${`*${'abcdefghijkl'[at]}, `.repeat(9)}]`)
        .join('\n')}`,
      /^specs\/test.yaml:/,
    ],
  ])('D15 refused: %s', (_title, text, message) => {
    expect(() => parseApiDocument('specs/test.yaml', text)).toThrow(message);
  });
});
