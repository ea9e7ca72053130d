/** Serves operations with bodies of many media types; all of them have one handler, which remembers its calls. */

import { beforeAll, beforeEach, expect } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, errorOf, type Question, type Response, recording } from './ask';

const pair = {
  type: 'object',
  xml: { name: 'pair' },
  properties: { n: { type: 'integer', format: 'int64' }, m: { type: 'integer', default: 7 } },
};
const integer = { type: 'integer', format: 'int64' };
const bytes = { type: 'string', format: 'binary' };
const base64 = { type: 'string', format: 'byte' };
const text = (pattern: string) => ({ type: 'string', pattern: `^${pattern}$` });

export const json = 'application/json';
export const xml = 'application/xml';
export const form = 'application/x-www-form-urlencoded';
export const upload = 'application/octet-stream';
const pairs = { [json]: pair, [xml]: pair, [form]: pair };

const { handler, calls } = recording();

/** The bodies that handlers have been called with in this test. */
export const bodiesRead = (): unknown[] => calls.map(({ body }) => body);

let url = '';

type Content = Readonly<Record<string, object>>;

const operation = (
  operationId: string,
  content: Content,
  required = true,
  statuses: readonly number[] = [],
): object => ({
  operationId,
  requestBody: {
    ...(required ? { required } : {}),
    content: Object.fromEntries(Object.entries(content).map(([key, schema]) => [key, { schema }])),
  },
  responses: Object.fromEntries(
    [200, ...statuses].map((status) => [status, { description: `Declared ${status}` }]),
  ),
});

beforeAll(async () => {
  const posts: Record<string, object> = {
    required: operation('required', pairs),
    optional: operation('optional', pairs, false),
    optionalList: operation('optionalList', { [json]: { type: 'array', items: {} } }, false),
    optionalText: operation('optionalText', { 'text/plain': { type: 'string' } }, false),
    405: operation('405', pairs, true, [405]),
    422: operation('422', pairs, true, [400, 422]),
    ranges: operation('ranges', {
      '*/*': { ...bytes, maxLength: 3 },
      'text/*': text('some text'),
      'text/plain': text('plain text'),
      'application/*': integer,
    }),
    versions: operation('versions', {
      'application/json; version=2': { type: 'string' },
      [json]: integer,
      'text/plain; charset=utf-8': { type: 'string' },
    }),
    suffixes: operation('suffixes', {
      'application/vnd.pair+json': pair,
      'Application/Vnd.Pair+XML': pair,
    }),
    bytes: operation('bytes', {
      [upload]: { ...bytes, maxLength: 4 },
      'image/*': bytes,
      [json]: bytes,
    }),
    filled: operation('filled', { [upload]: { ...bytes, minLength: 1 } }),
    base64: operation('base64', {
      'text/plain': base64,
      [json]: base64,
      [xml]: { ...base64, xml: { name: 'data' } },
    }),
  };
  const served = await serveDocument({
    document: {
      paths: {
        ...Object.fromEntries(Object.entries(posts).map(([path, post]) => [`/${path}`, { post }])),
        '/bodiless': { get: operation('get', pairs), delete: operation('delete', pairs) },
        '/none': { post: { operationId: 'none', responses: { 200: { description: 'Fine' } } } },
      },
    },
    handlers: Object.fromEntries(
      [...Object.keys(posts), 'get', 'delete', 'none'].map((id) => [id, handler]),
    ),
    maxBodyBytes: 1000,
    maxUploadBytes: 2000,
  });
  url = served.url;
});

beforeEach(() => {
  calls.length = 0;
});

/** Sends to a path that has other methods than POST. */
export const send = (path: string, question: Question): Promise<Response> =>
  ask(url, path, question);

/** Sends a body; `undefined` stands for no Content-Type and for no body. */
export const post = (
  path: string,
  type: string | undefined,
  body?: string | Uint8Array,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> => {
  const headers = { ...(type === undefined ? {} : { 'Content-Type': type }), ...more };
  return ask(url, `/${path}`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
};

type Sent = [
  title: string,
  path: string,
  type: string | undefined,
  body: string | Uint8Array | undefined,
];

/** A body that is taken, and what becomes of it. */
export type Good = [...Sent, value: unknown];

/** The type that an error body names, by status. */
const errorTypes = {
  400: 'invalid-body',
  413: 'body-too-large',
  415: 'unsupported-media-type',
} as const;

/** A body that is refused. */
export type Bad = [...Sent, status: keyof typeof errorTypes];

/** The handler was called once, with this value. */
export const reads = async (...[, path, type, body, value]: Good): Promise<void> => {
  expect((await post(path, type, body)).status).toBe(200);
  expect(bodiesRead()).toEqual([value]);
};

/** Refused, and the handler was not called. */
export const refuses = async (...[, path, type, body, status]: Bad): Promise<void> => {
  const response = await post(path, type, body);
  expect([response.status, errorOf(response)]).toMatchObject([
    status,
    { code: status, type: errorTypes[status] },
  ]);
  expect(bodiesRead()).toEqual([]);
};
