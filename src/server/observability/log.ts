/**
 * The log of the program: JSON lines on the standard output, written many at a time, or coloured lines on a terminal in
 * development. No request waits for a line: what cannot be written is tried again, and dropped at last.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { attempt } from '../../base/recover';
import { printable } from '../../base/text/printable';
import type { ServiceLog } from '../../http/exchange';
import type { StatementListener } from '../../storage/connections/database-driver';
import type { LogLevel } from '../config/config-values';

/** A line of the log, as far as it is shown in a way of its own. */
interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly method?: string;
  readonly path?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly milliseconds?: number;
  readonly mock?: boolean;
  readonly reason?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

/** Escape sequences of ECMA-48 (SGR). */
const colours = { red: 31, green: 32, yellow: 33, cyan: 36, grey: 90 } as const;

/** Makes what writes a text in a colour, or as it is where there are none. */
export const painter =
  (isColoured: boolean) =>
  (colour: keyof typeof colours, text: string): string =>
    isColoured ? `\u001B[${colours[colour]}m${text}\u001B[0m` : text;

const statusColour = (status: number): keyof typeof colours => {
  if (status >= 500) return 'red';
  if (status >= 400) return 'yellow';
  return status >= 300 ? 'cyan' : 'green';
};

/** Fields that a terminal does not need, or that are shown in a way of their own. */
const hidden = new Set(['level', 'time', 'pid', 'hostname', 'service', 'requestId', 'msg', 'err']);

/** Writes a line of JSON as a line for people; an error brings its stack. */
export const readableLine = (json: string, paint: ReturnType<typeof painter>): string => {
  const line: LogLine = JSON.parse(json);
  const { level, msg = '', method, path = '', operation, status = 0, reason, err } = line;
  if (method === undefined) {
    const stack = err === undefined ? '' : `\n${err.stack ?? err.message}`;
    // Further fields are written as `name=value`.
    const fields = Object.entries(line)
      .filter(([name]) => !hidden.has(name))
      .map(
        ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
    const mild = level >= 40 ? 'yellow' : 'grey';
    return paint(level >= 50 ? 'red' : mild, `${printable(msg + fields.join(''))}${stack}`);
  }
  const time = paint('grey', `${line.milliseconds?.toFixed(1)} ms`);
  const what = [operation, line.mock && '(mock)'].filter(Boolean).join(' ');
  const why = reason === undefined ? '' : ` ${printable(reason)}`;
  return `${method.padEnd(6)} ${path} ${paint('cyan', printable(what) || '-')} ${paint(statusColour(status), String(status))} ${time}${why}`;
};

/** Bytes that are gathered before they are written. */
const minLength = 32 * 1024;

/**
 * Opens a file again where it is a pipe. That it does not block belongs to the open file, which is shared with the other
 * processes: the first of them that ends takes it back for all, and they would wait for a reader that takes nothing.
 */
const ownDescriptor = (shared: number): number => {
  const open = () => openSync(`/proc/self/fd/${shared}`, constants.O_WRONLY | constants.O_NONBLOCK);
  return fstatSync(shared).isFIFO() ? (attempt(open) ?? shared) : shared;
};

/**
 * Opens an output of lines. One write is under way at a time; a full disk, or a reader that has fallen behind, is tried again.
 *
 * @param dest - a file's path, or the number of an open file
 */
export const openOutput = (dest: string | number) => {
  // The time that the process stays at its exit for an output that takes nothing, and that between two tries.
  const [exitMilliseconds, retryMilliseconds] = [1000, 20];
  // The time that a line waits for others, and a write that failed for the next try.
  const flushMilliseconds = 200;
  // Bytes that may wait for a reader of the output; lines beyond are dropped, to spare memory.
  const maxLength = 16 * 1024 * 1024;
  // Characters that are encoded at once. A long text of many lines takes sixteen times as long for each of them, and is copied by
  // each collection of garbage until then.
  const encodedLength = 2 * 1024;
  const file = typeof dest === 'string' ? openSync(dest, 'a') : ownDescriptor(dest);
  let text = '';
  let gathered: Buffer[] = [];
  let gatheredLength = 0;
  /** Bytes that a write has begun with. */
  let rest: Uint8Array = Buffer.alloc(0);
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  const encode = (): void => {
    if (text === '') return;
    const bytes = Buffer.from(text);
    gathered.push(bytes);
    gatheredLength += bytes.length;
    text = '';
  };

  const takeGathered = (): void => {
    encode();
    rest = Buffer.concat(gathered, gatheredLength);
    gathered = [];
    gatheredLength = 0;
  };

  const flushSoon = (): void => {
    timer ??= setTimeout(flush, flushMilliseconds).unref();
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting) return;
    if (rest.length === 0) takeGathered();
    if (rest.length === 0) return;
    isWriting = true;
    write(file, rest, (error, written) => {
      isWriting = false;
      rest = rest.subarray(written);
      const isDue = rest.length > 0 || gatheredLength >= minLength;
      if (error === null && isDue) flush();
      else flushSoon();
    });
  };

  const writeRest = (): boolean => {
    try {
      rest = rest.subarray(writeSync(file, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMilliseconds);
    }
    return true;
  };

  return {
    /** Takes a line with its end. Drops it where too many wait. */
    write(line: string): void {
      if (gatheredLength + text.length + line.length > maxLength) return;
      text += line;
      if (text.length >= encodedLength) encode();
      if (gatheredLength >= minLength) flush();
      else flushSoon();
    },
    /** Writes what waits before it returns, but gives up after a second, and at once where the output fails. */
    flushSync(): void {
      const end = performance.now() + exitMilliseconds;
      // What is being written has been handed over.
      if (isWriting || rest.length === 0) takeGathered();
      while (rest.length > 0 && performance.now() < end && writeRest()) {
        if (rest.length === 0) takeGathered();
      }
    },
  };
};

/** The id of the request that is being served; set only where steps of requests are logged, since following it slows each promise. */
const requestIds = new AsyncLocalStorage<string | undefined>();

/** Does the work for a request: each line that it logs carries the id of it. */
export const inRequest = (requestId: string | undefined, work: () => void): void =>
  requestIds.run(requestId, work);

/** Makes the field `time` by ISO 8601; all lines of a millisecond share it. */
const isoTime = (): (() => string) => {
  let last = 0;
  let field = '';
  return () => {
    const now = Date.now();
    if (now !== last) field = `,"time":"${new Date(now).toISOString()}"`;
    last = now;
    return field;
  };
};

/**
 * Makes a log that writes its lines to a destination.
 * @param traceFields - gives the ids of the trace; undefined where none are made
 */
export const logTo = (
  level: LogLevel,
  destination: Pick<ReturnType<typeof openOutput>, 'write'>,
  traceFields?: () => object,
): Logger => {
  const options = { level, timestamp: isoTime() };
  const log = pino(options, destination);
  // pino would call it for each line, in vain.
  const isDebugged = log.isLevelEnabled('debug');
  if (!isDebugged && traceFields === undefined) return log;
  const mixin = (): object => {
    const requestId = isDebugged ? requestIds.getStore() : undefined;
    return { ...(requestId !== undefined && { requestId }), ...traceFields?.() };
  };
  // A line mostly gets no further fields: pino would copy it, and take twice as long.
  const mixinMergeStrategy = (fields: object, further: object): object =>
    Object.keys(further).length === 0 ? fields : { ...further, ...fields };
  return pino({ ...options, mixin, mixinMergeStrategy }, destination);
};

/** Makes what logs the statements of requests at the level debug; undefined where they are not asked for. */
export const statementLog = (log: Logger): StatementListener | undefined =>
  log.isLevelEnabled('debug')
    ? {
        isListening: () => true,
        take: (sql, milliseconds) => log.debug({ sql, milliseconds }, 'Statement run'),
      }
    : undefined;

/** Makes the log of the engine: it tells the steps of requests at the level debug, and no others are made. */
export const engineLog = (log: Logger): ServiceLog => ({
  error: (fields, message) => log.error(fields, message),
  warn: (fields, message) => log.warn(fields, message),
  info: (fields, message) => log.info(fields, message),
  debug: (fields, message) => log.debug(fields, message),
  isLevelEnabled: (level) => log.isLevelEnabled(level),
  step: log.isLevelEnabled('debug') ? (fields, message) => log.debug(fields, message) : undefined,
});

/** Opens the log on the standard output: for people where `isReadable` and a terminal shows it, as JSON where a program reads it. */
export const openLog = (
  level: LogLevel,
  isReadable: boolean,
  traceFields?: () => object,
): Logger => {
  const { stdout } = process;
  // What is printed at the start may be lost like a line of the log.
  stdout.on('error', () => undefined);
  if (isReadable && stdout.isTTY) {
    const paint = painter(stdout.hasColors());
    const write = (json: string) => stdout.write(`${readableLine(json, paint)}\n`);
    return logTo(level, { write }, traceFields);
  }
  const output = openOutput(stdout.fd);
  process.on('exit', output.flushSync);
  return logTo(level, output, traceFields);
};
