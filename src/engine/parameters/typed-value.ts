/** The text of a parameter to a typed value: split by its style, decoded, converted by its shape (OAS 3.0.3, Style Values; RFC 6570). */

import { MalformedText } from '../../base/malformed-text';
import { memoize } from '../../base/memoize';
import { emptyRecord } from '../../base/plain-object';
import { readLimits } from '../../base/read-limits';
import type { Parameter } from '../../model/operation';
import { compileItems, readAlternatives } from '../../schema/compile-per-shape';
import { keepText, scalarReader } from '../../schema/scalars';
import { memberShape, type Shape } from '../../schema/shape';
import { readerOf } from '../media-types/codec/codec';
import { delimiters } from '../media-types/forms/form-reader';
import type { SchemaContext } from '../media-types/schema-context';

/** Decodes the text between two delimiters of a parameter; throws MalformedText. */
export type Decode = (raw: string) => string;

/** Decodes percent-encoded UTF-8 (RFC 3986 section 2.1); undefined if a triple is broken or the bytes are not UTF-8. */
export const decodeUtf8 = (raw: string): string | undefined => {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
};

/** Decodes percent-encoded UTF-8; refuses broken triples, other bytes and U+0000. */
export const percentDecode: Decode = (raw) => {
  if (!raw.includes('%')) return raw;
  const text = decodeUtf8(raw);
  if (text === undefined) throw new MalformedText('must be well-formed percent-encoded UTF-8');
  if (text.includes('\0')) throw new MalformedText('must not contain the character U+0000');
  return text;
};

/** Decodes text of a query string, where a plus is a space (OAS 3.0.4, Appendix E). */
export const formDecode: Decode = (raw) =>
  percentDecode(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);

/** Decoded names to their still encoded values, both in the order they came. */
export type QueryPairs = ReadonlyMap<string, readonly string[]>;

const digits = /^\d{1,9}$/;

/** Tells whether a key between brackets stands for an array's item, as in `name[]` and `name[0]`. */
export const isPosition = (key: string): boolean => key === '' || digits.test(key);

/** A key and its value, still encoded. */
type Entry = readonly [key: string, value: string];

/** A style: splits raw text before anything is decoded, so that an encoded delimiter stays data (OAS 3.0.4, Appendix C). */
export interface Layout {
  single(raw: string): string;
  list(raw: string): readonly string[];
  entries(raw: string): readonly Entry[];
}

/** Pairs `R,100,G,200` up. */
const alternating = (texts: readonly string[]): Entry[] => {
  if (texts.length % 2 !== 0) throw new MalformedText('must be a list of keys and values');
  const entries: Entry[] = [];
  for (let at = 0; at < texts.length; at += 2) {
    entries.push([texts[at] ?? '', texts[at + 1] ?? '']);
  }
  return entries;
};

/** Splits `R=100`; a key alone has the empty value. */
const assignment = (text: string): Entry => {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
};

const assignments = (texts: readonly string[]): Entry[] => {
  if (!texts.every((text) => text.includes('='))) {
    throw new MalformedText('must be a list of key=value pairs');
  }
  return texts.map(assignment);
};

/** Makes the layout `blue,black`; objects `R,100,G,200`, exploded `R=100,G=200`. */
const delimitedLayout = (delimiter: string | RegExp, explode = false): Layout => {
  const pair = explode ? assignments : alternating;
  return {
    single: (raw) => raw,
    list: (raw) => raw.split(delimiter),
    entries: (raw) => pair(raw.split(delimiter)),
  };
};

/** Tells whether a header cannot be a list in one line: each of its values has a line of its own (RFC 9110 section 5.3). */
export const isSetCookie = ({ in: location, name }: Pick<Parameter, 'in' | 'name'>): boolean =>
  location === 'header' && name.toLowerCase() === 'set-cookie';

/**
 * Makes the layout `.blue,black`, exploded `.blue.black`; objects `.R,100,G,200`, exploded `.R=100.G=200`. The table of OAS 3.0.3
 * shows dots for both, so a text without commas is split at its dots.
 */
const labelLayout = (explode: boolean): Layout => {
  const afterDot = (raw: string): string => {
    if (!raw.startsWith('.')) throw new MalformedText('must begin with a dot');
    return raw.slice(1);
  };
  const split = (raw: string): string[] => {
    const text = afterDot(raw);
    return text.split(explode || !text.includes(',') ? '.' : ',');
  };
  const pair = explode ? assignments : alternating;
  return { single: afterDot, list: split, entries: (raw) => pair(split(raw)) };
};

/** Makes the layout `;color=blue,black`, exploded `;color=blue;color=black`; objects `;color=R,100`, exploded `;R=100;G=200`. */
const matrixLayout = (name: string, explode: boolean): Layout => {
  const entries = (raw: string): Entry[] => {
    if (!raw.startsWith(';')) throw new MalformedText('must begin with a semicolon');
    return raw.slice(1).split(';').map(assignment);
  };
  const values = (raw: string): string[] =>
    entries(raw).map(([key, value]) => {
      if (key !== name) throw new MalformedText('must consist of the parameter itself');
      return value;
    });
  const single = (raw: string): string => {
    const [value, ...more] = values(raw);
    if (value === undefined || more.length > 0) {
      throw new MalformedText('must not be given more than once');
    }
    return value;
  };
  if (explode) return { single, list: values, entries };
  return {
    single,
    list: (raw) => single(raw).split(','),
    entries: (raw) => alternating(single(raw).split(',')),
  };
};

/** Reads a value from its source; undefined if it is absent. */
export type Read<Source> = (source: Source) => unknown;

/**
 * Returns the kind of value that a shape describes, as styles lay it out: one text, several, or keys and values; alternatives are
 * read branch by branch.
 */
export const kindOf = (shape: Shape): 'single' | 'list' | 'object' => {
  if (shape.type === 'array') return 'list';
  return shape.type === 'object' ? 'object' : 'single';
};

/**
 * Reads by the first branch of a union of arrays or objects whose reading validates, else by the shape itself.
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

const readerOfShape = memoize((shape: Shape): Read<string> => {
  const { type, nullable } = shape;
  const read = scalarReader(shape);
  // OpenAPI does not say how null is written; of a string it would be four letters.
  if (!nullable || type === 'string' || type === 'any') return read;
  return (text) => (text === 'null' ? null : read(text));
});

/** Makes the reader of decoded text; text that does not convert stays text, for validation to refuse. */
export const typedReader = (shape: Shape | undefined): Read<string> =>
  shape === undefined ? keepText : readerOfShape(shape);

/** Makes the reader of the decoded texts of a list's items, each by its position. */
export const itemsReader = (shape: Shape): ((texts: readonly string[]) => unknown[]) => {
  const readerAt = compileItems(shape, typedReader, keepText);
  return (texts) => texts.map((text, index) => readerAt(index)(text));
};

const readEntries = (entries: readonly Entry[], shape: Shape, decode: Decode) => {
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

/** Makes the reader of a value in one raw text, its schema's alternatives aside. */
export const plainTextReader = (shape: Shape, layout: Layout, decode: Decode): Read<string> => {
  const kind = kindOf(shape);
  if (kind === 'list') {
    const readItems = itemsReader(shape);
    return (raw) => readItems(layout.list(raw).map((item) => decode(item)));
  }
  if (kind === 'object') return (raw) => readEntries(layout.entries(raw), shape, decode);
  const read = typedReader(shape);
  return (raw) => read(decode(layout.single(raw)));
};

/** Makes the reader of a value in one raw text. */
export const textReader = (shape: Shape, layout: Layout, decode: Decode): Read<string> =>
  withAlternatives(shape, (branch) => plainTextReader(branch, layout, decode));

const decodeIn: Record<Parameter['in'], Decode> = {
  path: percentDecode,
  query: formDecode,
  // Only a form has the plus for a space (OAS 3.2.0, Decoding URIs and `form-urlencoded` Strings).
  querystring: percentDecode,
  // Header values are not percent-encoded; blanks around commas are not part of them (RFC 9110 section 5.6.1).
  header: (raw) => raw.trim(),
  cookie: percentDecode,
};

/** Returns what decodes the texts of a parameter; those of the style cookie are as they are (OAS 3.2.0, Appendix D). */
export const decodeOf = ({ in: location, style, mediaType }: Parameter): Decode =>
  style === 'cookie' && mediaType === undefined ? keepText : decodeIn[location];

/** Returns the layout of a parameter that is one text. */
export const layoutOf = (parameter: Parameter): Layout => {
  const { name, in: location, style, explode } = parameter;
  if (isSetCookie(parameter)) return delimitedLayout('\n', true);
  if (style === 'label') return labelLayout(explode);
  if (style === 'matrix') return matrixLayout(name, explode);
  const delimiter = style === 'form' ? undefined : delimiters[style];
  if (delimiter !== undefined) return delimitedLayout(delimiter);
  // An exploded cookie would be several cookies; it is read as one (OAS 3.0.4, Appendix D).
  return delimitedLayout(',', explode && location !== 'cookie');
};

/** Makes the reader of a parameter by its style, or by its media type if it has `content` (OAS 3.0.3, Parameter Object). */
export const textParameterReader = (
  parameter: Parameter,
  { shapeOf, codecs }: SchemaContext,
): Read<string> => {
  const decode = decodeOf(parameter);
  const shape = shapeOf(parameter.schema);
  if (parameter.mediaType === undefined) return textReader(shape, layoutOf(parameter), decode);
  const codec = codecs.contentCodec(parameter.mediaType, shape);
  if (codec === undefined) return decode;
  const read = readerOf(codec, shape, 'request', readLimits, parameter.encoding);
  // A form decodes each of its pairs.
  const isForm = parameter.in === 'querystring' && codec.name === 'form';
  return isForm ? read : (raw) => read(decode(raw));
};
