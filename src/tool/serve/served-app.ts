/** Makes what answers requests: a service for each document, and the pages beside them. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { errorMessage } from '../../base/error-message';
import { html } from '../../base/html/html';
import { plainPageHeaders } from '../../base/html/page-style';
import { lazy } from '../../base/memoize';
import { withOptionalPackage } from '../../base/optional-package';
import { joinInSteps } from '../../base/run-in-steps';
import { type ApiDocument, defaultErrors, mockCredentials, openApiRouter } from '../../engine';
import {
  type HandlerModules,
  joinModules,
  type LoadedHandler,
  type LoadedModule,
} from '../../host/handler-modules';
import { withoutStop } from '../../host/handler-report';
import type { KeepingHandlers, KeptData } from '../../host/kept-data';
import { giveUp, NodeExchange, type Routes } from '../../http/exchange';
import { type ServiceLog, sendFailure } from '../../http/failure';
import { headFault } from '../../http/head-fault';
import { methodNotAllowed } from '../../http/http-error';
import { splitTarget, targetBelow } from '../../http/request';
import { type HttpResponse, send } from '../../http/send';
import type { Operation } from '../../model/operation';
import { docsContent, pageText } from './docs-page';

/** A document and its service. */
export interface ServedDocument {
  readonly document: ApiDocument;
  readonly router: Awaited<ReturnType<typeof openApiRouter>>;
  /** All that its modules have, what handles no operation among them. */
  readonly handlers: readonly LoadedHandler[];
  /** Sentences about modules of which handlers cannot be made. */
  readonly problems: readonly string[];
  /** The operations that mocks answer. */
  readonly mocked: ReadonlySet<Operation>;
}

/** Everything that answers requests at one time. */
export interface ServedApp {
  readonly served: readonly ServedDocument[];
  readonly listener: RequestListener;
}

/** The settings of an application. */
export interface AppSettings {
  readonly validateResponses?: boolean;
  /** The seed of the first items of mocks, and the file that keeps their items. */
  readonly memory: { readonly seed?: number; readonly file?: string };
  readonly docs: boolean;
  readonly log: ServiceLog;
  /** Returns the address that the server is reached at. */
  readonly origin: () => string;
  /** Opens what handlers keep, once. */
  readonly openData: () => Promise<KeptData>;
}

/** Opens what handlers keep; its packages are loaded where handlers declare collections alone. */
export const keptData = (url: string): Promise<KeptData> =>
  withOptionalPackage('knex', 'the storage of collections', async () => {
    const load = require('../../host/kept-data') as typeof import('../../host/kept-data');
    return load.openKeptData(url);
  });

/** Makes the handlers of modules, with what they keep if they keep anything. */
const makeHandlers = async (
  document: ApiDocument,
  modules: HandlerModules,
  { validateResponses = false, openData, origin }: AppSettings,
): Promise<KeepingHandlers> => {
  const keeps = Object.keys(modules.collections).length > 0 || modules.accounts !== undefined;
  if (keeps) {
    const data = await openData();
    return data.handlersOf(document, modules, validateResponses, origin);
  }
  const { handlers, failed } = modules.handlers({}, document.operations);
  const securityHandlers = await modules.securityHandlers();
  return { handlers, securityHandlers, problems: failed.map(({ reason }) => reason) };
};

/** Opens the service of a document; operations without a handler are mocked. */
const serveDocument = async (
  document: ApiDocument,
  modules: readonly LoadedModule[],
  settings: AppSettings,
): Promise<ServedDocument> => {
  const { validateResponses = false, memory, log } = settings;
  const joined = { exist: true, ...joinModules(modules, [], '') };
  const { handlers, securityHandlers, problems } = await makeHandlers(
    document,
    joined,
    settings,
  ).catch((error: unknown) => ({
    ...{ handlers: [], securityHandlers: {} },
    problems: [
      `${withoutStop(errorMessage(error))}. All operations of ${document.file} are mocked.`,
    ],
  }));
  const ids = new Set(document.operations.map(({ operationId }) => operationId));
  const used = handlers.filter(({ operationId }) => ids.has(operationId));
  const router = await openApiRouter(
    // Its diagnostics have been printed.
    { ...document, diagnostics: [] },
    Object.fromEntries(used.map(({ operationId, handler }) => [operationId, handler])),
    { ...mockCredentials(document), ...securityHandlers },
    { mocks: true, memory, validateResponses, log },
  );
  const mocked = new Set(router.operationsWithoutHandler);
  return { document, router, handlers, problems, mocked };
};

type Page = (request: IncomingMessage) => HttpResponse | Promise<HttpResponse>;

const htmlPage = (body: string): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept', ...plainPageHeaders },
  body,
});

const docsPage = ({ document, mocked }: ServedDocument, origin: () => string): Page =>
  lazy(async () => {
    const context = { mocked, url: origin() + document.basePath };
    const content = docsContent(document, context);
    return htmlPage(await joinInSteps(pageText(document.info.title, content)));
  });

/** Lists the documents, in HTML for browsers. */
const listPage =
  (served: readonly ServedDocument[], { docs, origin }: AppSettings): Page =>
  ({ headers: { accept = '' } }) => {
    const documents = served.map(({ document: { name, info, basePath } }) => {
      const url = origin() + basePath;
      const page = docs ? { docs: `${url}/docs/` } : {};
      return { name, title: info.title, url, openapi: `${url}/openapi.json`, ...page };
    });
    if (!/\btext\/html\b/.test(accept)) {
      const headers = { 'Content-Type': 'application/json', Vary: 'Accept' };
      return { status: 200, headers, body: `${JSON.stringify({ documents }, undefined, 2)}\n` };
    }
    const list = documents.map(
      ({ title, url, openapi, docs: page = openapi }) =>
        html`<li><a href="${page}">${title}</a> <code>${url}</code></li>\n`,
    );
    const content = [html`<h1>Documents</h1>\n<ul>\n${list}</ul>\n`];
    return htmlPage([...pageText('Documents', content)].join(''));
  };

const pagesOf = (
  served: readonly ServedDocument[],
  settings: AppSettings,
): ReadonlyMap<string, Page> => {
  const docs = served.flatMap((one): [string, Page][] => {
    const path = `${one.document.basePath}/docs`;
    const redirect = { status: 308, headers: { Location: `${path}/` }, body: undefined };
    return [
      [path, () => redirect],
      [`${path}/`, docsPage(one, settings.origin)],
    ];
  });
  return new Map([['/', listPage(served, settings)], ...(settings.docs ? docs : [])]);
};

const routesTo =
  (pages: ReadonlyMap<string, Page>): Routes =>
  (request, response, next) => {
    const { url = '/', method = '' } = request;
    const page = pages.get(splitTarget(url).path);
    if (page === undefined) next();
    else if (method !== 'GET' && method !== 'HEAD') next(methodNotAllowed({ Allow: 'GET, HEAD' }));
    else
      Promise.resolve(page(request))
        .then((made) => send(request, response, made))
        .catch(next);
  };

/**
 * Makes the application.
 *
 * @param modulesOf gives the modules of a document's handlers
 * @param before services that stay as they are where their documents do
 */
export const servedApp = async (
  documents: readonly ApiDocument[],
  modulesOf: (document: ApiDocument) => readonly LoadedModule[],
  settings: AppSettings,
  before: readonly ServedDocument[],
): Promise<ServedApp> => {
  const served = await Promise.all(
    documents.map(
      (document) =>
        before.find((one) => one.document === document) ??
        serveDocument(document, modulesOf(document), settings),
    ),
  );
  const longestFirst = served.toSorted(
    (one, other) => other.document.basePath.length - one.document.basePath.length,
  );
  const routes = routesTo(pagesOf(served, settings));
  const failure = { log: settings.log, writeError: defaultErrors() };
  const exchangeOf = (request: IncomingMessage, response: ServerResponse, target?: string) =>
    new NodeExchange(request, response, undefined, routes, target);
  const listener: RequestListener = (request, response) => {
    const fault = headFault(request);
    if (fault !== undefined) {
      response.shouldKeepAlive = false;
      sendFailure(exchangeOf(request, response), fault, failure).catch(giveUp(response));
      return;
    }
    for (const { document, router } of longestFirst) {
      const target = targetBelow(document.basePath, request.url ?? '/');
      if (target === undefined) continue;
      router.serve(exchangeOf(request, response, target)).catch(giveUp(response));
      return;
    }
    const exchange = exchangeOf(request, response);
    exchange
      .passOn()
      .catch((error: unknown) => sendFailure(exchange, error, failure))
      .catch(giveUp(response));
  };
  return { served, listener };
};
