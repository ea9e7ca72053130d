/** The log of the program: JSON lines on the standard output, written many at a time. */

import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config-values';

/** Characters that are gathered before they are written. */
const gathered = 32 * 1024;
/** Octets that may wait for a reader of the output; what comes beyond is dropped, for memory is not the log's. */
const mostWaiting = 16 * 1024 * 1024;
/** How long a line waits for others. */
const flushMilliseconds = 200;

/**
 * Gathers lines in front of an output that takes octets. The output's own gathering (minLength) measures all that it has at every
 * line: 5 us against 0.1.
 */
const gather = (write: (octets: Uint8Array) => void): DestinationStream & { flush(): void } => {
  let lines = '';
  const flush = (): void => {
    if (lines !== '') write(Buffer.from(lines));
    lines = '';
  };
  return {
    write(line) {
      lines += line;
      if (lines.length >= gathered) flush();
    },
    flush,
  };
};

/** Opens the log. What is still gathered when the process ends is written then. */
export const openLog = (level: LogLevel): Logger => {
  const output = pino.destination({
    dest: 1,
    sync: false,
    maxLength: mostWaiting,
    contentMode: 'buffer',
  });
  // Its type knows texts alone.
  const lines = gather((octets) => output.write(octets as unknown as string));
  setInterval(lines.flush, flushMilliseconds).unref();
  process.once('exit', () => {
    lines.flush();
    output.flushSync();
  });
  return pino({ level }, lines);
};
