/** Conditional requests, where a document declares them: ETag, If-None-Match and If-Match, and headers of one value. */

import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { askService, testContract, testHandlers, useTestService } from '../support/service-folder';

const service = useTestService(__dirname, 'notes', () => ({
  environment: { CORS_ORIGINS: 'https://app.example' },
}));
const askAt = askService(service);

const ask = (request: string, body?: object, headers?: Readonly<Record<string, string>>) =>
  askAt(request.replace(' /', ' /notes/'), body, headers);

/** Adds a note; gives its path and tag. */
const addNote = async (text = 'Milk') => {
  const { text: body, headers } = await ask('POST /notes', { text });
  return { path: `/notes/${JSON.parse(body).id}`, tag: String(headers['etag']) };
};

testHandlers(__dirname, ['notes/note.ts', 'notes/collections.ts'], 60);

describe('an entity tag', () => {
  test('is strong, and the same until the item changes', async () => {
    const { path, tag } = await addNote();
    expect(tag).toMatch(/^"[\w-]{16}"$/);
    const read = await ask(`GET ${path}`);
    expect([read.headers['etag'], read.headers['cache-control']]).toEqual([
      ...[tag, 'private, no-cache'],
    ]);
    const put = await ask(`PUT ${path}`, { text: 'Tea' }, { 'If-Match': tag });
    expect(put.headers['etag']).not.toBe(tag);
    const { headers } = await ask(`GET ${path}`);
    expect(headers['etag']).toBe(put.headers['etag']);
  });

  test('is a digest of the stored text, so that it is the same after a restart and on another database', async () => {
    const { text, headers } = await ask('POST /notes', { text: 'The first of a database' });
    const { id } = JSON.parse(text);
    const { createHash } = await import('node:crypto');
    const stored = `{"id":${id},"text":"The first of a database"}`;
    const digest = createHash('sha256').update(stored).digest('base64url').slice(0, 16);
    expect([text, headers['etag']]).toEqual([stored, `"${digest}"`]);
  });

  test('is another one in another media type', async () => {
    const { path, tag } = await addNote();
    const { headers } = await ask(`GET ${path}`, undefined, { Accept: 'application/xml' });
    expect([headers['etag'], headers['vary']]).toEqual([
      `${tag.slice(0, -1)}/application/xml"`,
      expect.stringContaining('Accept'),
    ]);
  });

  test('is readable for pages of other origins, as all declared headers', async () => {
    const { path } = await addNote();
    const { headers } = await ask(`GET ${path}`, undefined, { Origin: 'https://app.example' });
    expect(headers['access-control-expose-headers']).toContain('ETag');
  });
});

test('headers of one value are sent though no handler gives them', async () => {
  const { path } = await addNote();
  const { headers } = await ask(`GET ${path}`);
  expect([headers['x-format'], headers['x-limit']]).toEqual(['plain', '100']);
});

describe('If-None-Match', () => {
  test.each<[title: string, field: (tag: string) => string, status: number]>([
    ['the tag', (tag) => tag, 304],
    ['a weak one, which is compared as a strong one', (tag) => `W/${tag}`, 304],
    ['one of several', (tag) => `"other", ${tag}`, 304],
    ['any', () => '*', 304],
    ['another tag', () => '"other"', 200],
    ['the tag of another media type', (tag) => `${tag.slice(0, -1)}/application/xml"`, 200],
    ['no tag', () => 'milk', 400],
    ['an open tag', () => '"milk', 400],
  ])('with %s', async (_title, field, status) => {
    const { path, tag } = await addNote();
    const answer = await ask(`GET ${path}`, undefined, { 'If-None-Match': field(tag) });
    expect(answer.status).toBe(status);
    if (status !== 304) return;
    const { etag, vary, 'cache-control': caching, 'content-type': type } = answer.headers;
    expect([answer.text, etag, vary, caching, type]).toEqual([
      ...['', tag, expect.stringContaining('Accept'), 'private, no-cache', undefined],
    ]);
  });

  test('goes before If-Modified-Since', async () => {
    const { path } = await addNote();
    const headers = { 'If-None-Match': '"other"', 'If-Modified-Since': new Date().toUTCString() };
    expect((await ask(`GET ${path}`, undefined, headers)).status).toBe(200);
  });

  test('means nothing where no tag is declared', async () => {
    const { status, headers } = await ask('GET /notes', undefined, { 'If-None-Match': '*' });
    expect([status, headers['etag'], headers['cache-control']]).toEqual([
      ...[200, undefined, 'no-store'],
    ]);
  });
});

describe('If-Match', () => {
  const fields: readonly [title: string, field: (tag: string) => string, status: number][] = [
    ['the tag', (tag) => tag, 200],
    ['the tag of another media type', (tag) => `${tag.slice(0, -1)}/application/xml"`, 200],
    ['one of several', (tag) => `"other" , ${tag}`, 200],
    ['any', () => '*', 200],
    ['another tag', () => '"other"', 412],
    ['a weak tag, which never matches', (tag) => `W/${tag}`, 412],
    ['no tag', () => 'milk', 400],
    ['an empty list', () => ',', 400],
  ];
  test.each(fields)('with %s', async (_title, field, status) => {
    const { path, tag } = await addNote();
    const answer = await ask(`PUT ${path}`, { text: 'Tea' }, { 'If-Match': field(tag) });
    expect(answer.status).toBe(status);
    const { text } = JSON.parse((await ask(`GET ${path}`)).text);
    expect(text).toBe(status === 200 ? 'Tea' : 'Milk');
    const deleted = await ask(`DELETE ${path}`, undefined, {
      'If-Match': status === 200 ? String(answer.headers['etag']) : field(tag),
    });
    expect(deleted.status).toBe(status === 200 ? 204 : status);
    expect((await ask(`GET ${path}`)).status).toBe(status === 200 ? 404 : 200);
  });

  test('is 428 without it where that is declared, else nothing is asked', async () => {
    const { path } = await addNote();
    expect((await ask(`PUT ${path}`, { text: 'Tea' })).status).toBe(428);
    expect((await ask(`DELETE ${path}`)).status).toBe(204);
  });

  test('is 412 for what is not there', async () => {
    const answer = await ask('PUT /notes/999', { text: 'Tea' }, { 'If-Match': '*' });
    expect(answer.status).toBe(412);
  });

  test('holds for what a handler keeps itself', async () => {
    const set = (points: number, tag?: string) =>
      ask('PUT /size', { points }, tag === undefined ? {} : { 'If-Match': tag });
    const first = String((await ask('GET /size')).headers['etag']);
    const second = await set(14, first);
    expect([second.status, (await set(16, first)).status]).toEqual([200, 412]);
    expect((await set(18, String(second.headers['etag']))).status).toBe(200);
    expect((await ask('GET /size')).text).toBe('{"points":18}');
  });

  test('loses no edit of several who read, change and write at once', async () => {
    const { path } = await addNote();
    const edit = async (): Promise<void> => {
      const { text, headers } = await ask(`GET ${path}`);
      const { id: _, ...note } = JSON.parse(text);
      const changed = { ...note, edits: (note.edits ?? 0) + 1 };
      const put = await ask(`PUT ${path}`, changed, { 'If-Match': String(headers['etag']) });
      if (put.status === 412) return edit();
      expect(put.status).toBe(200);
    };
    const people = Array.from({ length: 8 }, async () => {
      for (let edits = 0; edits < 10; edits += 1) await edit();
    });
    await Promise.all(people);
    expect(JSON.parse((await ask(`GET ${path}`)).text)).toMatchObject({ edits: 80 });
  });
});

test('the responses of a deprecated operation say so, to pages of other origins too', async () => {
  const { status, headers } = await ask('GET /count', undefined, { Origin: 'https://app.example' });
  const url = '<https://example.com/notes/counting>';
  expect([status, headers['deprecation'], headers['sunset'], headers['link']]).toEqual([
    ...[200, '@1767225600', 'Wed, 30 Jun 2027 00:00:00 GMT'],
    `${url}; rel="deprecation", ${url}; rel="sunset"`,
  ]);
  const exposed = String(headers['access-control-expose-headers']).split(',');
  expect(exposed).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
  const refused = await request(service().app).get('/notes/count');
  expect([refused.status, refused.headers['deprecation']]).toEqual([401, '@1767225600']);
});

test('it passes the test of its document', async () => {
  const { failures, coverage } = await testContract(__dirname, 'notes', service());
  expect(failures).toEqual([]);
  const unreached = coverage.operations.flatMap(({ statuses }) =>
    statuses.flatMap(({ key, count }) => (count === 0 ? [key] : [])),
  );
  // No id can be given; a condition on what is not there fails; nothing says that size has one.
  expect(unreached).toEqual(['409', '404', '412']);
});
