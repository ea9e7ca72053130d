/** Awaits the beginning of a text, so that a source that fails at once can still be answered by an error. */

import type { IncomingMessage } from 'node:http';
import type { Report, TextStream } from './text-stream';
import { whenGone } from './watch-connection';

/** Characters; a text that ends before is sent as a whole. */
const longestBeginning = 64 * 1024;

/** The text again, from its beginning. */
const resumed = (beginning: string, rest: TextStream): TextStream => {
  let isBegun = false;
  return {
    next() {
      if (isBegun) return rest.next();
      isBegun = true;
      return Promise.resolve({ done: false, value: beginning });
    },
    end: () => rest.end(),
  };
};

const readBeginning = async (stream: TextStream, isHead: boolean): Promise<string | TextStream> => {
  let text = '';
  do {
    const { done, value } = await stream.next();
    text += value;
    if (done) return text;
  } while (!isHead && text.length < longestBeginning);
  return resumed(text, stream);
};

/**
 * Reads the first 64 KiB; of what a HEAD request asks for the first piece alone.
 * @returns the whole text, where that was all, else the text from its beginning; an empty one where the caller has gone
 */
export const beginStream = (
  request: IncomingMessage,
  stream: TextStream,
  report: Report,
): Promise<string | TextStream> =>
  new Promise((resolve, reject) => {
    const stopWatching = whenGone(request, () => {
      stream.end().catch(report);
      resolve('');
    });
    readBeginning(stream, request.method === 'HEAD')
      .then(resolve, reject)
      .finally(stopWatching);
  });
