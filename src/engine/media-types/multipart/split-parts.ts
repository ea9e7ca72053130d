/** Splits a multipart body into its parts while it arrives (RFC 2046 section 5.1), with the parser of @fastify/busboy, and collects their bytes within bounds. */

import { Dicer } from '@fastify/busboy';
import { type ReadLimits, tooManyNames } from '../../../base/read-limits';
import { HttpError } from '../../../http/http-error';
import {
  longestBoundary,
  malformedBody,
  mostHeaderBytes,
  mostHeaders,
  mostParts,
  type Part,
  type PartHead,
  type UseOf,
} from './multipart-fields';

/** Takes the bytes of one part. An error that it throws fails the whole body. */
export interface PartSink {
  write(bytes: Uint8Array): void;
  end(): void;
}

interface PartsReceiver {
  /**
   * At the start of each part.
   * @param headers lower-case names to lists of values, a character for each byte
   */
  open(headers: object): PartSink;
  /** Once, at the end of the body. */
  done(): void;
  /** At an error; nothing else is called afterwards, except this again. */
  fail(error: unknown): void;
}

/** Returns a boundary; throws MalformedText if it is missing or too long. */
export const requireBoundary = (boundary: string | undefined): string => {
  if (boundary === undefined || boundary === '' || boundary.length > longestBoundary) {
    throw malformedBody(
      `the Content-Type must name a boundary of 1 to ${longestBoundary} characters`,
    );
  }
  return boundary;
};

/**
 * Makes a splitter. Preamble and epilogue are skipped.
 * @throws MalformedText if the boundary is missing or too long
 */
export const splitParts = (boundary: string | undefined, receiver: PartsReceiver) => {
  const options = {
    boundary: requireBoundary(boundary),
    // Both beyond our own limits: what the parser leaves out silently is then too much for us, too.
    maxHeaderPairs: mostHeaders + 1,
    maxHeaderSize: 4 * mostHeaderBytes,
    // The body as a whole is bounded; parts that paused the parser one by one could wait for each other.
    partHwm: Number.MAX_SAFE_INTEGER,
  };
  const dicer = new Dicer(options);
  const state = { parts: 0, open: 0, isClosed: false, isEnded: false, hasFailed: false };
  const fail = (error: unknown): void => {
    state.hasFailed = true;
    receiver.fail(error);
  };
  /** Handles one event; an error fails the whole body instead of the process. */
  const guarded = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      fail(error);
    }
  };
  const settle = (): void => {
    if (state.isClosed && state.isEnded && state.open === 0 && !state.hasFailed) receiver.done();
  };
  /** Follows one part from its headers to its end. */
  const follow = (part: Dicer.PartStream): void => {
    let sink: PartSink | undefined;
    state.open += 1;
    part.on('header', (headers) => guarded(() => (sink = receiver.open(headers))));
    part.on('data', (bytes) => {
      guarded(() => sink?.write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes));
    });
    part.on('end', () => {
      guarded(() => {
        if (sink === undefined) throw malformedBody('a part ends before its headers do');
        sink.end();
        state.open -= 1;
        settle();
      });
    });
  };
  dicer.on('part', (part) => {
    // The parser reports a truncated part by an error of its own, too.
    part.on('error', () => undefined);
    state.parts += 1;
    if (state.parts > mostParts) fail(malformedBody(`it has more than ${mostParts} parts`));
    if (state.hasFailed) part.resume();
    else follow(part);
  });
  dicer.on('error', () => fail(malformedBody('it ends before its closing delimiter')));
  dicer.on('finish', () => {
    state.isClosed = true;
    settle();
  });
  return {
    write(bytes: Uint8Array): void {
      if (!state.isClosed && !state.hasFailed) dicer.write(bytes);
    },
    end(): void {
      state.isEnded = true;
      if (state.isClosed) settle();
      else dicer.end();
    },
  };
};

/** The parts of each name, in the order in which they came. */
export type PartsByName = Map<string, Part[]>;

const skipped: PartSink = { write: () => undefined, end: () => undefined };

/** The bounds of the parts of one body. */
export interface PartLimits {
  /** Bytes of all parts together that are read as values; more throws a 413. */
  readonly text: number;
  readonly limits: ReadLimits;
}

/**
 * Makes a collector.
 * @param useOf decides at a part's head; an error that it throws fails the body
 */
export const collectParts = ({ text: textLimit, limits }: PartLimits, useOf: UseOf) => {
  const parts: PartsByName = new Map();
  let text = 0;
  const countText = (bytes: Uint8Array): void => {
    text += bytes.length;
    if (text > textLimit) {
      const message = `The fields of the body are larger than ${textLimit} bytes`;
      throw new HttpError(413, 'body-too-large', message);
    }
  };
  const keep = (part: Part): void => {
    // A browser sends this for a file input in which no file was chosen.
    if (part.fileName === '' && part.bytes.length === 0) return;
    const known = parts.get(part.name);
    if (known !== undefined) known.push(part);
    else if (parts.size < limits.names) parts.set(part.name, [part]);
    else throw malformedBody(tooManyNames(limits));
  };
  return {
    parts,
    open(head: PartHead): PartSink {
      const use = useOf(head);
      if (use === 'skipped') return skipped;
      const chunks: Uint8Array[] = [];
      return {
        write(bytes) {
          if (use === 'text') countText(bytes);
          chunks.push(bytes);
        },
        // A copy: what a handler keeps must not keep, or show, the rest of the body.
        end: () => keep({ ...head, bytes: new Uint8Array(Buffer.concat(chunks)) }),
      };
    },
  };
};
