/** The log of the program: JSON lines on the standard output, written many at a time. */

import { type Logger, pino } from 'pino';
import type { LogLevel } from '../config/config-values';

/** Bytes that are gathered before they are written. */
const minLength = 32 * 1024;
/** Bytes of one write. There is one in a turn of the event loop, and in such a turn thousands of requests may end. */
const maxWrite = 1024 * 1024;
/** Bytes that may wait for a reader of the output; what comes beyond is dropped, for memory is not the log's. */
const maxLength = 16 * 1024 * 1024;
/** How long a line waits for others. */
const flushMilliseconds = 200;

/**
 * Opens an output of lines. What is still gathered when the process exits is written then.
 *
 * @param dest - a file's path, or the number of an open file
 */
export const openOutput = (dest: string | number) => {
  const output = pino.destination({
    ...{ dest, sync: false, minLength, maxWrite, maxLength, periodicFlush: flushMilliseconds },
    // Of texts it would measure all that it has gathered at every line.
    contentMode: 'buffer',
  });
  return {
    output,
    write(line: string): void {
      // Its type knows texts alone.
      output.write(Buffer.from(line) as unknown as string);
    },
  };
};

/** Opens the log. */
export const openLog = (level: LogLevel): Logger => pino({ level }, openOutput(1));
