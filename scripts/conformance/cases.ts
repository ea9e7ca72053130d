/** The cases of `test/conformance/cases`, whose README describes their format, and what is sent for one. */

import { readdirSync, readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { parseJsonStrictly } from '../../src/base/json/json-parser';
import { rootFolder } from '../root-folder';

export const casesFolder = join(rootFolder, 'test/conformance/cases');

/** What a handler gives back, instead of an echo. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** What must come of a request; what is not said is not compared. */
export interface Expected {
  readonly refused?: true;
  readonly status?: number | readonly number[];
  readonly headers?: Readonly<Record<string, string | boolean | readonly string[]>>;
  readonly mediaType?: string;
  readonly echo?: Readonly<Record<string, unknown>>;
  readonly absent?: Readonly<Record<string, readonly string[]>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly xml?: string;
  readonly faults?: readonly string[];
}

/** One line of a file that is no document. */
export interface Case {
  readonly id: string;
  readonly rule: string;
  readonly title: string;
  readonly choice?: true;
  /** The text of the document. */
  readonly document: string;
  readonly request?: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly base64?: string;
  };
  readonly reply?: Reply;
  readonly expected: Expected;
}

/** Reads all files; throws where a case names a document that does not stand before it, or an id stands twice. */
export const readCases = (): readonly Case[] => {
  const texts = new Map<string, string>();
  const cases = new Map<string, Case>();
  const names = readdirSync(casesFolder).filter((name) => name.endsWith('.jsonl'));
  const files = names.map((name) => readFileSync(join(casesFolder, name), 'utf8').trimEnd());
  for (const line of files.flatMap((text) => text.split('\n'))) {
    const read = parseJsonStrictly(line) as Case | { document: string; openapi: unknown };
    const id = 'openapi' in read ? read.document : read.id;
    if (texts.has(id) || cases.has(id)) throw new Error(`${id} stands twice`);
    if ('openapi' in read) {
      const { openapi } = read;
      texts.set(id, typeof openapi === 'string' ? openapi : JSON.stringify(openapi));
    } else {
      const document = texts.get(read.document);
      if (document === undefined) throw new Error(`${id}: ${read.document} does not stand before`);
      cases.set(id, { ...read, document });
    }
  }
  return [...cases.values()];
};

/** A response, read to its end. */
export interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends the request of a case as it is written; rejects where no response comes. */
export const send = (origin: string, { request: sent }: Case): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', path = '/', headers = {}, body, base64 } = sent ?? {};
    const { hostname, port } = new URL(origin);
    const content = base64 === undefined ? body : Buffer.from(base64, 'base64');
    const isSized = content !== undefined && headers['Transfer-Encoding'] === undefined;
    const length = isSized ? { 'Content-Length': Buffer.byteLength(content) } : {};
    const asked = request(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          resolve({ status: statusCode, headers, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    asked.setTimeout(10_000, () => asked.destroy(new Error('no response in 10 s')));
    asked.on('error', reject);
    asked.end(content);
  });
