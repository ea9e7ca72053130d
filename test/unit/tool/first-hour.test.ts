/** The errors that somebody meets in the first hour: each names the command, the option or the file that helps. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { listen } from '../../support/listen';
import { useTemporaryFolder } from '../../support/temporary-folder';
import { valuesOf } from '../../support/text-cases';
import { runTool } from './run-command';

const cases = join(__dirname, 'first-hour.cases.txt');

const folder = useTemporaryFolder();

const api = `openapi: 3.0.3
info: { title: A, version: '1' }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
paths:
  /a: { get: { operationId: getA, security: [{ key: [] }], responses: { '200': { description: A }, '401': { description: No } } } }
`;

beforeEach(() => {
  mkdirSync(folder('handlers'), { recursive: true });
  const files = {
    'api.yaml': api,
    'swagger.yaml': "swagger: '2.0'\ninfo: { title: A, version: '1' }\npaths: {}\n",
    'overlay.yaml': "overlay: 1.1.0\ninfo: { title: A, version: '1' }\nactions: []\n",
    'other.yaml': 'hello: 1\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(folder(name), text);
});

/** The arguments, with the folder of the files in the place of `@`. */
const argumentsOf = (line: string) =>
  line.split(' ').map((word) => (word.startsWith('@') ? folder(word.slice(1)) : word));

test.each(valuesOf<[line: string, said: string]>(cases, 'commands, and what helps'))(
  '%s',
  async (line, said) => {
    const { exitCode, out, err } = await runTool(argumentsOf(line));
    expect(exitCode).toBeGreaterThan(0);
    expect(out + err).toContain(said);
    expect(err).not.toMatch(/^ +at /m);
  },
);

test('a port that is in use', async () => {
  const { port } = new URL(await listen(createServer()));
  const { exitCode, err } = await runTool(['serve', folder('api.yaml'), '--port', port]);
  expect(exitCode).toBe(2);
  expect(err).toContain('or --port 0 for a free one');
});

describe('test without a credential', () => {
  test.each([
    [[], "1 of 1 operations ask for a credential: --credential 'key=VALUE' gives one.\n"],
    [['--credential', 'key=a'], ''],
  ])('%j', async (more: readonly string[], said: string) => {
    const refuse = createServer((_request, response) => response.writeHead(401).end());
    const url = await listen(refuse);
    const { err } = await runTool(['test', folder('api.yaml'), '--url', url, ...more]);
    expect(err.startsWith(said)).toBe(true);
    expect(err.includes('operations ask for')).toBe(said !== '');
  });
});
