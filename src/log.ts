/** The log of the program: JSON lines on the standard output, written many at a time. */

import { type Logger, pino } from 'pino';
import type { LogLevel } from './config';

/** Octets that are gathered before they are written. */
const gathered = 8 * 1024;
/** Octets that may wait for a reader of the output; what comes beyond is dropped, for memory is not the log's. */
const mostWaiting = 16 * 1024 * 1024;
/** How long a line waits for others. */
const flushMilliseconds = 200;

/** Opens the log. What is still gathered when the process ends is written then. */
export const openLog = (level: LogLevel): Logger => {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: gathered,
    maxLength: mostWaiting,
  });
  const flush = (): void => output.flush();
  setInterval(flush, flushMilliseconds).unref();
  process.once('exit', () => output.flushSync());
  return pino({ level }, output);
};
