/** Sends a text no faster than the caller reads it, and ends its source as soon as nobody wants it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Report, TextStream } from './text-stream';
import { whenGone } from './watch-connection';

/** Milliseconds; longer than the usual patience of proxies is of no use to anybody. */
const longestStall = 60_000;

/**
 * Writes the text behind the headers, one piece at a time. A source that fails is reported and the connection cut off, so that
 * the caller does not take what has come for the whole; so is a caller that has read nothing for `stall` milliseconds.
 */
export const pumpStream = (
  request: IncomingMessage,
  response: ServerResponse,
  stream: TextStream,
  report: Report,
  stall = longestStall,
): void => {
  let isOver = false;
  const finish = () => {
    isOver = true;
    stopWatching();
  };
  const fail = (error: unknown) => {
    if (isOver) return;
    finish();
    report(error);
    stream.end().catch(report);
    response.destroy();
  };
  const write = ({ done, value }: IteratorResult<string, string>) => {
    if (isOver || response.destroyed) return;
    if (done) {
      finish();
      response.end(value);
    } else if (response.write(value)) askInTurn();
    else response.once('drain', askInTurn);
  };
  const ask = () => {
    if (!isOver) stream.next().then(write).catch(fail);
  };
  // A source and a caller that are always ready would leave no turn to other requests.
  const askInTurn = () => setImmediate(ask);
  const stopWatching = whenGone(request, () => {
    finish();
    stream.end().catch(report);
  });
  // What waits for a slow source has nothing to read.
  response.setTimeout(stall, () => {
    if (response.writableLength > 0) response.destroy();
  });
  ask();
};
