/** `serve FILE…`: a server of documents listens, prints a line for each request, follows what is saved, and stops in order. */

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { Command, InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../../base/error-message';
import { lineText } from '../../base/json/write-json';
import { lazy } from '../../base/memoize';
import { printable } from '../../base/text/printable';
import { placesOf } from '../../host/app';
import { openServiceData } from '../../host/service-data';
import { followFiles, isDocumentOrModule, readContents } from '../../host/watched-files';
import { outcomeOf, type ServiceLog } from '../../http/exchange';
import { reasonsOf } from '../../http/http-error';
import { continueWhenRead, drain } from '../../http/listening';
import { longestDelay, type MockOptions } from '../../mock';
import {
  exitCodes,
  type MakeCommand,
  overlayOption,
  paintReport,
  type ToolContext,
  textPainter,
} from '../command/command';
import { readArchive } from '../command/har';
import {
  drainSeconds,
  openPort,
  portOption,
  requestLine,
  stopSignal,
  wholeNumberOption,
} from '../command/serving';
import { followedApp } from './followed-app';
import { isRecorded, type ServedService, type ServeSettings } from './served-service';

/** The settings of a server. */
export interface ServerSettings
  extends Omit<ServeSettings, 'archive' | 'log' | 'originOf' | 'openData' | 'keepsData'> {
  readonly port: number;
  readonly host: string;
  /** The database of what handlers keep; in memory by default. */
  readonly database?: string;
  readonly har?: string;
  /** True: what is saved is taken up at once. */
  readonly watch?: boolean;
  /** True: pages of every origin may call. */
  readonly cors?: boolean;
}

const servedLine = (
  request: IncomingMessage,
  response: ServerResponse,
  milliseconds: number,
  services: readonly ServedService[],
  paint: ReturnType<typeof textPainter>,
): string => {
  const { operation, failure } = outcomeOf(response);
  const isMock = operation && services.some(({ mocked }) => mocked.has(operation));
  const operationName = `${operation?.operationId ?? '-'}${isMock ? ' (mock)' : ''}`;
  const name = isRecorded(response) ? 'recorded' : operationName;
  const reason = failure === undefined ? '' : ` ${printable(reasonsOf(failure, 1).join(': '))}`;
  return requestLine(request, response, milliseconds, name, paint) + reason;
};

/**
 * Lets pages of other origins call from a browser (Fetch Standard, CORS protocol), without the cookies that it has of this one.
 * Returns true for a preflight, which it answers.
 */
const allowOrigins = ({ method, headers }: IncomingMessage, response: ServerResponse): boolean => {
  if (headers.origin === undefined) return false;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', '*');
  const { 'access-control-request-method': wanted } = headers;
  const { 'access-control-request-headers': named = '' } = headers;
  if (method !== 'OPTIONS' || wanted === undefined) return false;
  response.setHeader('Access-Control-Allow-Methods', wanted);
  response.setHeader('Access-Control-Allow-Headers', named);
  response.writeHead(204).end();
  return true;
};

/**
 * Starts the server.
 * @throws Error in one sentence, if no document can be served, or the port or a folder cannot be used
 */
export const serveDocuments = async (settings: ServerSettings, context: ToolContext) => {
  const paint = textPainter(context);
  // Two streams, one of which may be a file.
  const errors = { hasColours: context.hasColours === true && context.isTerminal === true };
  const tell = (line: string): void => context.out(`${line}\n`);
  const warn = (line: string): void => context.err(`${paintReport(errors, 'text', line)}\n`);
  const line =
    (print: (line: string) => void): ServiceLog['error'] =>
    (fields, message) => {
      const { err: error, ...all } = fields as Record<string, unknown>;
      // The line of the request names its operation.
      const { requestId, operation, service, ...others } = all;
      const own = Object.keys(others).length > 0 ? ` ${lineText(others)}` : '';
      // Modules that tsx runs as CommonJS have their whole text as their address.
      const stack = String(Object(error).stack).replaceAll(
        /data:text\/javascript,\S*?filePath=([^?:)\s]+)[^:)\s]*/g,
        (_, path: string) => decodeURIComponent(path),
      );
      const reason = error instanceof Error ? `\n${stack}` : `\n${errorMessage(error)}`;
      print(`${message}${own}${'err' in fields ? reason : ''}`);
    };
  const log: ServiceLog = { error: line(warn), warn: line(warn), info: line(tell) };
  let origin = '';
  const closing: (() => Promise<void>)[] = [];
  const openData = lazy(async () => {
    const data = await openServiceData(settings.database ?? 'sqlite::memory:');
    closing.push(data.close);
    return data;
  });
  const { handlers: handlersDirectory, sources, overlay: overlays, har } = settings;
  const archive = har === undefined ? undefined : readArchive(har);
  const places = placesOf({ sources, overlays, handlersDirectory }, { services: [] });
  const atStart = settings.watch
    ? readContents(places, isDocumentOrModule)
    : new Map<string, string>();
  const keepsData = settings.database !== undefined;
  const own = { archive, log, originOf: () => origin, openData, keepsData };
  const current = await followedApp({ ...settings, ...own }, { tell, warn });
  const listener: RequestListener = (request, response) => {
    const start = performance.now();
    const { services } = current;
    response.on('close', () =>
      tell(servedLine(request, response, performance.now() - start, services, paint)),
    );
    if (!(settings.cors && allowOrigins(request, response))) current.listener(request, response);
  };
  const server = createServer(listener).on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    listener(request, response);
  });
  // A connection without traffic is closed after this time.
  const idleMilliseconds = 120_000;
  server.timeout = idleMilliseconds;
  origin = await openPort(server, settings.port, settings.host);
  const stopping = new AbortController();
  const announce = (): void => current.announce(stopping.signal);
  announce();
  const following = {
    places: current.places,
    async takeUp(changed: readonly string[]) {
      await current.update(changed);
      announce();
    },
    failed: (error: unknown) => warn(errorMessage(error)),
  };
  const files = settings.watch ? followFiles(following, atStart, isDocumentOrModule) : undefined;
  return {
    origin,
    /** Stops listening, and lets requests under way end. */
    async stop(): Promise<void> {
      files?.close();
      stopping.abort();
      await drain(server, drainSeconds);
      await current.end();
      for (const close of closing) await close();
    },
  };
};

const delayOption = (text: string): MockOptions['delay'] => {
  const [least = 0, most = least, ...further] = text
    .split('-')
    .map((part) => wholeNumberOption(longestDelay)(part));
  if (least <= most && further.length === 0) return [least, most];
  throw new InvalidArgumentError('The least comes first: 100-800.');
};

const shareOption = (text: string): number => {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  if (Number(percent) <= 100) return Number(percent) / 100;
  throw new InvalidArgumentError('It must be a percentage up to 100%, such as 5%.');
};

/** Makes the command. */
export const serveCommand: MakeCommand = (context, finish) =>
  new Command()
    .argument('<document...>', 'files, folders of documents, or URLs')
    .addOption(portOption(4010))
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .addOption(overlayOption())
    .option('--watch', 'take up what is saved at once')
    .option('--handlers <folder>', 'modules that export handlers by operationId')
    .option(
      '--database <url>',
      'where handlers with collections keep their data (default: in memory)',
    )
    .addOption(
      // It was there once.
      new Option('--state <file>').hideHelp().argParser((): never => {
        throw new InvalidArgumentError(
          'Mocks remember until the process ends. Their first items are the examples of the document; what has to stay is kept by handlers (--handlers, --database).',
        );
      }),
    )
    .option(
      '--seed <number>',
      'the same number gives the same mock data',
      wholeNumberOption(2 ** 31),
    )
    .option('--delay <milliseconds>', 'let mocks answer late: 200, or between 100-800', delayOption)
    .option('--faults <share>', 'let declared failures answer so many requests: 5%', shareOption)
    .option('--har <file>', 'answer what this HTTP archive has as it was recorded')
    .option('--validate-responses', 'hold every response to its document')
    .option('--allow-remote', 'read documents, and what they refer to, from other servers')
    .option('--cors', 'let pages of other origins call')
    .option('--no-docs', 'serve no documentation pages')
    .action(async (sources: string[], options: Omit<ServerSettings, 'sources'>) => {
      const server = await serveDocuments({ ...options, sources }, context);
      // What a handler began, and failed after its request, must not end the requests of others.
      process.on('uncaughtException', (error) => {
        context.err(`A handler failed outside of a request: ${error?.stack ?? error}\n`);
      });
      await stopSignal();
      await server.stop();
      finish(exitCodes.clean);
      // What handlers keep open, such as a database, must not keep the process running.
      setTimeout(() => process.exit(), 1000).unref();
    });
