/** Serves the documentation of a service below `/docs`: only the files listed here, and only for reading. */

import type { Request, RequestHandler } from 'express';
import { joinInSteps } from '../../base/run-in-steps';
import { usableJson } from '../../document/document-texts';
import type { ApiDocument } from '../../engine';
import { methodNotAllowed } from '../../http/http-error';
import { splitTarget } from '../../http/request';
import { send } from '../../http/send';
import type { Operation } from '../../model/operation';
import { prefersHtml } from './error-page';
import {
  fileOf,
  type MakeFile,
  packageFiles,
  scriptType,
  sendPageFile,
  styleType,
} from './page-file';
import { browserEdits, type DemoCredentials, knownScopes } from './swagger-ui/browser-document';
import {
  browserPage,
  browserPageHeaders,
  browserStyle,
  redirectPage,
  redirectPageHeaders,
  type Versions,
} from './swagger-ui/browser-page';
import { browserScript } from './swagger-ui/browser-script';

const manyOperations = 60;

/** The demo credentials, which are offered while they are in force. */
export interface DemoOffer extends DemoCredentials {
  isInForce(): Promise<boolean>;
}

const pageType = 'text/html; charset=utf-8';

/** Every file by its name below `/docs/`. */
const filesOf = (
  document: ApiDocument,
  isMocked: (operation: Operation) => boolean,
  demo: DemoOffer,
): ReadonlyMap<string, MakeFile> => {
  const closed = document.operations.length > manyOperations;
  const script = () => browserScript({ closed, scopes: knownScopes(document) });
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
    fileOf('application/json', () => {
      const edits = browserEdits(document, isMocked, offered);
      return joinInSteps(usableJson(document, edits));
    });
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

const wantsPage = ({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean =>
  isRead(method) && prefersHtml(headers.accept);

/** A file of the documentation; undefined for anything else. */
const fileAt = (path: string, files: ReadonlyMap<string, MakeFile>): MakeFile | undefined =>
  path.startsWith(`${root}/`) ? files.get(path.slice(root.length + 1)) : undefined;

/** Makes the handler; browsers are led from the base path to the pages; `/docs` itself leads to `/docs/`, below which all addresses of the pages are relative. */
export const docsRoutes = (
  document: ApiDocument,
  isMocked: (operation: Operation) => boolean,
  demo: DemoOffer,
): RequestHandler => {
  const files = filesOf(document, isMocked, demo);
  return async (request, response, next) => {
    const { path, query } = splitTarget(request.url);
    if (path === '/' && wantsPage(request)) {
      const headers = { Location: `${document.basePath}${root}/`, Vary: 'Accept' };
      return void send(request, response, { status: 307, headers, body: undefined });
    }
    const make = fileAt(path, files);
    if (make === undefined && path !== root) return next();
    if (!isRead(request.method)) {
      throw methodNotAllowed({ Allow: 'GET, HEAD' }, 'The documentation can only be read');
    }
    if (make !== undefined) return sendPageFile(request, response, await make(), query);
    const headers = { Location: 'docs/' };
    send(request, response, { status: 308, headers, body: undefined });
  };
};
