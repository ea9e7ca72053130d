/** Serves the documentation of a service below `/docs`: only the files listed here, and only for reading. */

import type { RequestHandler } from 'express';
import {
  type ApiDocument,
  methodNotAllowed,
  type Operation,
  send,
  splitTarget,
} from '../../engine';
import type { Html } from '../html/html';
import { type PackageFiles, packageFileNames } from './package-files';
import { plainPageHeaders } from './page/page-style';
import { type FileContent, type PageFile, pageFile, sendPageFile } from './page-file';
import { operationAnchors } from './reference/anchors';
import type { WriteExample } from './reference/reference';
import { referencePage } from './reference/reference-page';
import { browserDocument, knownScopes } from './swagger-ui/browser-document';
import {
  browserPage,
  browserPageHeaders,
  redirectPage,
  redirectPageHeaders,
  type Versions,
} from './swagger-ui/browser-page';
import { browserScript } from './swagger-ui/browser-script';
import { browserStyle } from './swagger-ui/browser-style';

/** What the documentation is made with. */
export interface DocsTools {
  /** Any value of the document as JSON, to the last digit. */
  readonly writeJson: (value: unknown) => string;
  readonly writeExample: WriteExample;
  readonly packageFiles: PackageFiles;
  /** The origin under which callers reach the program. */
  readonly origin: string;
  /** Whether an operation has a mock in place of a handler. */
  readonly isMocked: (operation: Operation) => boolean;
}

type MakeFile = () => Promise<PageFile>;

/** Made at first use, once; what failed can be tried again. */
const onceMade = (make: MakeFile): MakeFile => {
  let made: Promise<PageFile> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};

const manyOperations = 60;

const file =
  (mediaType: string, make: () => string): MakeFile =>
  () =>
    pageFile({ mediaType, bytes: make() });

const page =
  (headers: FileContent['headers'], make: () => Promise<Html>): MakeFile =>
  async () => {
    const { html } = await make();
    return pageFile({ mediaType: 'text/html; charset=utf-8', bytes: html, headers: headers ?? {} });
  };

/** Every file by its name below `/docs/`. */
const filesOf = (
  document: ApiDocument,
  { writeJson, writeExample, packageFiles, origin, isMocked }: DocsTools,
): ReadonlyMap<string, MakeFile> => {
  const closed = document.operations.length > manyOperations;
  const assets = new Map<string, MakeFile>([
    ...packageFileNames.map((name) => [name, () => packageFiles(name)] as const),
    [
      'browser.js',
      file('text/javascript; charset=utf-8', () =>
        browserScript({ closed, scopes: knownScopes(document) }),
      ),
    ],
    ['browser.css', file('text/css; charset=utf-8', () => browserStyle)],
  ]);
  for (const [name, make] of assets) assets.set(name, onceMade(make));
  const versions = async (): Promise<Versions> =>
    Object.fromEntries(
      await Promise.all(
        [...assets].map(async ([name, make]) => [name, (await make()).version] as const),
      ),
    );
  const pages: readonly (readonly [string, MakeFile])[] = [
    ['', page(browserPageHeaders, async () => browserPage(document, await versions()))],
    ['oauth2-redirect.html', page(redirectPageHeaders, async () => redirectPage(await versions()))],
    [
      'reference',
      page(plainPageHeaders, () =>
        referencePage({
          document,
          address: origin + document.basePath,
          writeExample,
          isMocked,
          anchorOf: operationAnchors(document.operations),
        }),
      ),
    ],
    [
      'openapi.json',
      file('application/json', () => writeJson(browserDocument(document, isMocked))),
    ],
  ];
  return new Map([...assets, ...pages.map(([name, make]) => [name, onceMade(make)] as const)]);
};

const root = '/docs';

/** Makes the handler; `/docs` itself leads to `/docs/`, below which all addresses of the pages are relative. */
export const docsRoutes = (document: ApiDocument, tools: DocsTools): RequestHandler => {
  const files = filesOf(document, tools);
  return async (request, response, next) => {
    const { path, query } = splitTarget(request.url);
    const make = path.startsWith(`${root}/`) ? files.get(path.slice(root.length + 1)) : undefined;
    if (make === undefined && path !== root) return next();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw methodNotAllowed('GET, HEAD', 'The documentation can only be read');
    }
    if (make !== undefined) return sendPageFile(request, response, await make(), query);
    const headers = { Location: 'docs/' };
    send(request, response, { status: 308, headers, body: undefined });
  };
};
