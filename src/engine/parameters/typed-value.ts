/** Raw pieces of a parameter to typed values, led by the schema's shape. */

import { MalformedText } from '../../base/malformed-text';
import { memoize } from '../../base/memoize';
import { emptyRecord } from '../../base/plain-object';
import type { Parameter } from '../document/model/operation';
import { readLimits } from '../media-types/codec/codec';
import { codecFor } from '../media-types/codecs';
import { readAlternatives } from '../schema/compile-per-shape';
import { keepText, scalarReader } from '../schema/scalars';
import type { Shape } from '../schema/shape';
import { type Entry, type Layout, labelLayout, matrixLayout, simpleLayout } from './layout';
import { type Decode, formDecode, percentDecode } from './query-string';

/** Reads a value from where it stands; undefined where it is absent. */
export type Read<Source> = (source: Source) => unknown;

/**
 * The first branch of a union of arrays or objects whose reading validates, else the reading by the shape itself.
 * Alternatives within alternatives are not followed, so that a schema that contains itself ends.
 */
export const withAlternatives = <Source>(
  shape: Shape,
  readerOf: (shape: Shape) => Read<Source>,
): Read<Source> =>
  // Between scalars the reading of the text itself chooses.
  shape.alternatives.every((alternative) => kindOf(alternative.shape) === 'single')
    ? readerOf(shape)
    : readAlternatives(shape, readerOf, readerOf(shape));

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

const readerOfShape = memoize((shape: Shape): Read<string> => {
  const { type, nullable } = shape;
  const read = scalarReader(shape);
  // OpenAPI does not say how null is written; of a string it would be four letters.
  if (!nullable || type === 'string' || type === 'any') return read;
  return (text) => (text === 'null' ? null : read(text));
});

/** The reader of text as its shape reads it; text that does not convert stays text, for validation to refuse. */
export const typedReader = (shape: Shape | undefined): Read<string> =>
  shape === undefined ? keepText : readerOfShape(shape);

const typedEntries = (entries: readonly Entry[], shape: Shape, decode: Decode) => {
  if (entries.length > readLimits.names) {
    throw new MalformedText(`must not name more than ${readLimits.names} properties`);
  }
  const record = emptyRecord<unknown>();
  for (const [rawKey, raw] of entries) {
    const key = decode(rawKey);
    if (key in record) throw new MalformedText('must not name a property more than once');
    record[key] = typedReader(memberShape(shape, key))(decode(raw));
  }
  return record;
};

/** The reader of a value that stands in one piece of raw text, its schema's alternatives aside. */
export const plainTextReader = (shape: Shape, layout: Layout, decode: Decode): Read<string> => {
  const kind = kindOf(shape);
  if (kind === 'list') {
    const readItem = typedReader(shape.items);
    return (raw) => layout.list(raw).map((item) => readItem(decode(item)));
  }
  if (kind === 'object') return (raw) => typedEntries(layout.entries(raw), shape, decode);
  const read = typedReader(shape);
  return (raw) => read(decode(layout.single(raw)));
};

/** The reader of a value that stands in one piece of raw text. */
export const textReader = (shape: Shape, layout: Layout, decode: Decode): Read<string> =>
  withAlternatives(shape, (branch) => plainTextReader(branch, layout, decode));

// Header values are not percent-encoded; blanks around commas are none of theirs (RFC 9110 section 5.6.1).
const trim: Decode = (raw) => raw.trim();

const decodeIn: Record<Parameter['in'], Decode> = {
  path: percentDecode,
  query: formDecode,
  header: trim,
  cookie: percentDecode,
};

const layoutOf = ({ name, in: location, style, explode }: Parameter): Layout => {
  if (style === 'label') return labelLayout(explode);
  if (style === 'matrix') return matrixLayout(name, explode);
  // An exploded cookie would be several cookies; it is read as one (OAS 3.0.4, Appendix D).
  return simpleLayout(explode && location !== 'cookie');
};

/** Reads the text by the parameter's style, or by its media type where it has `content` (OAS 3.0.3, Parameter Object). */
export const textParameterReader = (parameter: Parameter, shape: Shape): Read<string> => {
  const decode = decodeIn[parameter.in];
  if (parameter.mediaType === undefined) return textReader(shape, layoutOf(parameter), decode);
  const codec = codecFor(parameter.mediaType);
  if (codec === undefined) return decode;
  const read = codec.reader(shape, 'request');
  return (raw) => read(decode(raw));
};
