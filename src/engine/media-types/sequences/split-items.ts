/** Splits a multipart content into parts, whole and one by one, from bytes that come in pieces (RFC 2046 section 5.1.1). */

import { largeItem, pendingBytes } from '../items/item-format';
import {
  malformedBody,
  mostHeaderBytes,
  type Part,
  readPartHead,
} from '../multipart/multipart-fields';
import { requireBoundary } from '../multipart/split-parts';

const lineEnd = '\r\n';
const headEnd = '\r\n\r\n';
const [carriageReturn, lineFeed] = Buffer.from(lineEnd);
/** Blanks that may stand behind a boundary. */
const mostPadding = 256;

/** Reads the lines of a head: lower-case names to lists of values. */
const linesOf = (head: Buffer): object => {
  const lines = head
    .toString('latin1')
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split(lineEnd);
  const values: Record<string, string[]> = Object.create(null);
  for (const line of lines.filter((one) => one !== '')) {
    const [, name, value = ''] = /^([^:]*):(.*)$/s.exec(line) ?? [];
    if (name === undefined) throw malformedBody('a header has no legal name');
    const key = name.toLowerCase();
    values[key] = [...(values[key] ?? []), value];
  }
  return values;
};

/** The head of a part without headers. */
const noHead = Object.freeze(readPartHead({}, 'positional'));

/** Reads a part from its bytes, which are copied. */
const partOf = (bytes: Buffer, itemBytes: number): Part => {
  const hasHead = bytes[0] !== carriageReturn || bytes[1] !== lineFeed;
  const end = hasHead ? bytes.indexOf(headEnd) : 0;
  const headLength = end < 0 ? bytes.length : end;
  const bodyStart = end < 0 ? bytes.length : end + (hasHead ? headEnd : lineEnd).length;
  if (headLength > mostHeaderBytes) throw malformedBody('the headers of a part are too large');
  if (bytes.length - bodyStart > itemBytes) throw largeItem(itemBytes);
  const head = hasHead
    ? readPartHead(linesOf(bytes.subarray(0, headLength)), 'positional')
    : noHead;
  return { ...head, bytes: new Uint8Array(bytes.subarray(bodyStart)) };
};

/**
 * The place of the next byte.
 * - `preamble`: anything up to the first boundary
 * - `boundary`: the rest of the line of one
 * - `part`: a part, up to the next one
 * - `epilogue`: anything
 */
type Place = 'preamble' | 'boundary' | 'part' | 'epilogue';

/**
 * Makes a splitter. Preamble and epilogue are dropped as they come.
 * @param itemBytes of the body of one part
 * @throws MalformedText if the boundary is missing or too long
 */
export const itemSplitter = (boundary: string | undefined, itemBytes: number) => {
  const delimiter = Buffer.from(`${lineEnd}--${requireBoundary(boundary)}`);
  const pending = pendingBytes(Number.POSITIVE_INFINITY);
  // A boundary may stand at the very beginning.
  pending.add(Buffer.from(lineEnd));
  let place: Place = 'preamble';
  /** Bytes of what has come in which no boundary begins. */
  let searched = 0;
  /** Finds the next boundary from a place on; -1 if it has not come. */
  const find = (bytes: Buffer, at: number): number => {
    const found = bytes.indexOf(delimiter, Math.max(at, searched));
    searched = found < 0 ? Math.max(at, bytes.length - delimiter.length + 1) : found;
    return found;
  };
  const parts: Buffer[] = [];
  /** Takes what comes next from a place on; returns where it ends, and changes `place` if it has come whole. */
  const take: Readonly<Record<Place, (bytes: Buffer, at: number) => number>> = {
    preamble(bytes, at) {
      const found = find(bytes, at);
      if (found < 0) return searched;
      place = 'boundary';
      return found + delimiter.length;
    },
    boundary(bytes, at) {
      const rest = bytes.toString('latin1', at, at + mostPadding);
      if (rest.startsWith('--')) place = 'epilogue';
      if (place === 'epilogue') return at;
      const [padding] = /^[ \t]*(?:\r\n|\r?$)|^-$/.exec(rest) ?? [];
      if (padding === undefined || padding.length === mostPadding) {
        throw malformedBody('text stands behind a boundary');
      }
      if (!padding.endsWith(lineEnd)) return at;
      place = 'part';
      return at + padding.length;
    },
    part(bytes, at) {
      const found = find(bytes, at);
      if (found < 0) return at;
      parts.push(bytes.subarray(at, found));
      place = 'boundary';
      return found + delimiter.length;
    },
    epilogue: (bytes) => bytes.length,
  };
  return {
    get pendingBytes() {
      return place === 'part' ? pending.size : 0;
    },
    /** Yields the parts that the bytes complete. */
    *read(given: Uint8Array): Iterable<Part> {
      pending.add(given);
      const bytes = pending.head(pending.size);
      let at = 0;
      for (let before: Place | undefined; before !== place; ) {
        before = place;
        at = take[place](bytes, at);
        for (const part of parts.splice(0)) yield partOf(part, itemBytes);
      }
      pending.drop(at);
      searched = Math.max(0, searched - at);
      if (place === 'part' && pending.size > itemBytes + mostHeaderBytes + delimiter.length) {
        throw largeItem(itemBytes);
      }
    },
    /** Lists what the end completes, which is nothing. Throws MalformedText where the content must not end. */
    end(): readonly Part[] {
      if (place !== 'epilogue') throw malformedBody('it ends before its closing delimiter');
      return [];
    },
  };
};
