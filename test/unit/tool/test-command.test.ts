/** `npm run contract -- test`: its exit codes, what it writes, and what it keeps to itself. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runContract } from '../../../scripts/contract/run-contract';
import type { TestReport } from '../../../src/contract';
import { faultGroups } from '../../end-to-end/contract-test/faults';
import { startShop } from '../../end-to-end/contract-test/shop-server';
import { useTemporaryFolder } from '../../support/temporary-folder';
import { runCommand } from './run-command';

const folder = useTemporaryFolder();
const shopFile = join(__dirname, '../../end-to-end/contract-test/shop.yaml');
const credentials = ['--credential', 'oauth=full-token', '--credential', 'key=good-key'];

let sound: Awaited<ReturnType<typeof startShop>>;
let faulty: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  sound = await startShop([]);
  faulty = await startShop(faultGroups['security'] ?? []);
});
afterAll(() => {
  sound.stop();
  faulty.stop();
});

const run = (...args: readonly string[]) => runCommand('test', '--depth', 'quick', ...args);

const runAt = (url: string, ...args: readonly string[]) =>
  run('--document', shopFile, '--url', url, ...credentials, ...args);

describe('what cannot be tested exits with 2 and one sentence', () => {
  test.each<[title: string, sentence: RegExp, args: string]>([
    ['no document', /Name the document to test/, '--url URL'],
    ['a document that is not there', /nowhere\.yaml/, '--document nowhere.yaml --url URL'],
    ['a document that is none', /openapi/i, '--document NONE --url URL'],
    ['no URL', /is no http or https URL/, '--document SHOP --url shop'],
    ['no server at the URL', /No server answers/, '--document SHOP --url http://127.0.0.1:9'],
    [
      'an unknown scheme',
      /no security scheme "token".* It has oauth, key\./,
      '--document SHOP --url URL --credential token=x',
    ],
    [
      'a credential that opens nothing',
      /asks for "key" answers 401/,
      '--document SHOP --url URL --credential key=bad --only getNote',
    ],
    ['an unknown operation', /no operation "nothing"/, '--document SHOP --url URL --only nothing'],
    ['a credential without a value', /SCHEME=VALUE/, '--credential key'],
    ['a header that is none', /NAME: VALUE/, '--header none'],
    ['a seed that is none', /whole number/, '--seed -1.5'],
    ['another format', /format/, '--format xml'],
    ['a coverage that is none', /0 to 100/, '--min-coverage 101'],
  ])('%s', async (_title, sentence, args) => {
    writeFileSync(folder('none.yaml'), 'a: 1');
    const named: Readonly<Record<string, string>> = {
      URL: sound.url,
      SHOP: shopFile,
      NONE: folder('none.yaml'),
    };
    const { exitCode, out, err } = await run(...args.split(' ').map((one) => named[one] ?? one));
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toMatch(sentence);
    // Behind a wrong option, where there is more on it.
    const sentences = err
      .trim()
      .split('\n')
      .filter((line) => !/ --help has its options/.test(line));
    expect(sentences).toHaveLength(1);
  });
});

test('a sound server exits with 0, and with 1 where the coverage is too low', async () => {
  const { exitCode, out } = await runAt(sound.url, '--only', 'getHealth');
  expect(exitCode).toBe(0);
  expect(out).toMatch(/0 failures in \d+ requests, coverage 100% \(2 of 2\), seed 1/);
  const few = ['--only', 'getNote', '--credential', 'oauth=full-token'];
  const low = await run('--document', shopFile, '--url', sound.url, ...few, '--min-coverage', '90');
  expect(low.exitCode).toBe(1);
  expect(low.err).toMatch(/The coverage is [\d.]+%, below 90%\./);
});

test('the same seed sends the same', async () => {
  const reports = [];
  for (const seed of ['7', '7', '8']) {
    const server = await startShop(faultGroups['bounds of texts'] ?? []);
    const args = ['--seed', seed, '--only', 'setLimits', '--format', 'json'];
    const { out } = await runAt(server.url, ...args);
    server.stop();
    reports.push(out.replaceAll(server.url, '').replaceAll(/"date"[^\]]*/gi, ''));
  }
  expect(reports[0]).toBe(reports[1]);
  expect(reports[0]).not.toBe(reports[2]);
});

describe('a faulty server', () => {
  const only = ['--only', 'createItem', '--only', 'deleteItem'];

  test('exits with 1, and the report holds no secret', async () => {
    const file = folder('reports/report.json');
    const more = ['--header', 'X-Secret: do-not-tell', '--format', 'json', '--report', file];
    const { exitCode, out } = await runAt(faulty.url, ...only, ...more);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/full-token|good-key|do-not-tell/);
    const { failures, requests, coverage }: TestReport = JSON.parse(text);
    expect(failures.map(({ operation, rule }) => `${operation} ${rule}`)).toContain(
      'deleteItem challenge-missing',
    );
    expect(requests).toBeGreaterThan(100);
    expect(coverage.operations.map(({ operation }) => operation)).toEqual([
      'createItem',
      'deleteItem',
    ]);
  });

  test('JUnit has a case for each operation, and what failed in it', async () => {
    const { out } = await runAt(faulty.url, ...only, '--format', 'junit');
    expect(out).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="spec-first test" tests="2" failures="2"/,
    );
    expect(out).toContain('<testcase classname="shop" name="deleteItem">');
    expect(out).toContain('<failure type="challenge-missing"');
  });

  test('text tells what was sent, expected and seen, the command, and where else', async () => {
    const { out } = await runAt(faulty.url, ...only);
    expect(out).toMatch(
      /FAILED 2 operations: challenge-missing\n {2}sent: {5}createItem \(POST \/items\): no credential\n {2}expected: the header WWW-Authenticate with 401\n {2}seen: {5}no such header\n {2}curl -isg --path-as-is -X POST .*\n {2}also: {5}deleteItem \(DELETE \/items\/\{id\}\): no credential\n/,
    );
  });
});

test("without a URL it tests this project's own server, which keeps to its documents", async () => {
  const only = ['addAd', 'getOrderById', 'getInventory'].flatMap((name) => ['--only', name]);
  const { exitCode, out, err } = await run('--format', 'json', '--seed', '11', ...only);
  const { failures, documents, coverage }: TestReport = JSON.parse(out);
  expect(failures).toEqual([]);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  expect(documents.map(({ name }) => name)).toEqual(['ads', 'petstore']);
  expect(coverage.operations).toHaveLength(3);
  expect(coverage.percent).toBeGreaterThan(80);
});

test('a terminal shows how far it is, and what it showed is gone in the end', async () => {
  const written: string[] = [];
  const args = ['test', '--document', shopFile, '--url', sound.url, '--only', 'getHealth'];
  await runContract(args, {
    out: () => undefined,
    err: (text) => written.push(text),
    isTerminal: true,
  });
  expect(written[0]).toContain(`[${'.'.repeat(20)}] shop `);
  expect(written.at(-1)).toBe('\r\u001b[K');
});

test('nothing is written where a report cannot be', async () => {
  writeFileSync(folder('none.yaml'), 'a: 1');
  const file = folder('none.yaml', 'report.json');
  const { exitCode, err } = await runAt(sound.url, '--only', 'getHealth', '--report', file);
  expect(exitCode).toBe(2);
  expect(err).toContain(folder('none.yaml'));
  expect(existsSync(file)).toBe(false);
});
