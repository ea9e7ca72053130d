/** Makes what answers requests: a service for each document, and the list of them. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { html } from '../../base/html/html';
import { headLines, plainPageHeaders, styleElement } from '../../base/html/page-style';
import { defaultErrors } from '../../engine';
import { mockedOperations } from '../../host/handler-report';
import { type HandledService, servingHandlers } from '../../host/prepared-service';
import type { openServiceData, ServiceData } from '../../host/service-data';
import {
  findServices,
  giveUp,
  NodeExchange,
  type Routes,
  type ServiceLog,
} from '../../http/exchange';
import { sendFailure } from '../../http/failure';
import { HttpError, methodNotAllowed } from '../../http/http-error';
import { headFault, splitTarget } from '../../http/request';
import { type HttpResponse, send } from '../../http/send';
import { type MockOptions, mockCredentials } from '../../mock';
import type { Operation } from '../../model/operation';
import { openApiRouter } from '../../package';
import type { OverlayOptions } from '../command/command';
import type { ArchiveEntry } from '../command/har';
import { archivedResponses } from './archived-responses';

/** The settings by which documents are served. */
export interface ServeSettings extends MockOptions, OverlayOptions {
  readonly sources: readonly string[];
  readonly allowRemote?: boolean;
  /** The folder of the handlers; undefined: all operations are mocked. */
  readonly handlers?: string | undefined;
  readonly validateResponses?: boolean;
  readonly seed?: number;
  readonly archive?: readonly ArchiveEntry[] | undefined;
  readonly docs: boolean;
  readonly log: ServiceLog;
  /** Returns the address that the server is reached at. */
  readonly originOf: () => string;
  /** True: handlers get a database, also where they declare nothing that is kept. */
  readonly keepsData: boolean;
  readonly openData: () => ReturnType<typeof openServiceData>;
}

/** Serves a document; operations without a handler are mocked. */
export const serveService = async (
  service: HandledService<ServiceData | undefined>,
  settings: Omit<ServeSettings, 'sources'>,
) => {
  const { validateResponses = false, seed, delay = 0, faults = 0 } = settings;
  const { archive, docs, log, originOf } = settings;
  const { document, mocks, securityHandlers, data } = service;
  if (data !== undefined) await (await settings.openData()).fill({ ...service, data });
  const router = await openApiRouter(
    // Its diagnostics have been printed.
    { ...document, diagnostics: [] },
    Object.fromEntries(servingHandlers(service)),
    { ...mockCredentials(document), ...securityHandlers },
    {
      mocks: mocks && { delay, faults },
      memory: seed === undefined ? {} : { seed },
      validateResponses,
      log,
      docs: docs && { url: () => originOf() + document.basePath },
    },
  );
  // Undefined without an archive.
  const recorded = archive && archivedResponses(archive, document);
  const mocked: ReadonlySet<Operation> = new Set(mockedOperations(service));
  return { ...service, router, mocked, recorded };
};

/** A service that answers requests. */
export type ServedService = Awaited<ReturnType<typeof serveService>>;

const listPage =
  (
    served: readonly ServedService[],
    { docs, originOf }: Pick<ServeSettings, 'docs' | 'originOf'>,
  ) =>
  ({ headers: { accept = '' } }: IncomingMessage): HttpResponse => {
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
    const body = html`<!doctype html>
<html lang="en">
<head>
${headLines('Documents')}
${styleElement}
</head>
<body>
<main class="alone">
<h1>Documents</h1>
<ul>
${list}</ul>
</main>
</body>
</html>
`.html;
    const headers = { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' };
    return { status: 200, headers: { ...headers, ...plainPageHeaders }, body };
  };

const recordings = new WeakSet<ServerResponse>();

/** Tells whether an archive has given a response. */
export const isRecorded = (response: ServerResponse): boolean => recordings.has(response);

/** Makes what answers requests, by the service below whose base path they lie. */
export const listenerOf = (
  served: readonly ServedService[],
  settings: Pick<ServeSettings, 'docs' | 'originOf' | 'log'>,
): RequestListener => {
  const find = findServices(served);
  const list = listPage(served, settings);
  const paths = served.map(({ document }) => document.basePath);
  const below = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ' and others' : '');
  // Documents mostly have a server path, which callers leave out at first.
  const elsewhere = `No operation has this path: operations are served below ${below}`;
  const failure = { log: settings.log, writeError: defaultErrors() };
  return (request, response) => {
    const { url = '/', method = '' } = request;
    const fault = headFault(request);
    const found = fault === undefined ? find(url) : undefined;
    const routes: Routes = (_request, _response, next) => {
      if (splitTarget(url).path !== '/')
        next(found === undefined ? new HttpError(404, 'route-not-found', elsewhere) : undefined);
      else if (method !== 'GET' && method !== 'HEAD')
        next(methodNotAllowed({ Allow: 'GET, HEAD' }));
      else send(request, response, list(request)).catch(next);
    };
    const exchange = new NodeExchange(request, response, { routes, target: found?.target });
    const answer = (): Promise<void> => {
      if (fault !== undefined) {
        response.shouldKeepAlive = false;
        return Promise.reject(fault);
      }
      if (found === undefined) return exchange.passOn();
      const { recorded, router } = found.service;
      const answered = recorded?.answer(exchange);
      if (answered === undefined) return router.serve(exchange).catch(giveUp(response));
      recordings.add(response);
      return answered;
    };
    answer()
      .catch((error: unknown) => sendFailure(exchange, error, failure))
      .catch(giveUp(response));
  };
};
