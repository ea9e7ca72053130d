/** `spec-first proxy` as a process of its own: its exit codes, its end by a signal, and the report that it leaves. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { buildProgram } from '../../scripts/compile/build';
import { askAt } from '../support/ask';
import { eventually } from '../support/eventually';
import { listen } from '../support/listen';
import { oncePerRun } from '../support/run/once-per-run';
import { useTemporaryFolder } from '../support/temporary-folder';

let build = '';
beforeAll(async () => {
  build = await oncePerRun('program', buildProgram);
});

const folder = useTemporaryFolder();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const document = `openapi: 3.1.0
info: { title: Things, version: '1' }
servers: [{ url: /v1 }]
paths:
  /things:
    get: { operationId: listThings, responses: { '200': { description: Things } } }
`;

/** Starts the command in the folder of the test. */
const start = (...args: readonly string[]) => {
  writeFileSync(folder('api.yaml'), document);
  const program = join(build, 'src/tool/main.js');
  const child = spawn(process.execPath, [program, 'proxy', ...args], {
    cwd: folder(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const printed = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => {
    printed.out += text;
  });
  child.stderr.on('data', (text: Buffer) => {
    printed.err += text;
  });
  const ended = once(child, 'close').then(([code]): unknown => code);
  return { child, printed, ended };
};

const upstream = () => listen(createServer((_request, response) => response.writeHead(201).end()));

test('it checks what passes, and writes its report when a signal ends it', async () => {
  const url = `${await upstream()}/v1`;
  const { child, printed, ended } = start(
    ...['api.yaml', '--upstream', url, '--port', '0', '--report', 'seen.json'],
  );
  const origin = await eventually('it listens', () => /http:\/\/[\d.]+:\d+/.exec(printed.out)?.[0]);
  expect(printed.out).toBe(`${origin}/v1 passes requests to ${url}\n`);
  const answer = await askAt(origin)('GET /v1/things');
  expect(answer.headers['x-spec-first-violations']).toBe('1');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(printed.err).toBe('');
  expect(JSON.parse(readFileSync(folder('seen.json'), 'utf8'))).toMatchObject({ violations: 1 });
});

test('wrong use ends it with exit code 2 and a sentence', async () => {
  const { printed, ended } = start('api.yaml', '--upstream', 'ftp://a');
  expect(await ended).toBe(2);
  expect(printed.err).toContain('It must be a URL such as');
});
