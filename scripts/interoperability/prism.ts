/** Prism as a proxy of the server, which validates each request and response by the document. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../machine/free-port';

const program = join(__dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');

/** A running proxy. */
export interface PrismProxy {
  /** The URL that takes requests for the server, without a trailing slash. */
  readonly url: string;
}

/** Resolves when Prism listens; rejects with its output where it ends before that. */
const listening = async (child: ChildProcess): Promise<void> => {
  let printed = '';
  const started = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        if (printed.includes('Prism is listening')) resolve();
      });
    }
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`Prism has ended: ${printed}`);
  });
  await Promise.race([started, ended]);
  // Its end is from now on what `stop` waits for.
  ended.catch(() => undefined);
};

/** Proxies that are stopped together. */
export interface PrismProxies {
  /**
   * Starts one. Not with `--errors`, which would keep the server from seeing what is wrong on purpose: the header
   * `sl-violations` says the same.
   *
   * @param document an OpenAPI document
   * @param upstream the URL of the service
   */
  start(document: string, upstream: string): Promise<PrismProxy>;
  stop(): Promise<void>;
}

/** @param folder for the documents */
export const prismProxies = (folder: string): PrismProxies => {
  const ends: (() => Promise<void>)[] = [];
  return {
    async start(document, upstream) {
      const port = await freePort();
      const file = join(folder, `${port}.json`);
      await writeFile(file, document);
      const child = spawn(
        process.execPath,
        [program, 'proxy', file, upstream, '--port', String(port), '--host', '127.0.0.1'],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      const ended = once(child, 'close');
      ends.push(async () => {
        child.kill();
        await ended;
      });
      await listening(child);
      return { url: `http://127.0.0.1:${port}` };
    },
    async stop() {
      for (const end of ends) await end();
    },
  };
};
