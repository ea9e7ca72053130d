/** Reads the parts of a multipart body out of a request. */

import type { IncomingMessage } from 'node:http';
import type { PartHead } from './part';
import { readPartHead } from './part-head';
import { receiveBody } from './receive-body';
import { type PartSink, splitParts } from './split-parts';

/** A multipart body as its Content-Type describes it. */
export interface MultipartFrame {
  readonly boundary: string | undefined;
  /** `multipart/form-data`. */
  readonly isForm: boolean;
  /** Bytes of the whole body. */
  readonly limit: number;
}

/**
 * Calls `open` for every part as it comes. At the first fault, of the body or thrown by what takes a part, the rest is read
 * and dropped.
 * @returns the bytes of the whole body
 * @throws MalformedText, or HttpError where the body cannot be received
 */
export const readParts = (
  request: IncomingMessage,
  { boundary, isForm, limit }: MultipartFrame,
  open: (head: PartHead) => PartSink,
): Promise<number> =>
  new Promise((resolve, reject) => {
    let stop = (): void => undefined;
    let size = 0;
    const fail = (error: unknown): void => {
      stop();
      reject(error);
    };
    const splitter = splitParts(boundary, {
      open: (headers) => open(readPartHead(headers, isForm)),
      done: () => resolve(size),
      fail,
    });
    stop = receiveBody(request, limit, {
      take: splitter.write,
      end(bytes) {
        size = bytes;
        if (size === 0) resolve(0);
        else splitter.end();
      },
      fail,
    });
  });
