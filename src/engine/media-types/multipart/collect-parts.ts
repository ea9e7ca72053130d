/** Gathers the bytes of parts by name, within bounds. */

import { HttpError } from '../../http/http-error';
import type { Part, PartHead } from './part';
import type { PartSink } from './split-parts';

/** The parts of each name, in the order in which they came. */
export type PartsByName = Map<string, Part[]>;

/** What becomes of a part: read as a value, kept as bytes, or read past. */
export type Fate = 'text' | 'bytes' | 'dropped';

/** Parts on their way in. */
interface Collector {
  readonly parts: PartsByName;
  open(head: PartHead): PartSink;
}

const dropped: PartSink = { write: () => undefined, end: () => undefined };

/** One piece of memory of its own: what a handler keeps must not keep, or show, the rest of the body. */
const join = (pieces: readonly Uint8Array[], size: number): Uint8Array => {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
};

/**
 * Makes a collector.
 * @param textLimit bytes that all parts together may have that are read as values; more throws a 413
 * @param fateOf decides at a part's head; what it throws fails the body
 */
export const collectParts = (textLimit: number, fateOf: (head: PartHead) => Fate): Collector => {
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
    // What a browser sends of a file input in which no file was chosen.
    if (part.fileName === '' && part.bytes.length === 0) return;
    const known = parts.get(part.name);
    if (known === undefined) parts.set(part.name, [part]);
    else known.push(part);
  };
  return {
    parts,
    open(head) {
      const fate = fateOf(head);
      if (fate === 'dropped') return dropped;
      const pieces: Uint8Array[] = [];
      let size = 0;
      return {
        write(bytes) {
          if (fate === 'text') countText(bytes);
          pieces.push(bytes);
          size += bytes.length;
        },
        end: () => keep({ ...head, bytes: join(pieces, size) }),
      };
    },
  };
};
