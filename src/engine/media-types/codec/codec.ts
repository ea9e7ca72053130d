/** What a wire format is to the engine: a maker of readers and writers, compiled once from a schema's shape. */

import type { Direction, Shape } from '../../schema/shape';

/**
 * Turns text into a value led by the schema. Scalars that do not fit their schema are left as they were read, so that
 * validation names them; text that is not of the format at all throws MalformedText.
 */
export type Reader = (text: string) => unknown;

/** Turns a value that fits its schema into text. */
export type Writer = (value: unknown) => string;

/**
 * Writes a list piece by piece: `empty` where there are no items, else `open`, the items with `separator` between them, and
 * `close`. It is the same text that a Writer makes of the whole list.
 */
export interface ListWriter {
  readonly empty: string;
  readonly open: string;
  readonly separator: string;
  readonly close: string;
  readonly item: Writer;
}

/** Bounds of what a reader takes, whatever the schema says. */
export interface ReadLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Elements, members or fields in one text. */
  readonly nodes: number;
}

/** The bounds that every reader keeps unless it is given others: far above what forms and resources need. */
export const readLimits: ReadLimits = { depth: 100, nodes: 100_000 };

/** One wire format. */
export interface Codec {
  readonly name: 'json' | 'xml' | 'form' | 'text' | 'lines' | 'csv' | 'yaml';
  reader(shape: Shape, direction: Direction): Reader;
  writer(shape: Shape, direction: Direction): Writer;
  /** Undefined where a list of the shape can only be written whole, as in formats that leave this out. */
  listWriter?(shape: Shape, direction: Direction): ListWriter | undefined;
}
