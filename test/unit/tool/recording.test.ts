/** HTTP archives: the proxy records what the upstream answers, and `serve` answers it again, also from archives that browsers write. */

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { startProxy } from '../../../src/tool/proxy/proxy-command';
import { type Ask, askAt } from '../../support/ask';
import { listen } from '../../support/listen';
import { useServing } from './serve/serving';

const { folder, write, serve } = useServing();

const document = readFileSync(join(__dirname, 'recording.yaml'), 'utf8');

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a proxy that records, before an upstream that answers with what the function gives. */
const record = async (
  answer: (
    request: IncomingMessage,
    body: string,
  ) => readonly [number, Record<string, string | string[]>, (string | Buffer)?],
  settings: Partial<Parameters<typeof startProxy>[1]> = {},
): Promise<{ readonly ask: Ask; readonly errors: () => string }> => {
  write({ 'api.yaml': document });
  const listener: RequestListener = async (request, response) => {
    const [status, headers, content] = answer(request, await textOf(request));
    response.writeHead(status, headers).end(content);
  };
  let err = '';
  const proxy = await startProxy(
    folder('api.yaml'),
    {
      ...{ upstream: new URL(`${await listen(createServer(listener))}/v1`), mode: 'annotate' },
      ...{ timeout: 60, host: '127.0.0.1', port: 0, har: folder('seen.har'), ...settings },
    },
    {
      out: () => undefined,
      err(text) {
        err += text;
      },
    },
  );
  stops.push(proxy.stop);
  return { ask: askAt(new URL(proxy.url).origin), errors: () => err };
};

const seen = () => JSON.parse(readFileSync(folder('seen.har'), 'utf8')).log;
const json = { 'Content-Type': 'application/json' };

describe('a recording', () => {
  test('is answered again: by method, path, query and body, with the first of equal ones', async () => {
    let count = 0;
    const picture = Buffer.from([0x89, 0x50, 0xff, 0]);
    const { ask } = await record(({ method, url = '', headers }, body) => {
      count += 1;
      if (method === 'POST') return [201, { ...json, Location: '/v1/things/8' }, `{"was":${body}}`];
      if (url.includes('/picture')) return [200, { 'Content-Type': 'image/png' }, picture];
      if (headers.accept === 'text/plain') return [410, {}];
      if (url.includes('/gone')) return [404, { 'Set-Cookie': ['a=1', 'b=2'] }];
      return [200, { ...json, 'X-Count': String(count) }, `[${count}]`];
    });
    const asked = [
      ['GET /v1/things?kind=a&limit=1', {}],
      ['GET /v1/things?kind=b', {}],
      ['GET /v1/things?kind=a&limit=1', {}],
      ['POST /v1/things', { headers: json, body: '{"a":1}' }],
      ['POST /v1/things', { headers: json, body: '{"b":2}' }],
      ['GET /v1/things/picture', {}],
      ['GET /v1/things/gone%7E', {}],
      ['GET /v1/things/gone%7E', { accept: 'text/plain' }],
    ] as const;
    for (const [target, init] of asked) await ask(target, init);

    const { ask: again, out } = await serve({
      sources: [folder('api.yaml')],
      har: folder('seen.har'),
    });
    expect(out()).toContain('(3 operations, 3 of them mocked, 8 recorded responses');
    const answers: (readonly unknown[])[] = [];
    for (const [target, init] of [
      ['GET /v1/things?limit=1&kind=a'],
      ['GET /v1/things?kind=a&limit=1&api_key=any'],
      ['GET /v1/things?kind=a&limit=1'],
      ['GET /v1/things?kind=b'],
      ['POST /v1/things', { headers: json, body: '{"b":2}' }],
      ['POST /v1/things', { headers: json, body: '{"a":1}' }],
      ['POST /v1/things', { headers: json, body: '{"c":3}' }],
      ['GET /v1/things/gone~', { accept: 'text/plain' }],
      ['GET /v1/things/gone~'],
      ['HEAD /v1/things/picture'],
    ] as const satisfies readonly (readonly [string, Parameters<Ask>[1]?])[]) {
      const { status, text, headers } = await again(target, init);
      answers.push([target, status, text, headers['x-mock']]);
    }
    expect(answers).toEqual([
      ['GET /v1/things?limit=1&kind=a', 200, '[1]', 'recorded'],
      ['GET /v1/things?kind=a&limit=1&api_key=any', 200, '[1]', 'recorded'],
      ['GET /v1/things?kind=a&limit=1', 200, '[1]', 'recorded'],
      ['GET /v1/things?kind=b', 200, '[2]', 'recorded'],
      ['POST /v1/things', 201, '{"was":{"b":2}}', 'recorded'],
      ['POST /v1/things', 201, '{"was":{"a":1}}', 'recorded'],
      ['POST /v1/things', 201, '{"was":{"a":1}}', 'recorded; body=another'],
      ['GET /v1/things/gone~', 410, '', 'recorded'],
      ['GET /v1/things/gone~', 404, '', 'recorded'],
      ['HEAD /v1/things/picture', 401, '', undefined],
    ]);
    expect(out()).toMatch(/ GET {4}\/v1\/things 200 \d.* ms recorded\n/);
  });

  test('has no credential, and can be read by its owner alone', async () => {
    const { ask } = await record(() => [
      200,
      { ...json, 'Set-Cookie': ['session=secret-1', 'b=secret-2'] },
      '[1]',
    ]);
    const credentials = {
      Authorization: 'Bearer secret-3',
      Cookie: 'session=secret-4',
      'X-Key': 'secret-5',
    };
    await ask('GET /v1/things?api_key=secret-6&access_token=secret-7&kind=a', {
      headers: credentials,
    });
    const text = readFileSync(folder('seen.har'), 'utf8');
    expect(text).not.toMatch(/secret-\d/);
    expect(seen().entries[0].request.url).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/v1\/things\?kind=a$/,
    );
    expect(seen().entries[0].request.queryString).toEqual([{ name: 'kind', value: 'a' }]);
    expect(statSync(folder('seen.har')).mode & 0o777).toBe(0o600);
  });

  test('has what the upstream answers for operations of the document, whole bodies, and is whole after each', async () => {
    const encodings: unknown[] = [];
    const { ask, errors } = await record(
      ({ url = '', headers }) => {
        encodings.push(headers['accept-encoding']);
        if (url.endsWith('/long'))
          return [200, { 'Content-Type': 'text/plain' }, 'x'.repeat(1024 ** 2 + 1)];
        if (url.endsWith('/packed'))
          return [200, { ...json, 'Content-Encoding': 'gzip' }, gzipSync('[1]')];
        return [200, { 'Content-Type': 'text/plain' }, 'plain'];
      },
      { mode: 'block' },
    );
    const key = { headers: { 'X-Key': 'k', 'Accept-Encoding': 'gzip' } };
    expect(seen()).toMatchObject({ version: '1.2', creator: { name: 'spec-first' }, entries: [] });
    for (const [path, entries] of [
      ['/v1/things/a', 1],
      ['/v1/things/long', 2],
      ['/v1/things/packed', 3],
      ['/v1/unknown', 3],
      ['/v1/things?limit=x', 3],
    ] as const) {
      await ask(`GET ${path}`, key);
      expect([path, seen().entries.length]).toEqual([path, entries]);
    }
    const contents = seen().entries.map(
      (entry: { response: { content: object } }) => entry.response.content,
    );
    expect(contents).toEqual([
      { size: 5, mimeType: 'text/plain', text: 'plain' },
      { size: -1, mimeType: 'text/plain' },
      { size: 3, mimeType: 'application/json', text: '[1]' },
    ]);
    expect(encodings).toEqual(['identity', 'identity', 'identity']);
    expect(errors()).toBe('');
    const { out } = await serve({ sources: [folder('api.yaml')], har: folder('seen.har') });
    expect(out()).toContain(' 2 recorded responses,');
  });

  test('cannot be begun where its file cannot be written', async () => {
    await expect(record(() => [200, {}], { har: folder('none/seen.har') })).rejects.toThrow(
      /^The archive cannot be written: ENOENT/,
    );
  });
});

describe('an archive of a browser', () => {
  const page = 'https://example.com/v1';
  const entry = (method: string, url: string, response: object) => ({
    request: { method, url },
    response: { status: 200, headers: [], content: { size: 0 }, ...response },
  });
  const named = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, value]) => ({ name, value }));
  const start = async (entries: readonly unknown[]) => {
    const har = `\ufeff${JSON.stringify({ log: { entries } })}`;
    write({ 'api.yaml': document, 'browser.har': har });
    return serve({ sources: [folder('api.yaml')], har: folder('browser.har'), cors: true });
  };

  test('is answered without what belongs to its connection, its encoding and its origin', async () => {
    const headers = named({
      ':status': '200',
      'content-encoding': 'br',
      'content-length': '999',
      'content-type': 'application/json',
      'access-control-allow-origin': 'https://example.com',
      'set-cookie': 'a=1\nb=2',
      'x-bad': 'caf\u0394',
      'x-total': '3',
    });
    const { ask } = await start([
      entry('GET', `${page}/things`, {
        headers,
        content: { size: 3, text: 'WzFd', encoding: 'base64' },
      }),
    ]);
    const answer = await ask('GET /v1/things', { headers: { Origin: 'http://localhost:3000' } });
    expect(answer).toMatchObject({ status: 200, text: '[1]' });
    expect(answer.headers).toMatchObject({
      ...{ 'content-type': 'application/json', 'content-length': '3', 'x-total': '3' },
      ...{ 'set-cookie': ['a=1', 'b=2'], 'access-control-allow-origin': '*', 'x-mock': 'recorded' },
    });
    expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['content-encoding']));
    expect(answer.headers).not.toHaveProperty('x-bad');
  });

  test('gives way to mocks for what it has not, and for what a caller prefers', async () => {
    const { ask, out } = await start([
      entry('GET', `${page}/things`, { content: { size: 3, text: '[1]' } }),
      entry('GET', `${page}/things`, { content: { size: 3, text: '[2]' } }),
      entry('GET', `${page}/things/lost`, { content: { size: 10 } }),
      entry('GET', `${page}/things/aborted`, { status: 0 }),
      entry('GET', 'https://example.com/index.html', {}),
      entry('GET', 'data:,x', {}),
      ...[null, 7, {}, { request: {}, response: {} }],
    ]);
    expect(out()).toContain(' 2 recorded responses');
    const key = { 'X-Key': 'k' };
    const marks: (readonly unknown[])[] = [];
    for (const [target, headers = {}] of [
      ['GET /v1/things'],
      ['GET /v1/things', { ...key, Prefer: 'code=200' }],
      ['GET /v1/things'],
      ['GET /v1/things/lost', key],
      ['GET /v1/things/aborted', key],
    ] as const satisfies readonly (readonly [string, Record<string, string>?])[]) {
      const answer = await ask(target, { headers });
      const isRecorded = answer.headers['x-mock'] === 'recorded';
      marks.push([answer.status, isRecorded ? answer.text : answer.headers['x-mock']]);
    }
    expect(marks).toEqual([
      [200, '[1]'],
      [200, 'true'],
      [200, '[1]'],
      [200, 'true'],
      [200, 'true'],
    ]);
  });

  const parts = (boundary: string, kind: string, content = 'hi') =>
    [
      `--${boundary}\r\nContent-Disposition: form-data; name="kind"\r\n\r\n${kind}\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n${content}\r\n`,
      `--${boundary}--\r\n`,
    ].join('');
  const form = 'application/x-www-form-urlencoded';
  const multipart = 'multipart/form-data; boundary=';
  const vendor = 'application/merge-patch+json';

  test('finds equal bodies by their values, and says where another one was recorded', async () => {
    const sent = [
      ['application/json', '{"kind":"a","n":[1,{"x":1,"y":2}]}'],
      ['application/json', '{"kind":"b","n":[1,{"x":1,"y":2}]}'],
      [form, 'kind=a&q=x+y&q=z'],
      [form, 'kind=b&q=x+y&q=z'],
      [`${multipart}one`, parts('one', 'a')],
      [`${multipart}one`, parts('one', 'b')],
      [vendor, '{"kind":"b"}'],
      ['application/xml', '<a/>'],
    ] as const;
    const { ask } = await start(
      sent.map(([mimeType, text], at) => ({
        ...entry('POST', `${page}/things`, { content: { size: 9, text: `[${at}]` } }),
        request: { method: 'POST', url: `${page}/things`, postData: { mimeType, text } },
      })),
    );
    const answers = await Promise.all(
      (
        [
          ['application/json; charset=utf-8', '{ "n": [1.0, {"y":2,"x":1}], "kind": "b" }'],
          ['application/json', '{"kind":"b","n":[{"x":1,"y":2},1]}'],
          ['application/json', '{'],
          [form, 'q=x%20y&kind=b&q=z'],
          [form, 'kind=b&q=z&q=x+y'],
          [`${multipart}two`, parts('two', 'b')],
          [`${multipart}two`, parts('two', 'b', 'other')],
          [vendor, '{"kind":"b"}'],
          ['application/xml', '<a/>'],
          ['application/xml', '<b/>'],
          ['text/plain', 'any'],
        ] as const
      ).map(async ([type, body]) => {
        const { text, headers } = await ask('POST /v1/things', { type, body });
        return `${text} ${headers['x-mock']}`;
      }),
    );
    expect(answers).toEqual([
      '[1] recorded',
      '[0] recorded; body=another',
      '[0] recorded; body=another',
      '[3] recorded',
      '[2] recorded; body=another',
      '[5] recorded',
      '[4] recorded; body=another',
      '[6] recorded',
      '[7] recorded',
      '[7] recorded; body=another',
      '[0] recorded; body=another',
    ]);
  });

  const latin1 = '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>';
  test.each([
    ['text/plain; charset=iso-8859-1', 'café', 'text/plain; charset=iso-8859-1', 'latin1'],
    ['text/plain; charset=iso-8859-1', 'Δ', 'text/plain; charset=utf-8', 'utf8'],
    ['text/plain; charset=us-ascii', 'é', 'text/plain; charset=utf-8', 'utf8'],
    ['text/csv; charset="utf-16le"; header=absent', 'é', undefined, 'utf16le'],
    ['text/plain; charset=x-own; format=flowed', 'é', 'text/plain; format=flowed; charset=utf-8'],
    ['application/json', '"é"', 'application/json', 'utf8'],
    ['application/xml', latin1, 'application/xml', 'latin1'],
    ['application/xml', latin1.replace('é', 'Δ'), 'application/xml; charset=utf-8', 'utf8'],
  ] as const)(
    'a text of %s is sent in that charset, or says another: %s',
    async (mimeType, text, type: string = mimeType, encoding = 'utf8') => {
      const headers = named({ 'Content-Type': mimeType });
      const content = { size: 9, mimeType, text };
      const { ask } = await start([entry('GET', `${page}/things`, { headers, content })]);
      const answer = await ask('GET /v1/things');
      expect(answer.headers['content-type']).toBe(type);
      expect(answer.bytes).toEqual(Buffer.from(text, encoding));
    },
  );

  test.each([
    ['absent', undefined, /^.*browser\.har cannot be read: ENOENT/],
    ['broken', '{', /^.*browser\.har cannot be read: /],
    [
      'something else',
      '{"log":{}}',
      /^.*browser\.har is no HTTP archive: it has no list log\.entries\.$/,
    ],
  ])('that is %s is refused', async (_, text, sentence) => {
    write({ 'api.yaml': document });
    if (text !== undefined) writeFileSync(folder('browser.har'), text);
    const serving = serve({ sources: [folder('api.yaml')], har: folder('browser.har') });
    await expect(serving).rejects.toThrow(sentence);
  });
});
