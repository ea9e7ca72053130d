/** A file of the documentation, ready to be sent: its bytes, the same compressed, and how caches may keep it. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import Negotiator from 'negotiator';
import { send } from '../../http/send';

type Headers = Readonly<Record<string, string>>;

const compress = promisify(gzip);

/** Compresses and names a content. */
const pageFile = async (content: string | Uint8Array, headers: Headers) => {
  const bytes = Buffer.from(content);
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  const compressed = await compress(bytes);
  return {
    headers,
    bytes,
    /** Undefined where it would not be smaller. */
    compressed: compressed.length < bytes.length ? compressed : undefined,
    // Weak: both encodings carry the same one (RFC 9110 section 8.8.1).
    etag: `W/"${version}"`,
    /** Names the content in addresses: under one that carries it, the file never changes. */
    version,
  };
};

type PageFile = Awaited<ReturnType<typeof pageFile>>;

/** Makes a file. */
export type MakeFile = () => Promise<PageFile>;

/** Gives the maker of a file of this content: it is made at first use, once; what failed can be tried again. */
export const fileOf = (
  mediaType: string,
  content: () => string | Uint8Array | Promise<string | Uint8Array>,
  headers: Headers = {},
): MakeFile => {
  let made: Promise<PageFile> | undefined;
  const make: MakeFile = async () =>
    pageFile(await content(), { 'Content-Type': mediaType, ...headers });
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};

/** RFC 9111 section 5.2.2 and RFC 8246: what is asked for by its version can be kept for ever, anything else is asked for again. */
const cachingOf = ({ version }: PageFile, query: string): string =>
  query === `v=${version}` ? 'public, max-age=31536000, immutable' : 'no-cache';

/** Responds with the file, or with 304 where the caller has it (RFC 9110 section 13.1.2). */
export const sendPageFile = (
  request: Request,
  response: Response,
  file: PageFile,
  query: string,
): void => {
  const { compressed, bytes, etag } = file;
  // `fresh` compares the request with what the response carries.
  response.setHeader('ETag', etag);
  const isGzipped =
    compressed !== undefined && new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip';
  const vary = compressed === undefined ? {} : { Vary: 'Accept-Encoding' };
  const lasting = { 'Cache-Control': cachingOf(file, query), ...vary };
  if (request.fresh) {
    send(request, response, { status: 304, headers: lasting, body: undefined });
    return;
  }
  const coding = isGzipped ? { 'Content-Encoding': 'gzip' } : {};
  const headers = { ...file.headers, ...lasting, ...coding };
  send(request, response, { status: 200, headers, body: isGzipped ? compressed : bytes });
};

/** Gives the stylesheet of Swagger UI, which names `sans-serif` in dozens of rules, the typeface of the other pages. */
const inSystemTypeface = (css: string): string =>
  css.replaceAll('font-family:sans-serif', 'font-family:system-ui,sans-serif');

export const scriptType = 'text/javascript; charset=utf-8';
export const styleType = 'text/css; charset=utf-8';

/** The files of Swagger UI's package that its page needs, each named in full; no others can be asked for. */
export const packageFiles: readonly (readonly [name: string, make: MakeFile])[] = [
  [
    'swagger-ui-bundle.js',
    fileOf(scriptType, () => readFile(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
  ],
  [
    'swagger-ui.css',
    fileOf(styleType, async () =>
      inSystemTypeface(await readFile(require.resolve('swagger-ui-dist/swagger-ui.css'), 'utf8')),
    ),
  ],
  [
    'oauth2-redirect.js',
    fileOf(scriptType, () => readFile(require.resolve('swagger-ui-dist/oauth2-redirect.js'))),
  ],
];
