/** All faults of a request in one answer, each with its rule, what is allowed and what came, and no secret. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../src/package';
import { hostNames, startHost } from './start-host';

const text = readFileSync(join(__dirname, 'faults.yaml'), 'utf8');

const service = () => ({
  document: parseApiDocument('things.yaml', text),
  handlers: Object.fromEntries(
    ['addThing', 'own', 'strict', 'ruled'].map((name) => [name, () => ({ status: 204 })]),
  ),
  options: { log: { error: () => undefined } },
});

const json = { 'content-type': 'application/json' };
const body = '{"id":"1","room":"x","kind":"c","password":"1234","pin":77,"big":9007199254740995}';

/** `in path: rule, allowed, got`. */
const written = ({ errors }: { readonly errors: readonly Readonly<Record<string, unknown>>[] }) =>
  errors.map(
    ({ in: place, path, rule, allowed, got }) =>
      `${place} ${path}: ${[rule, allowed, got].map((one) => JSON.stringify(one) ?? '-').join(', ')}`,
  );

const ofBody = [
  'body /start: "required", -, -',
  'body /end: "required", -, -',
  'body /room: "minLength", 3, 1',
  'body /status: "required", -, -',
  'body /id: "type", ["integer"], "the text \\"1\\""',
  'body /kind: "enum", ["a","b"], "c"',
  'body /password: "minLength", 5, -',
  'body /pin: "minimum", 1000, -',
  'body /big: "maximum", "9007199254740993", "9007199254740995"',
];
const ofParameters = ['header X-Trace: "required", -, -', 'query n: "maximum", 3, 9'];

describe.each(hostNames)('%s', (host) => {
  const { ask } = startHost(host, service);
  const refusal = async (path: string, headers: Record<string, string>, sent: string) => {
    const response = await ask(`/v1${path}`, { method: 'POST', headers, body: sent || null });
    const answer = await response.text();
    expect([response.status, answer]).toEqual([400, expect.not.stringMatching(/1234|77/)]);
    return JSON.parse(answer);
  };

  test.each<[string, string, Record<string, string>, string, readonly string[]]>([
    ['parameters and body', '?n=9', json, body, [...ofParameters, ...ofBody]],
    ['the body alone', '?n=3', { ...json, 'x-trace': 'a' }, body, ofBody],
    [
      'parameters, where the body fits',
      '?n=9',
      json,
      '{"status":1,"start":"","end":1}',
      ofParameters,
    ],
    ['a text that cannot be read', '', json, '{', [ofParameters[0] ?? '', 'body : "syntax", -, -']],
    ['a missing body', '', {}, '', [ofParameters[0] ?? '', 'body : "required", -, -']],
    [
      'parameters alone, of bytes',
      '',
      { 'content-type': 'application/octet-stream' },
      'a',
      [ofParameters[0] ?? ''],
    ],
    [
      'parameters alone, of items',
      '',
      { 'content-type': 'application/jsonl' },
      'a',
      [ofParameters[0] ?? ''],
    ],
    [
      'parameters alone, of no media type',
      '',
      { 'content-type': 'text/csv' },
      'a',
      [ofParameters[0] ?? ''],
    ],
  ])('tells of %s', async (_what, query, headers, sent, errors) => {
    expect(written(await refusal(`/things${query}`, headers, sent))).toEqual(errors);
  });

  test('a large body is not read for its faults', async () => {
    const large = JSON.stringify({ id: 'x'.repeat(300_000) });
    const init = { method: 'POST', headers: json, body: large };
    const { errors } = JSON.parse(await (await ask('/v1/things', init)).text());
    // Of a request of the Fetch API the length is not known before.
    expect(errors.length).toBe(host === 'fetch' || host === 'hono' ? 5 : 1);
  });

  test.each([
    ['/own', { in: 'query', path: 'n', message: 'must be at most 3' }],
    ['/strict', { in: 'query', path: 'n', message: 'must be at most 3' }],
    [
      '/ruled',
      { in: 'query', path: 'n', message: 'must be at most 3', rule: 'maximum', allowed: 3 },
    ],
  ])('a schema at %s gets what it has members for', async (path, error) => {
    const { errors } = await refusal(
      `${path}?n=9`,
      { ...json, 'x-trace': 'a' },
      '{"status":1,"start":"","end":1}',
    );
    expect(errors).toEqual([error]);
  });
});
