/** Programs of users as processes: they serve at a free port, and end with the test file. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll } from '@jest/globals';
import { tsxOptions } from './run-script';

const children: ChildProcess[] = [];

afterAll(async () => {
  const running = children.splice(0).filter(({ exitCode }) => exitCode === null);
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(running.map((child) => once(child, 'close')));
});

/** The key that the programs take. */
const apiKey = 'the-key-of-the-test';

const run = (folder: string, args: readonly string[]) => {
  const child = spawn(process.execPath, [...tsxOptions, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([exitCode]) => ({ exitCode, output }));
  return { child, ended, output: () => output };
};

/** Runs a program in a folder until it ends. */
export const runExample = (folder: string, ...args: readonly string[]) => run(folder, args).ended;

/** Starts a program in a folder; resolves to its origin when it has printed the address at which it listens. */
export const startExample = (folder: string, ...args: readonly string[]): Promise<string> => {
  const { child, ended, output } = run(folder, args);
  return new Promise((found, failed) => {
    child.stdout.on('data', () => {
      const [, port] = /\bport: (\d+)/.exec(output()) ?? [];
      if (port !== undefined) found(`http://localhost:${port}`);
    });
    ended.then((end) => failed(new Error(`${args.join(' ')} ended: ${end.output}`)), failed);
  });
};

/**
 * Sends a request; one without a header of its own has the key, and its body is JSON.
 *
 * @param parts - method and path, and then headers and the body: `GET /v1/books`, `Accept: image/png`
 */
export const ask = async (origin: string, [request = '', ...parts]: readonly string[]) => {
  const [method = '', path] = request.split(' ');
  const isHeader = (part: string) => /^[A-Z][\w-]+: /.test(part);
  const headers = parts.filter(isHeader).map((part) => part.split(': ') as [string, string]);
  const body = parts.find((part) => !isHeader(part)) ?? (method === 'POST' ? 'A' : undefined);
  const response = await fetch(origin + path, {
    method,
    headers: {
      'X-API-Key': apiKey,
      'Content-Type': 'application/json',
      ...Object.fromEntries(headers),
    },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, text: await response.text() };
};
