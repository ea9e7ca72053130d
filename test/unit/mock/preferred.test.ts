/** Mocks that a caller steers: the status and the example of `Prefer`, and examples of requests that have the name of an answer's. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { askAt } from '../../support/ask';
import { serveDocument } from '../../support/serve-document';
import { valuesOf } from '../../support/text-cases';

const cases = join(__dirname, 'preferred.cases.txt');

const zoo = readFileSync(join(__dirname, 'preferred.yaml'), 'utf8');

describe('Prefer', () => {
  let ask: ReturnType<typeof askAt>;
  const preferring = async (request: string, prefer: string, more: Record<string, string> = {}) => {
    const { status, text, headers } = await ask(request, { headers: { Prefer: prefer, ...more } });
    return [status, text, headers['preference-applied'] ?? 'nothing'];
  };
  beforeAll(async () => {
    ask = askAt(new URL((await serveDocument({ document: zoo, mocks: true })).url).origin);
  });

  test.each(
    valuesOf<[request: string, prefer: string, status: number, body: string, applied: string]>(
      cases,
      'preferences',
    ),
  )('%s with %s', async (request, prefer, ...answer) => {
    expect(await preferring(request, prefer)).toEqual([
      ...answer,
      ...(answer[2] ? [] : [undefined]),
    ]);
  });

  test('headers of the status come with it, and a cache learns of it', async () => {
    const busy = await ask('GET /zoo/animals/1', { headers: { Prefer: 'code=503' } });
    expect(busy.headers).toMatchObject({ 'retry-after': '5', vary: 'Prefer', 'x-mock': 'true' });
    const gone = await ask('GET /zoo/animals/1', { headers: { Prefer: 'code=404' } });
    expect(gone.headers['x-reason']).toBe('gone');
    const usual = await ask('GET /zoo/animals/1', {});
    expect([usual.headers['vary'], usual.headers['preference-applied']]).toEqual([
      'Accept',
      undefined,
    ]);
  });

  test.each(
    valuesOf<[method: string, prefer: string, status: number, text: string]>(
      cases,
      'what is not declared',
    ),
  )('%s asks for what is not declared by %s', async (method, prefer, status, text) => {
    const [code, body, applied] = await preferring(`${method} /zoo/animals/1`, prefer);
    expect([code, body, applied]).toEqual([status, expect.stringContaining(text), 'nothing']);
  });

  test('a preferred answer leaves the memory as it is', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const post = (prefer: string) =>
      ask('POST /zoo/animals', { headers: { ...headers, Prefer: prefer }, body: '{"name":"Bee"}' });
    const statuses = [];
    for (const prefer of ['code=409', 'code=201', 'code=418', 'example=x']) {
      statuses.push((await post(prefer)).status);
    }
    expect(statuses).toEqual([409, 201, 400, 400]);
    expect(await preferring('DELETE /zoo/animals/1', 'code=204')).toEqual([204, '', 'code=204']);
    const kept = await ask('GET /zoo/animals/1', {});
    expect([kept.status, kept.text]).toEqual([200, '{"id":1,"name":"Ape"}']);
    const { text } = await ask('POST /zoo/animals', { headers, body: '{"name":"Cow"}' });
    expect(text).toBe('{"id":3,"name":"Cow"}');
  });
});
