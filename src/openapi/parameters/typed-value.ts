/** Raw pieces of a parameter to typed values, led by the schema's shape. */

import { MalformedText } from '../../codecs/codec';
import { readScalar } from '../../codecs/scalars';
import type { Shape } from '../../codecs/shape';
import { emptyRecord } from '../empty-record';
import { type Read, withAlternatives } from './alternatives';
import type { Entry, Layout } from './layout';
import type { Decode } from './percent-decoding';

/** What a shape asks of a style: one value, several, or keys and values. */
export type Kind = 'single' | 'list' | 'object';

/** The kind of value that a shape describes; alternatives are read branch by branch. */
export const kindOf = (shape: Shape): Kind => {
  if (shape.type === 'array') return 'list';
  return shape.type === 'object' ? 'object' : 'single';
};

/** The shape of an object's member; undefined where the schema says nothing about it. */
export const memberShape = (shape: Shape, key: string): Shape | undefined => {
  const { additional } = shape;
  return shape.properties.get(key) ?? (typeof additional === 'boolean' ? undefined : additional);
};

// OpenAPI does not say how null is written; of a string it would be four letters.
const isNull = (text: string, { type, nullable }: Shape): boolean =>
  text === 'null' && nullable && type !== 'string' && type !== 'any';

/** Text as its shape reads it; text that does not convert stays text, for validation to refuse. */
export const typedText = (text: string, shape: Shape | undefined): unknown => {
  if (shape === undefined) return text;
  return isNull(text, shape) ? null : readScalar(text, shape);
};

const typedEntries = (entries: readonly Entry[], shape: Shape, decode: Decode) => {
  const record = emptyRecord<unknown>();
  for (const [rawKey, raw] of entries) {
    const key = decode(rawKey);
    if (key in record) throw new MalformedText('must not name a property more than once');
    record[key] = typedText(decode(raw), memberShape(shape, key));
  }
  return record;
};

/** Reads one piece of raw text. */
export type ReadText = Read<string>;

/** The reader of a value that stands in one piece of raw text, its schema's alternatives aside. */
export const plainTextReader = (shape: Shape, layout: Layout, decode: Decode): ReadText => {
  const kind = kindOf(shape);
  if (kind === 'list') {
    return (raw) => layout.list(raw).map((item) => typedText(decode(item), shape.items));
  }
  if (kind === 'object') return (raw) => typedEntries(layout.entries(raw), shape, decode);
  return (raw) => typedText(decode(layout.single(raw)), shape);
};

/** The reader of a value that stands in one piece of raw text. */
export const textReader = (shape: Shape, layout: Layout, decode: Decode): ReadText =>
  withAlternatives(shape, (branch) => plainTextReader(branch, layout, decode));
