/** A third service is two files: a document and its handlers, dropped into a copy of the project with nothing else changed. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askAt } from '../support/ask';
import { checkTypes, copyProject, removeCopy } from '../support/check-types';

const document = `
openapi: 3.0.3
info: { title: Library, version: '1' }
servers: [{ url: /library }]
paths:
  /books/{isbn}:
    parameters:
      - { name: isbn, in: path, required: true, schema: { type: string, pattern: '^[0-9]{13}$' } }
    get:
      operationId: readBook
      tags: [book]
      security: [{ key: [] }]
      responses:
        '200':
          description: The book
          content:
            application/json: { schema: { $ref: '#/components/schemas/Book' } }
            application/xml: { schema: { $ref: '#/components/schemas/Book' } }
        '404': { $ref: '#/components/responses/Missing' }
  /books:
    get:
      operationId: listBooks
      tags: [shelf]
      responses:
        '200':
          description: All books
          content:
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: api_key } }
  responses: { Missing: { description: No such book } }
  schemas:
    Book:
      type: object
      required: [isbn, copies]
      properties:
        isbn: { type: string, xml: { attribute: true } }
        copies: { type: integer, format: int64 }
`;

const handlers = `
import type { BookOperations } from './types';
import type { Handlers } from '../../src/engine/operation/handler';

/** Handlers of the operations tagged book. */
export const bookHandlers = (): Handlers<BookOperations> => ({
  readBook({ path, fail }) {
    if (path.isbn !== '9780000000001') throw fail(404);
    return { status: 200, body: { isbn: path.isbn, copies: 9223372036854775807n } };
  },
});
`;

const project = copyProject(['src', 'handlers', 'scripts', 'specs']);
let child: ChildProcess | undefined;
let origin = '';

const run = (...args: string[]): string =>
  execFileSync(process.execPath, ['--import', 'tsx', ...args], {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Starts the copy and waits for the line that names the service. */
const start = async (): Promise<string> => {
  child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: project,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DEMO_DATA: 'true',
      PORT: '0',
      PASSWORD_COST: '10',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8');
  while (!/^library: \S+\/library /m.test(output)) {
    const [text] = await once(child.stdout ?? child, 'data');
    output += String(text);
  }
  return /^library: (\S+)\/library /m.exec(output)?.[1] ?? '';
};

beforeAll(async () => {
  writeFileSync(join(project, 'specs/library.yaml'), document);
  mkdirSync(join(project, 'handlers/library'));
  writeFileSync(join(project, 'handlers/library/book.ts'), handlers);
  run('scripts/generate/run.ts');
  origin = await start();
}, 60_000);

afterAll(async () => {
  if (child !== undefined) {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  }
  removeCopy(project);
});

test('its handlers are typed by its document', () => {
  expect(checkTypes(project, ['src', 'handlers'])).toEqual([]);
  const file = join(project, 'handlers/library/book.ts');
  writeFileSync(file, handlers.replace('copies: 9223372036854775807n', "copies: 'many'"));
  const faults = checkTypes(project, ['src', 'handlers']);
  writeFileSync(file, handlers);
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.join('\n')).toMatch(/handlers\/library\/book\.ts.*readBook|copies/);
});

test.each([
  [
    'its handler answers',
    '9780000000001',
    'application/json',
    200,
    '{"isbn":"9780000000001","copies":9223372036854775807}',
  ],
  [
    'in XML, too',
    '9780000000001',
    'application/xml',
    200,
    '<?xml version="1.0" encoding="UTF-8"?>\n<Book isbn="9780000000001"><copies>9223372036854775807</copies></Book>',
  ],
  ['with its declared failure', '9780000000002', 'application/json', 404, ''],
])('%s', async (_, isbn, accept, status, text) => {
  const answer = await askAt(origin)(`GET /library/books/${isbn}`, { key: 'special-key', accept });
  expect([answer.status, answer.text]).toEqual([status, text]);
});

test('it validates and is secured', async () => {
  const ask = askAt(origin);
  expect((await ask('GET /library/books/x', { key: 'special-key' })).status).toBe(400);
  expect((await ask('GET /library/books/9780000000001')).status).toBe(401);
});

test('an operation without a handler is not implemented in production', async () => {
  expect((await askAt(origin)('GET /library/books')).status).toBe(501);
});

test('its document is served, and the other services still are', async () => {
  const ask = askAt(origin);
  expect((await ask('GET /library/openapi.yaml')).text).toBe(document);
  expect((await ask('GET /petstore/store/order/1')).status).toBe(200);
});
