/** Uploads as FastAPI has declared them since 0.129: texts whose media type is that of octets, which are octets wherever these can travel. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { diffDocuments } from '../../src/contract';
import { parseApiDocument } from '../../src/engine';
import { openApiFetch } from '../../src/package/fetch';
import { printTypes } from '../../src/tool/types/print-types';
import { agentOf } from '../support/agent';

const text = readFileSync(join(__dirname, 'fastapi-uploads.json'), 'utf8');
const olderText = text.replaceAll(/"contentMediaType": "[^"]*"/g, '"format": "binary"');
const [document, older] = [text, olderText].map((one) => parseApiDocument('api.json', one));
const octets = Uint8Array.of(0, 255, 13, 10);

/** Shows which values are octets. */
const shown = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]));
};

type Handler = (request: { readonly body: unknown }) => { status: 200; body: unknown };
const show: Handler = ({ body }) => ({ status: 200, body: shown(body) });
const handlers = {
  upload_upload_post: show,
  optional_optional_post: show,
  many_many_post: ({ body }: { readonly body: { readonly files: unknown[] } }) => ({
    status: 200,
    body: body.files.filter((file) => file instanceof Uint8Array).length,
  }),
  raw: ({ body }: { readonly body: unknown }) => ({ status: 200, body }),
};

const sent = (path: string, body: RequestInit['body'], method = 'POST', type?: string) =>
  new Request(`http://api.test${path}`, {
    method,
    body,
    headers: type === undefined ? {} : { 'content-type': type },
  } as RequestInit);

const form = (...parts: readonly (readonly [string, string | Uint8Array<ArrayBuffer>])[]) => {
  const data = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new Blob([value]), `${name}.bin`);
  }
  return data;
};

const typesOf = (of: typeof document) => of && printTypes(of, 'api.json by a test');

const pagesOf = async (source: string) => {
  const answer = await openApiFetch(parseApiDocument('api.json', source), {}, {}, { docs: true });
  const pages = ['/docs/', '/docs.md'].map((path) => answer(new Request(`http://api.test${path}`)));
  return Promise.all(pages.map(async (page) => (await page).text()));
};

describe('what is made of it is what `format: binary` makes', () => {
  test('types', () => {
    expect(typesOf(document)).toContain('readonly file: Uint8Array;');
    expect(typesOf(document)).toBe(typesOf(older));
  });

  test('pages', async () => {
    const [page = '', markdown] = await pagesOf(text);
    expect([...page.matchAll(/data-part="(\w+)"/g)].map(([, name]) => name)).toEqual(
      'file file data files more'.split(' '),
    );
    expect([page, markdown]).toEqual(await pagesOf(olderText));
  });

  test('tools', async () => {
    const [now, before] = [await agentOf(parse(text)), await agentOf(parse(olderText))];
    expect(await now.tools()).toEqual(await before.tools());
  });

  test('no change of the contract, and nothing to warn of', () => {
    expect(document && older && diffDocuments(older, document)).toEqual([]);
    expect(document && older && diffDocuments(document, older)).toEqual([]);
    expect(document?.diagnostics).toEqual([]);
  });
});

describe('octets come in', () => {
  test.each<[string, Request, unknown]>([
    [
      'a file beside fields',
      sent('/upload', form(['file', octets], ['note', 'n'])),
      { file: '4 bytes', note: 'n', count: 1 },
    ],
    [
      'a file without a file name',
      sent('/upload', form(['file', 'text'], ['note', 'n'])),
      {
        file: '4 bytes',
        note: 'n',
        count: 1,
      },
    ],
    ['an optional file', sent('/optional', form(['data', octets])), { data: '4 bytes' }],
    ['no body', sent('/optional', undefined), {}],
    ['files', sent('/many', form(['files', octets], ['files', octets], ['more', octets])), 2],
    ['one of a list', sent('/many', form(['files', octets])), 1],
  ])('%s', async (_name, request, wanted) => {
    const answer = await openApiFetch(parseApiDocument('api.json', text), handlers);
    const response = await answer(request);
    expect([response.status, await response.json()]).toEqual([200, wanted]);
  });

  test('as a whole, and go out', async () => {
    const answer = await openApiFetch(parseApiDocument('api.json', text), handlers);
    const type = 'application/octet-stream';
    const response = await answer(sent('/raw', octets, 'PUT', type));
    expect([
      response.headers.get('content-type'),
      new Uint8Array(await response.arrayBuffer()),
    ]).toEqual([type, octets]);
  });

  test('from agents, in base64', async () => {
    const { call } = await agentOf(parse(text), handlers);
    const file = { data: Buffer.from(octets).toString('base64'), name: 'a.bin' };
    const called = await call('upload_upload_post', { body: { file, note: 'n' } });
    expect(JSON.parse(called.text)).toEqual({ file: '4 bytes', note: 'n', count: 1 });
  });
});
