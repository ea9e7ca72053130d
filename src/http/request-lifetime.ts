/** The log of a request for its handler, and the work that waits for its response. */

import { types } from 'node:util';
import type { Exchange } from './exchange';
import type { ServiceLog } from './failure';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Logs a line: its message, with fields of its own or an error before it. */
type LogLine = (...line: [message: string] | [fields: object, message?: string]) => void;

/** A log for handlers; lines of a level that is off cost nothing. */
export type HandlerLog = Readonly<Record<Level, LogLine>>;

const write = (
  log: ServiceLog,
  level: Level,
  [first, message = '']: Parameters<LogLine>,
  fieldsOf: () => object,
): void => {
  if (log[level] === undefined || log.isLevelEnabled?.(level) === false) return;
  if (typeof first === 'string') log[level](fieldsOf(), first);
  else if (types.isNativeError(first))
    log[level]({ err: first, ...fieldsOf() }, message || first.message);
  else log[level]({ ...first, ...fieldsOf() }, message);
};

/** Makes a log whose lines have these fields, too. */
export const handlerLog = (log: ServiceLog, fields: object): HandlerLog => {
  const lineOf =
    (level: Level): LogLine =>
    (...line) =>
      write(log, level, line, () => fields);
  return {
    debug: lineOf('debug'),
    info: lineOf('info'),
    warn: lineOf('warn'),
    error: lineOf('error'),
  };
};

/** The log of a request. It has no functions of its own, since most requests log nothing. */
export class RequestLog {
  readonly #log: ServiceLog;
  readonly #exchange: Exchange;

  constructor(log: ServiceLog, exchange: Exchange) {
    this.#log = log;
    this.#exchange = exchange;
  }

  #write(level: Level, line: Parameters<LogLine>): void {
    write(this.#log, level, line, () => {
      const { requestId, outcome } = this.#exchange;
      return { requestId, operation: outcome.operation?.operationId, ...outcome.trace };
    });
  }

  debug(...line: Parameters<LogLine>): void {
    this.#write('debug', line);
  }

  info(...line: Parameters<LogLine>): void {
    this.#write('info', line);
  }

  warn(...line: Parameters<LogLine>): void {
    this.#write('warn', line);
  }

  error(...line: Parameters<LogLine>): void {
    this.#write('error', line);
  }
}

/** The life of a request, as its handler has it. */
export class RequestLifetime {
  readonly #works: (() => unknown)[] = [];

  /** Does the work when the response has been sent; it is waited for when the server stops. Nothing is done for a request that fails. */
  after(work: () => unknown): void {
    this.#works.push(work);
  }

  /** Takes the works, in their order. */
  take(): readonly (() => unknown)[] {
    return this.#works.splice(0);
  }
}
