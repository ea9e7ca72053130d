/**
 * Serves the documentation of a service below `/docs`: only the files listed here, and only for reading. A file is ready to be sent:
 * its bytes, the same compressed, and how caches may keep it.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import Negotiator from 'negotiator';
import { markdownType, prefersMarkdown } from '../../base/media-type';
import { joinInSteps } from '../../base/run-in-steps';
import { usableJson } from '../../document/document-texts';
import type { ApiDocument } from '../../engine';
import { methodNotAllowed } from '../../http/http-error';
import { splitTarget } from '../../http/request';
import { send } from '../../http/send';
import type { Operation } from '../../model/operation';
import { type MarkdownService, serviceMarkdown } from '../../requests/service-markdown';
import { prefersHtml } from './error-page';
import { browserEdits, type DemoCredentials, knownScopes } from './swagger-ui/browser-document';
import {
  browserPage,
  browserPageHeaders,
  browserScript,
  browserStyle,
  redirectPage,
  redirectPageHeaders,
  type Versions,
} from './swagger-ui/browser-page';

type Headers = Readonly<Record<string, string>>;

const pageFile = async (content: string | Uint8Array, headers: Headers) => {
  const bytes = Buffer.from(content);
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  const compressed = await promisify(gzip)(bytes);
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

/**
 * Responds with the file, or with 304 where the caller has it (RFC 9110 section 13.1.2).
 * @param choosing the request headers by which the file was chosen
 */
export const sendPageFile = (
  request: Request,
  response: Response,
  file: PageFile,
  query: string,
  choosing: readonly string[] = [],
): void => {
  const { compressed, bytes, etag } = file;
  // `fresh` compares the request with what the response carries.
  response.setHeader('ETag', etag);
  const isGzipped =
    compressed !== undefined && new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip';
  const varying = [...choosing, ...(compressed === undefined ? [] : ['Accept-Encoding'])];
  const vary = varying.length > 0 ? { Vary: varying.join(', ') } : {};
  // RFC 9111 section 5.2.2 and RFC 8246: what is asked for by its version can be kept for ever, anything else is asked for again.
  const isVersioned = query === `v=${file.version}`;
  const caching = isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache';
  const lasting = { 'Cache-Control': caching, ...vary };
  if (request.fresh) {
    send(request, response, { status: 304, headers: lasting, body: undefined });
    return;
  }
  const coding = isGzipped ? { 'Content-Encoding': 'gzip' } : {};
  const headers = { ...file.headers, ...lasting, ...coding };
  send(request, response, { status: 200, headers, body: isGzipped ? compressed : bytes });
};

const scriptType = 'text/javascript; charset=utf-8';
const styleType = 'text/css; charset=utf-8';

/** Reads the stylesheet of Swagger UI, which names `sans-serif` in dozens of rules, with the typeface of the other pages. */
const readStylesheet = async (): Promise<string> => {
  const css = await readFile(require.resolve('swagger-ui-dist/swagger-ui.css'), 'utf8');
  return css.replaceAll('font-family:sans-serif', 'font-family:system-ui,sans-serif');
};

const packageScript = (name: string) =>
  [name, fileOf(scriptType, () => readFile(require.resolve(`swagger-ui-dist/${name}`)))] as const;

/** The files of Swagger UI's package that its page needs, each named in full; no others can be asked for. */
const packageFiles: readonly (readonly [name: string, make: MakeFile])[] = [
  packageScript('swagger-ui-bundle.js'),
  ['swagger-ui.css', fileOf(styleType, readStylesheet)],
  packageScript('oauth2-redirect.js'),
];

/** The demo credentials, which are offered while they are in force. */
export interface DemoOffer extends DemoCredentials {
  isInForce(): Promise<boolean>;
}

const pageType = 'text/html; charset=utf-8';

const filesOf = (
  document: ApiDocument,
  isMocked: (operation: Operation) => boolean,
  demo: DemoOffer,
): ReadonlyMap<string, MakeFile> => {
  const manyOperations = 60;
  const closed = document.operations.length > manyOperations;
  const script = () => browserScript(closed, knownScopes(document));
  const assets: readonly (readonly [string, MakeFile])[] = [
    ...packageFiles,
    ['browser.js', fileOf(scriptType, script)],
    ['browser.css', fileOf(styleType, () => browserStyle)],
  ];
  const versions = async (): Promise<Versions> =>
    Object.fromEntries(
      await Promise.all(assets.map(async ([name, make]) => [name, (await make()).version])),
    );
  const definition = (offered?: DemoCredentials): MakeFile =>
    fileOf('application/json', () =>
      joinInSteps(usableJson(document, browserEdits(document, isMocked, offered))),
    );
  const [plain, withDemo] = [definition(), definition(demo)];
  const page = async (): Promise<string> => browserPage(document, await versions()).html;
  const redirect = async (): Promise<string> => redirectPage(await versions()).html;
  return new Map([
    ...assets,
    ['', fileOf(pageType, page, browserPageHeaders)],
    ['oauth2-redirect.html', fileOf(pageType, redirect, redirectPageHeaders)],
    ['openapi.json', async () => ((await demo.isInForce()) ? withDemo : plain)()],
  ]);
};

const root = '/docs';

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Pages of every origin may read it (Fetch Standard, CORS protocol). */
export const readByAll: Headers = { 'Access-Control-Allow-Origin': '*' };

/**
 * Makes the handler; browsers are led from the base path to the pages; `/docs` itself leads to `/docs/`, below which all addresses of the
 * pages are relative. `/docs.md` is the same as Markdown, as `/docs/` is where Accept prefers that.
 */
export const docsRoutes = (service: MarkdownService, demo: DemoOffer): RequestHandler => {
  const { document, isMocked } = service;
  const files = filesOf(document, isMocked, demo);
  const markdown = fileOf(markdownType, () => joinInSteps(serviceMarkdown(service)), readByAll);
  const fileAt = (path: string, accept: string | undefined): MakeFile | undefined => {
    const isPage = path === `${root}/`;
    if (path === '/docs.md' || (isPage && prefersMarkdown(accept))) return markdown;
    return path.startsWith(`${root}/`) ? files.get(path.slice(root.length + 1)) : undefined;
  };
  return async (request, response, next) => {
    const { path, query } = splitTarget(request.url);
    if (path === '/' && isRead(request.method) && prefersHtml(request.headers.accept)) {
      const headers = { Location: `${document.basePath}${root}/`, Vary: 'Accept' };
      return void send(request, response, { status: 307, headers, body: undefined });
    }
    const make = fileAt(path, request.headers.accept);
    if (make === undefined && path !== root) return next();
    if (!isRead(request.method)) {
      throw methodNotAllowed({ Allow: 'GET, HEAD' }, 'The documentation can only be read');
    }
    if (make !== undefined) {
      const choosing = path === `${root}/` ? ['Accept'] : [];
      return sendPageFile(request, response, await make(), query, choosing);
    }
    const headers = { Location: 'docs/' };
    send(request, response, { status: 308, headers, body: undefined });
  };
};
