/** The log of the program: JSON lines on the standard output, written many at a time. */

import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/config-values';

/** Bytes that are gathered before they are written. */
const gathered = 32 * 1024;
/** Characters that are turned into bytes at once: it takes as long for some lines as for one. */
const turned = 2 * 1024;
/** No character takes more bytes of UTF-8. */
const mostBytes = 3;
/** Bytes that are kept free for characters whose number of bytes is not known yet. */
const room = gathered + turned * mostBytes;
/** Bytes that may wait for a reader of the output; what comes beyond is dropped, for memory is not the log's. */
const mostWaiting = 16 * 1024 * 1024;
/** Bytes of one write. There is one in a turn of the event loop, and in such a turn thousands of requests may be answered. */
const mostWritten = 1024 * 1024;
/** How long a line waits for others. */
const flushMilliseconds = 200;

/**
 * Gathers lines in front of an output that takes bytes. The output's own gathering (minLength) measures all that it has at every
 * line: 5 us. Lines kept as texts would be copied by each collection of garbage until they are written.
 */
export const bufferLines = (
  write: (bytes: Uint8Array) => void,
): DestinationStream & { flush(): void } => {
  let text = '';
  let bytes = Buffer.allocUnsafe(room);
  let length = 0;
  const handOn = (): void => {
    if (length === 0) return;
    write(bytes.subarray(0, length));
    // What was handed on is read later.
    bytes = Buffer.allocUnsafe(room);
    length = 0;
  };
  const turn = (): void => {
    const most = text.length * mostBytes;
    if (most > room - length) handOn();
    if (most > room) write(Buffer.from(text));
    else length += bytes.write(text, length);
    text = '';
  };
  return {
    write(line) {
      text += line;
      if (text.length >= turned) turn();
    },
    flush() {
      turn();
      handOn();
    },
  };
};

/**
 * Writes the time of a line as pino wants it; many lines have the same.
 * @param clock milliseconds since 1970
 */
export const lineTime = (clock: () => number): (() => string) => {
  let time = 0;
  let text = '';
  return () => {
    const now = clock();
    if (now !== time) {
      time = now;
      text = `,"time":${now}`;
    }
    return text;
  };
};

/** Opens an output: a file's path, or the number of an open file. */
export const openOutput = (dest: string | number) =>
  pino.destination({
    dest,
    sync: false,
    maxLength: mostWaiting,
    maxWrite: mostWritten,
    contentMode: 'buffer',
  });

/** Opens the log. What is still gathered when the process ends is written then. */
export const openLog = (level: LogLevel): Logger => {
  const output = openOutput(1);
  // Its type knows texts alone.
  const lines = bufferLines((bytes) => output.write(bytes as unknown as string));
  setInterval(lines.flush, flushMilliseconds).unref();
  process.once('exit', () => {
    lines.flush();
    output.flushSync();
  });
  return pino({ level, timestamp: lineTime(Date.now) }, lines);
};
