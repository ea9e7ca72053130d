/** Makes what answers requests: a service for each document, and the pages beside them. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { html } from '../../base/html/html';
import { plainPageHeaders } from '../../base/html/page-style';
import { lazy } from '../../base/memoize';
import { joinInSteps } from '../../base/run-in-steps';
import { defaultErrors } from '../../engine';
import { mockedOperations } from '../../host/handler-report';
import { type PreparedService, servingHandlers } from '../../host/prepared-service';
import type { openServiceData } from '../../host/service-data';
import { giveUp, NodeExchange, type Routes } from '../../http/exchange';
import { type ServiceLog, sendFailure } from '../../http/failure';
import { headFault } from '../../http/head-fault';
import { methodNotAllowed } from '../../http/http-error';
import { splitTarget, targetBelow } from '../../http/request';
import { type HttpResponse, send } from '../../http/send';
import { mockCredentials } from '../../mock';
import type { Operation } from '../../model/operation';
import { openApiRouter } from '../../package';
import { docsContent, pageText } from './docs-page';

type ServiceData = Awaited<ReturnType<typeof openServiceData>>;

/** A service that answers requests. */
export interface ServedService extends PreparedService {
  readonly router: Awaited<ReturnType<typeof openApiRouter>>;
  /** The operations that mocks answer. */
  readonly mocked: ReadonlySet<Operation>;
}

/** The settings by which documents are served. */
export interface ServeSettings {
  readonly validateResponses?: boolean;
  /** The seed of the first items of mocks, and the file that keeps their items. */
  readonly memory: { readonly seed?: number; readonly file?: string };
  readonly docs: boolean;
  readonly log: ServiceLog;
  /** Returns the address that the server is reached at. */
  readonly originOf: () => string;
  /** Opens what handlers keep, once. */
  readonly openData: () => Promise<ServiceData>;
}

/** Serves a document; operations without a handler are mocked. */
export const serveService = async (
  service: PreparedService,
  { validateResponses = false, memory, log, openData }: ServeSettings,
): Promise<ServedService> => {
  const { document, modules, mocks, securityHandlers } = service;
  const keeps = Object.keys(modules.collections).length > 0 || modules.accounts !== undefined;
  if (keeps) await (await openData()).connect(service);
  const router = await openApiRouter(
    // Its diagnostics have been printed.
    { ...document, diagnostics: [] },
    Object.fromEntries(servingHandlers(service)),
    { ...mockCredentials(document), ...securityHandlers },
    { mocks, memory, validateResponses, log },
  );
  return { ...service, router, mocked: new Set(mockedOperations(service)) };
};

type Page = (request: IncomingMessage) => HttpResponse | Promise<HttpResponse>;

const htmlPage = (body: string): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept', ...plainPageHeaders },
  body,
});

const docsPage = ({ document, mocked }: ServedService, originOf: () => string): Page =>
  lazy(async () => {
    const context = { mocked, url: originOf() + document.basePath };
    const content = docsContent(document, context);
    return htmlPage(await joinInSteps(pageText(document.info.title, content)));
  });

/** Lists the documents, in HTML for browsers. */
const listPage =
  (served: readonly ServedService[], { docs, originOf }: ServeSettings): Page =>
  ({ headers: { accept = '' } }) => {
    const documents = served.map(({ document: { name, info, basePath } }) => {
      const url = originOf() + basePath;
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
  served: readonly ServedService[],
  settings: ServeSettings,
): ReadonlyMap<string, Page> => {
  const docs = served.flatMap((one): [string, Page][] => {
    const path = `${one.document.basePath}/docs`;
    const redirect = { status: 308, headers: { Location: `${path}/` }, body: undefined };
    return [
      [path, () => redirect],
      [`${path}/`, docsPage(one, settings.originOf)],
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

/** Makes what answers requests, by the service below whose base path they lie. */
export const listenerOf = (
  served: readonly ServedService[],
  settings: ServeSettings,
): RequestListener => {
  const longestFirst = served.toSorted(
    (one, other) => other.document.basePath.length - one.document.basePath.length,
  );
  const routes = routesTo(pagesOf(served, settings));
  const failure = { log: settings.log, writeError: defaultErrors() };
  const exchangeOf = (request: IncomingMessage, response: ServerResponse, target?: string) =>
    new NodeExchange(request, response, undefined, routes, target);
  return (request, response) => {
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
};
