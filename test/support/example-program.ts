/** Programs of users as processes: they serve at a free port, and end with the test file. */

import { type StartedProcess, startNode } from './process';
import { tsxOptions } from './run-script';

/** The key that the programs take. */
const apiKey = 'the-key-of-the-test';

const run = (folder: string, args: readonly string[]): StartedProcess =>
  startNode([...tsxOptions, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', API_KEY: apiKey },
  });

/** Runs a program in a folder until it ends. */
export const runExample = async (folder: string, ...args: readonly string[]) => {
  const { ended, output } = run(folder, args);
  return { exitCode: await ended, output: output() };
};

/** Starts a program in a folder; resolves to its origin when it has printed the address at which it listens. */
export const startExample = async (folder: string, ...args: readonly string[]): Promise<string> =>
  `http://localhost:${await run(folder, args).printed(/\bport: (\d+)/)}`;

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
