/** Prism as a proxy of the server, which validates each request and response by the document. */

import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../machine/free-port';
import { atEnd } from '../machine/run-main';
import { until } from '../machine/until';

const program = join(__dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');

/**
 * Starts a proxy, which ends with this program. Not with `--errors`, which would keep the server from seeing what is wrong on purpose: the
 * header `sl-violations` says the same.
 *
 * @param folder for the document
 * @param document an OpenAPI document
 * @param upstream the URL of the service
 * @returns the URL that takes requests for the server, without a trailing slash
 */
export const startPrism = async (
  folder: string,
  document: string,
  upstream: string,
): Promise<string> => {
  const port = await freePort();
  const file = join(folder, `${port}.json`);
  await writeFile(file, document);
  const place = ['--port', String(port), '--host', '127.0.0.1'];
  const child = spawn(process.execPath, [program, 'proxy', file, upstream, ...place], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  atEnd(() => child.kill());
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const isListening = (): boolean => printed.includes('Prism is listening');
  await until('Prism listens', isListening, { child }).catch((cause: unknown) => {
    throw new Error(`Prism does not start: ${printed}`, { cause });
  });
  return `http://127.0.0.1:${port}`;
};
