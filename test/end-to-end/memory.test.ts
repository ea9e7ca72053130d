/** Mocks that act on the resources of their document: what is posted can be read, listed, changed and deleted. */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { callerOf } from '../conformance/ask';
import { askAt } from '../support/ask';
import { type ServedDocument, serveDocument } from '../support/serve-document';
import { casesOf } from '../support/text-cases';
import { runTool } from '../unit/tool/run-command';

const shop = readFileSync(join(__dirname, 'memory.yaml'), 'utf8');

const served = (more: Partial<ServedDocument> = {}): ServedDocument => ({
  document: shop,
  mocks: true,
  ...more,
});

/** Sends `METHOD /path body` and returns the status and the body, JSON without blanks. */
const asker = (url: string) => {
  const ask = askAt(new URL(url).origin);
  return async (line: string, headers: Record<string, string> = {}) => {
    const [, method, path, body] = /^(\S+) (\S+)(?: (.+))?$/.exec(line) ?? [];
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    return ask(`${method} /shop${path}`, {
      headers: { ...type, ...headers },
      ...(body && { body }),
    });
  };
};

/** Asks line by line. */
const play = async (url: string, lines: readonly string[]): Promise<string[]> => {
  const ask = asker(url);
  const told: string[] = [];
  for (const line of lines) {
    const { status, text } = await ask(line);
    told.push(`${line} => ${status} ${text}`.trim());
  }
  return told;
};

describe('a memory', () => {
  let url = '';
  let errors: readonly object[] = [];
  beforeAll(async () => {
    ({ url, errors } = await serveDocument(
      served({ handlers: { handled: () => ({ status: 200, body: { id: 'P2345' } }) } }),
    ));
  });

  test.each(casesOf(join(__dirname, 'memory.cases.txt')))('%s', async (_title, lines) => {
    await play(url, ['DELETE /__state']);
    const asked = lines.map((line) => line.replace(/ => .*/, ''));
    expect(await play(url, asked)).toEqual(lines);
    expect(errors).toEqual([]);
  });
});

test('it holds in every media type, marks what it answers, and says where new items are', async () => {
  const { url, errors } = await serveDocument(served());
  const ask = asker(url);
  const made = await ask('POST /things <Thing><name>Nut</name></Thing>', {
    'Content-Type': 'application/xml',
    Accept: 'application/xml',
  });
  const xml =
    '<Thing><id>8</id><name>Nut</name><kind>large</kind><made>2024-01-01T12:00:00Z</made></Thing>';
  expect([made.status, made.headers['location'], made.headers['x-mock']]).toEqual([
    201,
    '/shop/things/8',
    'true',
  ]);
  expect(made.text).toContain(xml);
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await ask('POST /things name=Bolt&kind=small', form)).headers).toMatchObject({
    location: '/shop/things/9',
  });
  const read = await ask('GET /things/9', { Accept: 'application/xml' });
  expect(read.text).toContain('<name>Bolt</name><kind>small</kind>');
  const notes = await ask('GET /notes?per_page=1&page=1');
  expect([notes.headers['x-total-count'], JSON.parse(notes.text).length]).toEqual(['3', 1]);
  const missing = await ask('GET /things/10');
  expect([missing.status, missing.headers['x-mock']]).toEqual([404, 'true']);
  const preferred = await ask('GET /things/10', { Prefer: 'example=small' });
  expect([preferred.status, JSON.parse(preferred.text).name]).toEqual([200, 'Pin']);
  expect(errors).toEqual([]);
});

test('the contract test finds nothing to say about a server without handlers', async () => {
  const file = join(__dirname, 'contract-test/shop.yaml');
  const { url, errors } = await serveDocument({
    document: await readFile(file, 'utf8'),
    mocks: true,
    securityHandlers: { apiKey: async (key) => (key === 'good' ? callerOf('key') : undefined) },
  });
  const only = ['--depth', 'quick', '--seed', '2'];
  const args = ['test', file, '--url', url, '--credential', 'key=good', ...only];
  expect(await runTool(args)).toMatchObject({ exitCode: 0, err: '' });
  expect(errors).toEqual([]);
});

test('the same seed gives the same items, and another one others', async () => {
  const notes = async (seed: number) => {
    const { url } = await serveDocument(served({ memory: { seed } }));
    return (await asker(url)('GET /notes')).text;
  };
  const [first, again, other] = [await notes(3), await notes(3), await notes(4)];
  expect(first).toBe(again);
  expect(first).not.toBe(other);
});
