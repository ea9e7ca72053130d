/** Serves documents: starts, prints each request, follows what is saved, and stops in order. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../base/error-message';
import { inTurn } from '../../base/in-turn';
import { printable } from '../../base/text/printable';
import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import { isRemote, uriOf } from '../../document/source/source-files';
import { outcomeOf } from '../../http/exchange';
import type { ServiceLog } from '../../http/failure';
import { reasonsOf } from '../../http/http-error';
import { drain, listen } from '../../http/listening';
import { splitTarget } from '../../http/request';
import { painter, paintReport, type ToolContext } from '../command/command';
import { type HandlerModules, handlerLoader } from './handler-modules';
import { isFolder, problemLines, readDocuments } from './read-documents';
import { type ServedApp, type ServedDocument, servedApp } from './served-app';
import { changedFiles, readContents, type WatchedPlaces, watchFiles } from './watched-files';

/** The settings of a server. */
export interface ServerSettings {
  /** Files, folders and URLs of documents. */
  readonly sources: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly watch: boolean;
  /** The folder of the handlers; undefined: all operations are mocked. */
  readonly handlers: string | undefined;
  /** The file that keeps what mocks remember. */
  readonly state: string | undefined;
  readonly validateResponses: boolean;
  readonly allowRemote: boolean;
  readonly docs: boolean;
}

/** A server that listens. */
export interface RunningServer {
  readonly origin: string;
  /** Stops listening, lets requests under way end. */
  stop(): Promise<void>;
}

type Paint = ReturnType<typeof painter>;

const statusStyle = (status: number): Parameters<Paint>[0] => {
  if (status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
};

/** Writes the line about a request that ended; queries and headers carry secrets. */
const requestLine = (
  { method = '', url = '/' }: IncomingMessage,
  response: ServerResponse,
  milliseconds: number,
  { served }: ServedApp,
  paint: Paint,
): string => {
  const { operation, failure } = outcomeOf(response);
  // 499: the caller has closed the connection.
  const status = response.writableEnded ? response.statusCode : 499;
  const reason = failure === undefined ? '' : ` ${reasonsOf(failure, 1).join(': ')}`;
  const isMock = operation && served.some(({ mocked }) => mocked.has(operation));
  return [
    paint('dim', new Date().toTimeString().slice(0, 8)),
    method.padEnd(6),
    printable(splitTarget(url).path),
    paint(statusStyle(status), String(status)),
    paint('dim', `${milliseconds.toFixed(1)} ms`),
    paint('cyan', `${operation?.operationId ?? '-'}${isMock ? ' (mock)' : ''}`) + printable(reason),
  ].join(' ');
};

const isBelow = (folder: string, file: string): boolean => file.startsWith(resolve(folder) + sep);

const noModules: HandlerModules = { handlers: new Map(), securityHandlers: {}, problems: [] };

/** Lists the sentences about handlers: of those that cannot be loaded, and of those for no operation. */
const handlerLines = ({ handlers, problems }: HandlerModules, { served }: ServedApp): string[] => {
  const known = new Set(
    served.flatMap(({ document }) => document.operations.map(({ operationId }) => operationId)),
  );
  const stray = [...handlers].filter(([operationId]) => !known.has(operationId));
  return [
    ...problems,
    ...stray.map(([name, { file }]) => `${file}: no document has an operation ${name}`),
  ];
};

const startLine = (
  { document, mocked }: ServedDocument,
  { docs }: ServerSettings,
  origin: string,
): string => {
  const { file, basePath, operations } = document;
  const handled = operations.length - mocked.size;
  const url = origin + basePath;
  const page = docs ? `, documentation at ${url}/docs/` : '';
  return printable(
    `${file}: ${url} (${operations.length} operations, ${handled} by handlers, ${mocked.size} mocked)${page}`,
  );
};

const failureOf = (error: unknown, { host, port }: ServerSettings): Error => {
  const sentence =
    Reflect.get(Object(error), 'code') === 'EADDRINUSE'
      ? `Port ${port} of ${host} is in use. Choose another by --port, or --port 0 for a free one.`
      : `The server cannot listen at ${host}, port ${port}: ${errorMessage(error)}.`;
  return new Error(sentence, { cause: error });
};

/** A connection without traffic is closed. */
const idleMilliseconds = 120_000;

/** Seconds that requests under way have to end. */
const drainSeconds = 60;

/**
 * Starts the server.
 * @throws Error in one sentence, if no document can be served, or the port or a folder cannot be used
 */
export const startServer = async (
  settings: ServerSettings,
  context: ToolContext,
): Promise<RunningServer> => {
  const { handlers, state } = settings;
  const paint = painter(context);
  const { hasColours = false, isTerminal = false } = context;
  const errors = { hasColours: hasColours && isTerminal };
  const say = (lines: readonly string[]): void => {
    for (const line of lines) context.err(`${paintReport(errors, 'text', line)}\n`);
  };
  const log: ServiceLog = {
    error(fields, message) {
      const error: unknown = Reflect.get(fields, 'err');
      const detail = error instanceof Error ? `\n${error.stack}` : '';
      context.err(`${painter(errors)('red', printable(message))}${detail}\n`);
    },
  };
  let origin = '';
  const stopping = new AbortController();
  const documentSettings = { ...settings, ...context };
  const appSettings = { ...settings, log, origin: () => origin };
  const loadHandlers = handlers === undefined ? async () => noModules : handlerLoader(handlers);
  let app: ServedApp = { served: [], listener: () => undefined };
  let modules = await loadHandlers();

  /** Compiles between requests what is new, and says which examples do not fit. */
  const prepare = async ({ document, router }: ServedDocument): Promise<void> => {
    const problems: Diagnostic[] = [];
    await router.precompile(stopping.signal, (problem) => problems.push(problem));
    say(problemLines(document.file, problems));
  };

  /** Reads what has changed, and serves it. */
  const takeUp = async (changed: readonly string[]): Promise<void> => {
    const old = app.served;
    const uris = new Set(changed.map(uriOf));
    const before = old.map(({ document }) => document);
    const { documents, lines } = await readDocuments(documentSettings, before, uris);
    const isHandled = handlers !== undefined && changed.some((file) => isBelow(handlers, file));
    if (isHandled) modules = await loadHandlers();
    app = await servedApp(documents, modules, appSettings, isHandled ? [] : old);
    say([...lines, ...handlerLines(modules, app)]);
    const files = documents.map(({ file }) => file);
    for (const { file } of before) if (!files.includes(file)) say([`${file}: no longer served`]);
  };

  /** Says what is served that was not before, and prepares it. */
  const announce = (old: ServedApp['served']): void => {
    for (const one of app.served.filter((served) => !old.includes(served))) {
      context.out(`${startLine(one, settings, origin)}\n`);
      prepare(one).catch((error: unknown) => log.error({ err: error }, errorMessage(error)));
    }
  };

  const places = (): WatchedPlaces => {
    const uris = app.served.flatMap(({ document }) => [...document.files]);
    const local = settings.sources.filter((source) => !isRemote(source));
    const folders = local.filter(isFolder);
    return {
      folders: handlers === undefined ? folders : [...folders, handlers],
      files: [
        ...local.filter((source) => !isFolder(source)).map((source) => resolve(source)),
        ...uris.filter((uri) => !isRemote(uri)).map((uri) => fileURLToPath(uri)),
      ],
    };
  };
  const counts = (file: string): boolean =>
    /\.(?:ya?ml|json|[cm]?[jt]s)$/.test(file) && file !== (state && resolve(state));
  const contentsNow = () => readContents(places(), counts);
  let contents = contentsNow();

  await takeUp([]);
  if (app.served.length === 0) throw new Error('There is no OpenAPI document to serve.');

  const follow = async (): Promise<void> => {
    const now = contentsNow();
    const changed = changedFiles(contents, now);
    contents = now;
    const old = app.served;
    if (changed.length > 0) {
      await takeUp(changed).catch((error: unknown) => say([errorMessage(error)]));
      announce(old);
      // A document may refer to other files than before. What was saved meanwhile is still to be taken up.
      contents = new Map([...contentsNow()].map(([file, hash]) => [file, now.get(file) ?? hash]));
    }
    watcher.watch(places());
  };
  const runInTurn = inTurn();
  const followInTurn = (): void => {
    void runInTurn(follow);
  };
  const watcher = watchFiles(followInTurn);

  const server = createServer((request, response) => {
    const start = performance.now();
    const serving = app;
    response.on('close', () => {
      const line = requestLine(request, response, performance.now() - start, serving, paint);
      context.out(`${line}\n`);
    });
    serving.listener(request, response);
  });
  server.timeout = idleMilliseconds;
  origin = await listen(server, settings.port, settings.host).catch((error: unknown) => {
    throw failureOf(error, settings);
  });
  announce([]);
  if (settings.watch) followInTurn();
  return {
    origin,
    async stop() {
      watcher.close();
      stopping.abort();
      await drain(server, drainSeconds);
    },
  };
};
