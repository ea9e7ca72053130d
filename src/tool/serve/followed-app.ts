/** Keeps what is served up to date with the files of documents and handlers, and says what is served and what is wrong. */

import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { errorMessage } from '../../base/error-message';
import { printable } from '../../base/text/printable';
import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import { uriOf } from '../../document/source/source-files';
import { type App, type AppSettings, endAll, handleApp, placesOf, readApp } from '../../host/app';
import { isFolder, problemLines, problemsOf } from '../../host/documents';
import { byImport, handlerLoader } from '../../host/module-loader';
import { newlyRefused, stateFault } from '../../host/reload-result';
import { listenerOf, type ServedService, type ServeSettings, serveService } from './served-service';

/** Loads the comparison of documents, which only edits need: a server starts without it. */
const contract = () => require('../../contract') as typeof import('../../contract');

const checkCommand = 'spec-first check';

/** Seconds that the handlers have for their end. */
const endSeconds = 5;

/** Lists what there is to say of documents: problems that they did not have before, and those that were not taken up. */
const documentLines = (before: App['states'], now: App['states']): readonly string[] => {
  const known = new Set(problemsOf(before).map(({ message }) => message));
  const problems = problemsOf(now).filter(({ message }) => !known.has(message));
  const refused = newlyRefused(before, now);
  return [
    ...problemLines(problems, checkCommand),
    ...refused.map(({ file, state }) => `${file} ${stateFault(state)}`),
  ];
};

const handlerLines = ({ handlerFindings, services }: App): readonly string[] => {
  const behind = services.flatMap(({ modules }) => modules.behind);
  const lines = [
    ...handlerFindings.map(({ message }) => message),
    ...behind.map(({ reason }) => `${reason}; its last good version is used`),
  ];
  return [...new Set(lines)];
};

const servedLine = (
  { document, mocked, recorded, securityHandlers }: ServedService,
  { docs, originOf }: ServeSettings,
): string => {
  const { file, basePath, operations } = document;
  const url = originOf() + basePath;
  const mocks = mocked.size > 0 ? `, ${mocked.size} of them mocked` : '';
  const isAny = document.securitySchemes.size > 0 && Object.keys(securityHandlers).length === 0;
  const access = isAny ? ', with any credential of its kinds' : '';
  const page = docs ? `, documentation at ${url}/docs/` : '';
  const count = operations.length === 1 ? '1 operation' : `${operations.length} operations`;
  const responses = recorded?.count === 1 ? 'response' : 'responses';
  const archive = recorded ? `, ${recorded.count} recorded ${responses}` : '';
  return printable(`${file}: ${url} (${count}${mocks}${archive}${access})${page}`);
};

/**
 * Reads the documents and handlers for the first time, and makes what serves them as they are now.
 * @param output says what is served, and what is wrong
 * @throws Error if no document can be served, or there is no such folder of handlers
 */
export const followedApp = async (
  settings: ServeSettings,
  output: Readonly<Record<'tell' | 'warn', (line: string) => void>>,
) => {
  const { tell, warn } = output;
  const { handlers, sources, overlay: overlays, allowRemote, originOf } = settings;
  const { validateResponses = false, log } = settings;
  if (handlers !== undefined && !isFolder(handlers))
    throw new Error(
      `There is no folder ${handlers}. Name one with modules of handlers; \`stubs\` writes such a module.`,
    );
  const loader = handlers === undefined ? undefined : handlerLoader(handlers, byImport, true);
  const appSettings: AppSettings = {
    ...{ sources, overlays, handlersDirectory: handlers, loadHandlers: loader?.load, originOf },
    ...{ lenient: true, checkCommand, allowRemoteReferences: allowRemote, validateResponses },
    ...{ log, clock: Date.now },
    ...{ listsInvalid: false, mockMissingHandlers: true, mockCredentials: true, demoData: true },
  };

  const load = async (
    before?: App<ServedService>,
    changed: readonly string[] = [],
  ): Promise<App<ServedService>> => {
    const read = await readApp(appSettings, before, { changed: changed.map(uriOf) });
    const prepared = await handleApp(appSettings, read, async (service) => {
      const { collections, migrations } = service.modules;
      const keeps = Object.keys(collections).length + migrations.length > 0 || service.accounts;
      return keeps || settings.keepsData ? (await settings.openData()).connect(service) : undefined;
    });
    const services: ServedService[] = [];
    for (const service of prepared.services) {
      services.push('router' in service ? service : await serveService(service, settings));
    }
    return { ...prepared, services };
  };

  let app = await load();
  let listener = listenerOf(app.services, settings);
  const inFlight = new Set<ServerResponse>();
  const serve: RequestListener = (request, response) => {
    inFlight.add(response);
    response.on('close', () => inFlight.delete(response));
    listener(request, response);
  };
  /** Services that serve no more, until their handlers have ended. */
  const ending = new Set<Promise<void>>();
  const end = (services: readonly ServedService[]): void => {
    for (const { lifetimes } of services) lifetimes.stop();
    const idle = Promise.all([...inFlight].map((response) => once(response, 'close')));
    const ended = idle
      .then(() => Promise.all(services.map(({ router }) => router.settled())))
      .then(() => endAll(services))
      .finally(() => ending.delete(ended));
    ending.add(ended);
  };
  const start = (services: readonly ServedService[]): void => {
    for (const { lifetimes } of services) lifetimes.start();
  };
  start(app.services);
  let saidBefore = handlerLines(app);
  let announced: readonly ServedService[] = [];
  [...documentLines([], app.states), ...saidBefore].forEach(warn);

  const precompile = async ({ router }: ServedService, signal: AbortSignal): Promise<void> => {
    const problems: Diagnostic[] = [];
    await router.precompile(signal, (problem) => problems.push(problem));
    problemLines(problems, checkCommand).forEach(warn);
  };

  return {
    get services() {
      return app.services;
    },
    listener: serve,
    /** Reads the documents and handlers again whose files have changed. Requests under way end as they began. */
    async update(changed: readonly string[]): Promise<void> {
      const areHandled = loader?.forget(changed) === true;
      const before = app;
      app = await load(before, changed);
      listener = listenerOf(app.services, settings);
      const isNew = (service: ServedService) => !before.services.includes(service);
      end(before.services.filter((service) => !app.services.includes(service)));
      start(app.services.filter(isNew));
      const lines = handlerLines(app);
      documentLines(before.states, app.states).forEach(warn);
      // Those that were said before are said again where handlers were saved.
      lines.filter((line) => areHandled || !saidBefore.includes(line)).forEach(warn);
      saidBefore = lines;
    },
    /** Says what is new, and compiles it between requests, until the signal. */
    announce(signal: AbortSignal): void {
      for (const service of app.services.filter((each) => !announced.includes(each))) {
        const { document } = service;
        const past = announced.find((each) => each.document.file === document.file);
        tell(servedLine(service, settings));
        const account = past && contract().editAccount(past.document, document);
        account?.map(printable).forEach(tell);
        precompile(service, signal).catch((error: unknown) => warn(errorMessage(error)));
      }
      for (const { document } of announced) {
        if (app.services.some((service) => service.document.file === document.file)) continue;
        tell(`${document.file}: no longer served`);
      }
      announced = app.services;
    },
    /** Ends the handlers of all services; those that hang are left. */
    async end(): Promise<void> {
      end(app.services);
      await Promise.race([
        Promise.all(ending),
        setTimeout(endSeconds * 1000, undefined, { ref: false }),
      ]);
    },
    places: () => placesOf(appSettings, app),
  };
};
