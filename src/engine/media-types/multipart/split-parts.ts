/** Splits a multipart content into its parts, from bytes that come in pieces (RFC 2046 section 5.1.1). */

import {
  longestBoundary,
  malformedBody,
  mostHeaderBytes,
  type RawHeaders,
} from './multipart-fields';

/** Takes the bytes of one part as they come. */
export interface PartSink<Whole> {
  write(bytes: Uint8Array): void;
  end(): Whole;
}

const lineEnd = '\r\n';
const headEnd = '\r\n\r\n';
/** Blanks that may stand behind a boundary. */
const mostPadding = 256;

const readLines = (head: Buffer): RawHeaders => {
  const lines = head
    .toString('latin1')
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split(lineEnd);
  const headers: RawHeaders = Object.create(null);
  for (const line of lines.filter((line) => line !== '')) {
    const [, name, value = ''] = /^([^:]*):(.*)$/.exec(line) ?? [];
    if (name === undefined) throw malformedBody('a header has no legal name');
    const key = name.toLowerCase();
    headers[key] ??= [];
    headers[key].push(value);
  }
  return headers;
};

/**
 * The place of the next byte.
 * - `body`: the body of a part, or the preamble, up to the next boundary
 * - `boundary`: behind one
 * - `head`: the headers of a part, with the line end before them
 * - `blank`: the line end behind the headers, which may be that of the next boundary
 * - `epilogue`: anything
 */
type Place = 'body' | 'boundary' | 'head' | 'blank' | 'epilogue';

/**
 * Makes a splitter, which holds no more bytes than the headers of one part have. Preamble and epilogue are dropped as they come.
 * @param open gets the headers of each part when they have come
 * @throws MalformedText if the boundary is missing or too long
 */
export const partSplitter = <Whole>(
  boundary: string | undefined,
  open: (headers: RawHeaders) => PartSink<Whole>,
) => {
  if (!boundary || boundary.length > longestBoundary) {
    throw malformedBody(
      `the Content-Type must name a boundary of 1 to ${longestBoundary} characters`,
    );
  }
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`);
  let place: Place = 'body';
  let sink: PartSink<Whole> | undefined;
  // A boundary may stand at the very beginning.
  let pending: Buffer = Buffer.from(lineEnd);
  const ended: Whole[] = [];
  /** Takes what has come; returns the bytes behind it, and changes `place` if it has come whole. */
  const take: Readonly<Record<Place, (bytes: Buffer) => Buffer>> = {
    body(bytes) {
      const found = bytes.indexOf(delimiter);
      const end = found < 0 ? Math.max(0, bytes.length - delimiter.length + 1) : found;
      if (end > 0) sink?.write(bytes.subarray(0, end));
      if (found < 0) return bytes.subarray(end);
      if (sink) ended.push(sink.end());
      place = 'boundary';
      return bytes.subarray(found + delimiter.length);
    },
    boundary(bytes) {
      const rest = bytes.toString('latin1', 0, mostPadding);
      if (rest.startsWith('--')) {
        place = 'epilogue';
        return bytes;
      }
      const [padding, blanks = ''] = /^([ \t]*)(?:\r\n|\r?$)|^-$/.exec(rest) ?? [];
      if (padding === undefined || padding.length === mostPadding) {
        throw malformedBody('text stands behind a boundary');
      }
      if (!padding.endsWith(lineEnd)) return bytes;
      place = 'head';
      return bytes.subarray(blanks.length);
    },
    head(bytes) {
      const end = bytes.indexOf(headEnd);
      const head = end < 0 ? bytes : bytes.subarray(0, end);
      if (head.length > mostHeaderBytes) throw malformedBody('the headers of a part are too large');
      if (head.includes(delimiter)) throw malformedBody('a part ends before its headers do');
      if (end < 0) return bytes;
      sink = open(readLines(head));
      place = 'blank';
      return bytes.subarray(end + lineEnd.length);
    },
    blank(bytes) {
      if (bytes.length < delimiter.length) return bytes;
      place = 'body';
      const isEmpty = bytes.subarray(0, delimiter.length).equals(delimiter);
      return isEmpty ? bytes : bytes.subarray(lineEnd.length);
    },
    epilogue: (bytes) => bytes.subarray(bytes.length),
  };
  return {
    /** The bytes that have come and that no part has. */
    get pendingBytes() {
      return pending.length;
    },
    /** Yields the parts that the bytes complete. */
    *read(chunk: Uint8Array): Iterable<Whole> {
      pending = Buffer.concat([pending, chunk]);
      for (let before: Place | undefined; before !== place; ) {
        before = place;
        pending = take[place](pending);
        yield* ended.splice(0);
      }
    },
    /** Checks that the body ended with its closing boundary; throws MalformedText. */
    end(): readonly Whole[] {
      if (place !== 'epilogue') throw malformedBody('it ends before its closing delimiter');
      return [];
    },
  };
};
