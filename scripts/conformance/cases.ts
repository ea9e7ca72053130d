/** The cases of `test/conformance/cases`, whose README describes their format, and what is sent for one. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJsonStrictly } from '../../src/base/json/json-parser';
import { sendRequest, type WholeResponse } from '../machine/send-request';
import { rootFolder } from '../root-folder';

export const casesFolder = join(rootFolder, 'test/conformance/cases');

/** Reads the pages of rules, one after the other. */
export const readRules = (): string =>
  ['rules.md', 'rules-3.1-3.2.md']
    .map((name) => readFileSync(join(casesFolder, name), 'utf8'))
    .join('\n');

type Names<Value> = Readonly<Record<string, Value>>;

/** The response that a handler gives back, instead of an echo. */
export interface Reply {
  readonly status: number;
  readonly headers?: Names<unknown>;
  readonly body?: unknown;
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
    readonly headers?: Names<string>;
    readonly body?: string;
    readonly base64?: string;
  };
  readonly reply?: Reply;
  /** The response that must come; what is not said is not compared. */
  readonly expected: {
    readonly refused?: true;
    readonly status?: number | readonly number[];
    readonly headers?: Names<string | boolean | readonly string[]>;
    readonly mediaType?: string;
    readonly echo?: Names<unknown>;
    readonly absent?: Names<readonly string[]>;
    readonly json?: unknown;
    readonly text?: string;
    readonly xml?: string;
    readonly faults?: readonly string[];
  };
}

interface Document {
  readonly document: string;
  readonly openapi: unknown;
}

/** Reads all files; throws where a case names a document that no line before it has. */
export const readCases = (): readonly Case[] => {
  const names = readdirSync(casesFolder).filter((name) => name.endsWith('.jsonl'));
  const texts = names.map((name) => readFileSync(join(casesFolder, name), 'utf8').trimEnd());
  const documents = new Map<string, string>();
  return texts
    .flatMap((text) => text.split('\n'))
    .flatMap((text) => {
      const line = parseJsonStrictly(text) as Case | Document;
      if ('openapi' in line) {
        const { document, openapi } = line;
        documents.set(document, typeof openapi === 'string' ? openapi : JSON.stringify(openapi));
        return [];
      }
      const document = documents.get(line.document);
      if (document === undefined) throw new Error(`${line.id} has no document before it`);
      return [{ ...line, document }];
    });
};

/** Sends the request of a case as it is written; rejects where no response comes. */
export const send = (origin: string, { request: sent }: Case): Promise<WholeResponse> => {
  const { method = 'GET', path = '/', headers = {}, body, base64 } = sent ?? {};
  const { hostname, port } = new URL(origin);
  const content = base64 === undefined ? body : Buffer.from(base64, 'base64');
  const isSized = content !== undefined && headers['Transfer-Encoding'] === undefined;
  const length = isSized ? { 'Content-Length': Buffer.byteLength(content) } : {};
  const place = { hostname, port, method, path, headers: { ...length, ...headers } };
  return sendRequest({ ...place, agent: false }, content, 10);
};
