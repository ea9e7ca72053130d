/** Builds the application: services become one listener, whose layers stand in a list. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { lazy } from '../base/memoize';
import type { Diagnostic } from '../document/diagnostics/diagnostic';
import { type ApiDocument, defaultErrors, routeTable } from '../engine';
import { type App, endAll } from '../host/app';
import { problemsOf } from '../host/documents';
import type { HandledService } from '../host/prepared-service';
import type { ServiceData } from '../host/service-data';
import { findServices, giveUp, NodeExchange, type Routes } from '../http/exchange';
import { sendFailure } from '../http/failure';
import { HttpError } from '../http/http-error';
import { originForm, splitTarget } from '../http/request';
import type { AppContext } from './app-context';
import { errorPage } from './docs/error-page';
import { clientBehind, strictTransport } from './http/client-of';
import { type Layer, layered } from './http/layer';
import { loadPages, type MountedService, mountedService } from './mounted-service';
import { accessLog } from './observability/access-log';

/** An application that serves. */
export interface ServingApp extends App<MountedService> {
  /** Makes what serves every request; requests that still wait in the queue go there, too. */
  connect(): RequestListener;
  /** Begins the jobs of its handlers. */
  start(): void;
  /** Begins no more of them, since another application serves, or the server stops. */
  stop(): void;
  /** Ends its handlers when its last request has ended. */
  end(): Promise<void>;
  readonly documents: readonly ApiDocument[];
  /** Problems of the documents, also of those that are not served, or not as their files say. */
  readonly problems: readonly Diagnostic[];
}

/**
 * Makes the layer of services. As Express does for what is mounted, it leaves the rest of the path in `request.url`; but it compares
 * texts, where Express matches a pattern per service.
 */
const mounts = (services: readonly MountedService[]): Layer => {
  const find = findServices(services);
  return (next) => (request, response) => {
    const found = find(originForm(request.url ?? '/'));
    if (found !== undefined) request.url = found.target;
    const listener = found?.service.listener ?? next;
    listener(request, response);
  };
};

/** Makes the layer of the operations of a service at the root, without its other routes. */
const rootOperations =
  ({ document, listener }: MountedService): Layer =>
  (next) => {
    const find = routeTable(document.operations);
    return (request, response) => {
      const { path } = splitTarget(originForm(request.url ?? '/'));
      const chosen = find(path) === undefined ? next : listener;
      chosen(request, response);
    };
  };

/** Sends the response to what failed outside of any service. */
type Fail = (error: unknown, request: IncomingMessage, response: ServerResponse) => void;

const serverPages =
  (pages: () => Routes, fail: Fail): Layer =>
  (next) =>
  (request, response) =>
    pages()(request, response, (error?: unknown) => {
      if (error === undefined) next(request, response);
      else fail(error, request, response);
    });

/** Builds the application; it does not listen yet. */
export const buildApp = async (
  prepared: App<HandledService<ServiceData>>,
  context: AppContext,
): Promise<ServingApp> => {
  const { config, log, metrics, headCheck, requestQueue, spans } = context;
  const services = prepared.services.map((service) => mountedService(service, context));
  for (const { storage } of services) await storage.fillIndexes();
  const servedBy = new Map(
    services.flatMap((service) =>
      service.document.operations.map((operation) => [operation, service]),
    ),
  );
  const clientOf = clientBehind(config.trustedProxies);
  let inFlight = 0;
  let isIdle = (): void => undefined;
  const counted = {
    requests: metrics.requests,
    countInFlight(change: 1 | -1): void {
      metrics.countInFlight(change);
      inFlight += change;
      if (inFlight === 0) isIdle();
    },
  };
  const logEach = accessLog(log, counted, {
    isMocked: (operation) => servedBy.get(operation)?.mocked.has(operation) === true,
    serviceOf: (operation) => servedBy.get(operation)?.name,
    clientOf,
    beginSpan: spans?.begin,
  });
  const atRoot = services.filter(({ basePath }) => basePath === '');
  const elsewhere = services.filter(({ basePath }) => basePath !== '');
  const help = { address: `${config.operatorPath}/`, text: 'All services' };
  const failure = { log, writeError: defaultErrors(), errorPage: errorPage('Services', help) };
  const fail: Fail = (error, request, response) => {
    const exchange = new NodeExchange(request, response, { clientOf });
    sendFailure(exchange, error, failure).catch(giveUp(response));
  };
  const pages = lazy(() => loadPages().serverPages(services, prepared, context));
  const layers: readonly Layer[] = [
    // A malformed head, another host: 400, 417, 421, 501.
    headCheck,
    // Requests that arrive together, in turn; 503 where they have waited for too long.
    requestQueue,
    // A line and a measurement for each.
    logEach,
    strictTransport(config.trustedProxies),
    // Services by base path: CORS, operations, documentation, files, sign-in.
    mounts(elsewhere),
    // A document at the root goes before the pages of the server with its operations, and behind them with all else.
    ...atRoot.map(rootOperations),
    serverPages(pages, fail),
    mounts(atRoot),
  ];
  const notFound: RequestListener = (request, response) =>
    fail(new HttpError(404, 'route-not-found', 'Not found'), request, response);
  return {
    ...prepared,
    connect: () => layered(layers, notFound),
    start() {
      for (const { lifetimes } of services) lifetimes.start();
    },
    stop() {
      for (const { lifetimes } of services) lifetimes.stop();
    },
    async end() {
      if (inFlight > 0) {
        await new Promise<void>((resolve) => {
          isIdle = resolve;
        });
      }
      await Promise.all(services.map(({ settled }) => settled()));
      await endAll(services);
    },
    documents: services.map(({ document }) => document),
    problems: [...problemsOf(prepared.states), ...services.flatMap(({ problems }) => problems)],
    services,
  };
};

/**
 * Builds the application, and does what comes before its first request; where either fails, its handlers end.
 * @param seed - called with the application
 */
export const openApp = async (
  prepared: App<HandledService<ServiceData>>,
  context: AppContext,
  seed: (app: ServingApp) => Promise<unknown>,
): Promise<ServingApp> => {
  try {
    const app = await buildApp(prepared, context);
    await seed(app);
    return app;
  } catch (error) {
    await endAll(prepared.services);
    throw error;
  }
};
