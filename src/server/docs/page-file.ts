/** A file of the documentation, ready to be sent: its bytes, the same compressed, and how caches may keep it. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import Negotiator from 'negotiator';
import { send } from '../../engine';

/** What a file is made of. */
export interface FileContent {
  readonly mediaType: string;
  readonly bytes: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A file that has been made. */
export interface PageFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** Undefined where it gains nothing. */
  readonly compressed: Uint8Array | undefined;
  readonly etag: string;
  /** Names the content in addresses: under one that carries it, the file never changes. */
  readonly version: string;
}

const compress = promisify(gzip);

/** Compresses and names a content. */
export const pageFile = async ({
  mediaType,
  bytes: content,
  headers = {},
}: FileContent): Promise<PageFile> => {
  const bytes = Buffer.from(content);
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  const compressed = mediaType.startsWith('image/') ? undefined : await compress(bytes);
  return {
    headers: { 'Content-Type': mediaType, ...headers },
    bytes,
    compressed: compressed && compressed.length < bytes.length ? compressed : undefined,
    // Weak: both encodings carry the same one (RFC 9110 section 8.8.1).
    etag: `W/"${version}"`,
    version,
  };
};

/** RFC 9111 section 5.2.2 and RFC 8246: what is asked for by its version can be kept for ever, anything else is asked for again. */
const cachingOf = ({ version }: PageFile, query: string): string =>
  query === `v=${version}` ? 'public, max-age=31536000, immutable' : 'no-cache';

/** Answers with the file, or with 304 where the caller has it (RFC 9110 section 13.1.2). */
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

// Each is named in full, so that what a bundler or a reader looks for is found.
const files = {
  'swagger-ui-bundle.js': {
    place: require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    mediaType: 'text/javascript; charset=utf-8',
  },
  'swagger-ui.css': {
    place: require.resolve('swagger-ui-dist/swagger-ui.css'),
    mediaType: 'text/css; charset=utf-8',
  },
  'oauth2-redirect.js': {
    place: require.resolve('swagger-ui-dist/oauth2-redirect.js'),
    mediaType: 'text/javascript; charset=utf-8',
  },
} as const;

/** The name of such a file. */
type PackageFileName = keyof typeof files;

/** All names. */
export const packageFileNames = Object.keys(files) as readonly PackageFileName[];

/** Gives a file; each is read once, when it is first asked for. */
export type PackageFiles = (name: PackageFileName) => Promise<PageFile>;

/** Makes the reader of the files; one serves all services of the process. */
export const packageFiles = (): PackageFiles => {
  const known = new Map<PackageFileName, Promise<PageFile>>();
  const load = async (name: PackageFileName): Promise<PageFile> => {
    const { place, mediaType } = files[name];
    return pageFile({ mediaType, bytes: await readFile(place) });
  };
  return (name) => {
    const file = known.get(name) ?? load(name);
    known.set(name, file);
    // A file that could not be read now can be read later.
    file.catch(() => known.delete(name));
    return file;
  };
};
