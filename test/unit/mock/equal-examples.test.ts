/** Requests that equal examples of the document get the response's example of their name, whatever their format. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { askAt } from '../../support/ask';
import { serveDocument } from '../../support/serve-document';
import { valuesOf } from '../../support/text-cases';

const cases = join(__dirname, 'equal-examples.cases.txt');

const rates = readFileSync(join(__dirname, 'equal-examples.yaml'), 'utf8');

describe('a request that equals examples', () => {
  let ask: ReturnType<typeof askAt>;
  beforeAll(async () => {
    ask = askAt(new URL((await serveDocument({ document: rates, mocks: true })).url).origin);
  });
  const json = 'application/json';
  const xml = 'application/xml';
  const form = 'application/x-www-form-urlencoded';

  test.each(
    valuesOf<[request: string, headers: Record<string, string>, status: number, body: string]>(
      cases,
      'requests',
    ),
  )('%s', async (_title, headers, status, line) => {
    const [query, ...body] = line.split(' ');
    const answer = await ask(`GET /r/rate?${query}`, { headers });
    expect([answer.status, answer.text]).toEqual([status, body.join(' ')]);
    expect([answer.headers['x-mock'], answer.headers['preference-applied']]).toEqual([
      'true',
      headers['Prefer'] && 'example=other',
    ]);
  });

  test.each([
    [json, '{"to":"CHF","amount":1e3}', 200, '{"rate":3}'],
    [json, '{"amount":1000}', 200, '{"rate":1}'],
    [json, '{"amount":1,"to":"EUR"}', 200, '{"rate":2}'],
    [xml, '<Order><to>CHF</to><amount>1000</amount></Order>', 200, '{"rate":3}'],
    [form, 'amount=1000&to=CHF', 200, '{"rate":3}'],
    [json, '{"amount":0}', 400, '{"message":"Nothing"}'],
  ])('%s %s', async (type, body, status, text) => {
    const answer = await ask('POST /r/convert', { headers: { 'Content-Type': type }, body });
    expect([answer.status, answer.text]).toEqual([status, text]);
  });

  test('fails by its example where mocks remember, and else acts', async () => {
    const headers = { 'Content-Type': json };
    const told = [];
    for (const name of ['Taken', 'Nut', 'Nut']) {
      const { status, text } = await ask('POST /r/things', {
        headers,
        body: JSON.stringify({ name }),
      });
      told.push(`${status} ${text}`);
    }
    expect(told).toEqual([
      '409 {"message":"Taken"}',
      '201 {"id":41,"name":"Nut"}',
      '201 {"id":42,"name":"Nut"}',
    ]);
    expect((await ask('GET /r/things/42', {})).text).toBe('{"id":42,"name":"Nut"}');
  });
});
