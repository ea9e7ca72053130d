/** Mocks that remember hold changes to If-Match, as stored collections do. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';
import { mockCredentials, parseApiDocument } from '../../../../src/package';
import { openApiFetch } from '../../../../src/package/fetch';

const document = parseApiDocument(
  'notes.yaml',
  readFileSync(join(rootFolder, 'test/notes-service/specs/notes.yaml'), 'utf8'),
);

const open = async () => {
  const answer = await openApiFetch(document, {}, mockCredentials(document), { mocks: true });
  return (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const json = body && { 'Content-Type': 'application/json' };
    const init = { method, headers: { api_key: 'any', ...json, ...headers } };
    const text = body && { body: JSON.stringify(body) };
    return answer(new Request(`http://any/notes${path}`, { ...init, ...text }));
  };
};

const tagOf = (response: Response): string => response.headers.get('etag') ?? '';

test('a change with the tag that was read succeeds, and one with an older tag changes nothing', async () => {
  const ask = await open();
  const added = await ask('POST', '/notes', { text: 'Milk' });
  const { id } = (await added.json()) as { readonly id: number };
  const path = `/notes/${id}`;
  const first = tagOf(await ask('GET', path));
  expect([first, tagOf(added)]).toEqual([expect.stringMatching(/^"[\w-]{16}"$/), first]);
  expect((await ask('GET', path, undefined, { 'If-None-Match': first })).status).toBe(304);
  const changed = await ask('PUT', path, { text: 'Tea' }, { 'If-Match': first });
  expect([changed.status, tagOf(changed)]).toEqual([200, tagOf(await ask('GET', path))]);
  const late = { 'If-Match': first };
  const statuses = [
    (await ask('PUT', path, { text: 'Rum' }, late)).status,
    (await ask('DELETE', path, undefined, late)).status,
    (await ask('PUT', path, { text: 'Rum' })).status,
    (await ask('PUT', '/notes/999', { text: 'Rum' }, { 'If-Match': '*' })).status,
  ];
  expect(statuses).toEqual([412, 412, 428, 412]);
  expect(await (await ask('GET', path)).json()).toMatchObject({ text: 'Tea' });
  const deleted = await ask('DELETE', path, undefined, { 'If-Match': tagOf(changed) });
  expect(deleted.status).toBe(204);
});

/** A PUT that makes what is not there, in a document that declares no If-Match. */
const creating = (responses: string) =>
  parseApiDocument(
    'creating.yaml',
    `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes: { get: { responses: { '200': { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/N' } } } } } } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: One, headers: { ETag: { schema: { type: string } } }, content: { application/json: { schema: { $ref: '#/components/schemas/N' } } } }, '404': { description: None } } }
    put:
      parameters: [{ name: If-None-Match, in: header, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/N' } } } }
      responses: { ${responses} }
components: { schemas: { N: { type: object, required: [title], properties: { id: { type: integer }, title: { type: string } } } } }
`,
  );

test.each([
  ["'200': { description: ok }, '201': { description: new }, '412': { description: there }", 201],
  ["'200': { description: ok }", 200],
])(
  'If-None-Match of a PUT that declares %s makes what is not there alone',
  async (responses, made) => {
    const answer = await openApiFetch(creating(responses), {}, {}, { mocks: true });
    const put = (field: string, id = 7, headers: Record<string, string> = {}) =>
      answer(
        new Request(`http://any/notes/${id}`, {
          method: 'PUT',
          headers: { 'Content-Type': 'application/json', 'If-None-Match': field, ...headers },
          body: '{"title":"mine"}',
        }),
      );
    const read = () => answer(new Request('http://any/notes/7'));
    expect([(await put('*')).status, (await put('*')).status]).toEqual([made, 412]);
    const tag = tagOf(await read());
    const statuses = [
      (await put(`W/${tag}`)).status,
      (await put(`"other", ${tag}`)).status,
      (await put('*', 7, { 'If-Match': '*' })).status,
      (await put('*', 7, { 'Content-Range': 'bytes 0-3/10' })).status,
    ];
    expect([statuses, tagOf(await read())]).toEqual([[412, 412, 412, 400], tag]);
    expect((await put('"other"')).status).toBe(200);
  },
);

test('the tag of a sampled answer is that of its body', async () => {
  const answer = await openApiFetch(document, {}, mockCredentials(document), {
    mocks: true,
    memory: false,
  });
  const read = () => answer(new Request('http://any/notes/size', { headers: { api_key: 'any' } }));
  expect(tagOf(await read())).toMatch(/^"[\w-]{16}"$/);
  expect(tagOf(await read())).toBe(tagOf(await read()));
});
