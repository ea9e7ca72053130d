/** Compares how the fields of forms and the parts of multipart bodies are written (OAS 3.0.3, Encoding Object). */

import type { Encoding, MediaType } from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import { viewOf } from '../../../schema/schema-view';
import { compareHeaders, headerRules, type ParameterRules } from './compare-parameter';
import { entryFor, normalised, type SideComparison, spotOf } from './message-comparison';

const partHeaderRules: ParameterRules = {
  ...headerRules,
  optional: 'encoding-header',
  required: 'encoding-required-header',
};

/** A media type, or the parameter that has it. */
type Encoded = Pick<MediaType, 'encoding' | 'pointer' | 'schema'> &
  Partial<Pick<MediaType, 'itemSchema' | 'prefixEncoding' | 'itemEncoding'>>;

/** An encoding, and the schema of what is written by it. */
interface EncodedField {
  readonly encoding: Pick<Encoding, 'pointer'> & Partial<Encoding>;
  readonly schema: Schema | undefined;
}

type Types = ReadonlyMap<string, { readonly key: string }>;

/** Gives the media type that values have where none is said (OAS 3.1.2, Encoding Object). */
const defaultType = (schema: Schema | undefined): string => {
  const view = viewOf(schema);
  if (view.type === 'array') return defaultType(view.itemSchemas(0)[0]);
  if (view.type === 'object') return 'application/json';
  const isOctets =
    view.type === 'any' || view.isBinary || view.values('contentEncoding').length > 0;
  return isOctets ? 'application/octet-stream' : 'text/plain';
};

/** Compares the media types and ranges of a part as sets. */
const compareTypes = ({ report }: SideComparison, old: EncodedField, now: EncodedField): void => {
  const typesOf = ({ encoding: { contentType }, schema }: EncodedField): Types => {
    const types = (contentType ?? defaultType(schema)).split(',');
    return new Map(types.map((type) => normalised(type.trim())).map((key) => [key, { key }]));
  };
  const [olds, news] = [typesOf(old), typesOf(now)];
  const isWithin = (types: Types, others: Types): boolean =>
    [...types.keys()].every((key) => entryFor(key, others) !== undefined);
  const [isNarrower, isWider] = [!isWithin(olds, news), !isWithin(news, olds)];
  if (!isNarrower && !isWider) return;
  const change = isNarrower && isWider ? 'changed' : isWider ? 'widened' : 'narrowed';
  const spot = ({ encoding }: EncodedField, types: Types) =>
    spotOf(encoding, [...types.keys()].join(', '));
  report(`encoding-content-type-${change}`, spot(old, olds), spot(now, news));
};

const compareEncoding = (
  comparison: SideComparison,
  old: EncodedField,
  now: EncodedField,
  isMultipart: boolean,
): void => {
  const encodings = [old.encoding, now.encoding] as const;
  const saysType = encodings.some(({ contentType }) => contentType !== undefined);
  // A part that says nothing of its style is written by media type (OAS 3.1.2, Encoding Object).
  const isTyped = ({ style, explode, allowReserved }: Partial<Encoding>): boolean =>
    (isMultipart || saysType) && (style ?? explode ?? allowReserved) === undefined;
  const [before, after] = encodings.map((encoding) => {
    const { style = 'form', explode = style === 'form', allowReserved = false } = encoding;
    const text = isTyped(encoding)
      ? `by ${encoding.contentType ?? 'media type'}`
      : `${style}, explode: ${explode}, allowReserved: ${allowReserved}`;
    return spotOf(encoding, text);
  });
  if (encodings.every(isTyped)) {
    if (saysType) compareTypes(comparison, old, now);
  } else if (before?.text !== after?.text) {
    comparison.report('encoding-style-changed', before, after);
  }
  if (!isMultipart) return;
  compareHeaders(comparison, old.encoding.headers, now.encoding.headers, partHeaderRules);
};

/** Compares the encodings of two media types, or of parameters that have one; a field without one is as one with an empty one. */
export const compareEncodings = (
  comparison: SideComparison,
  old: Encoded,
  now: Encoded,
  mediaType: string,
): void => {
  const isMultipart = mediaType.startsWith('multipart/');
  // Other media types have no use for encodings.
  if (!isMultipart && !mediaType.startsWith('application/x-www-form-urlencoded')) return;
  const fieldOf = ({ encoding, pointer, schema }: Encoded, name: string): EncodedField => ({
    encoding: (Object.hasOwn(encoding, name) ? encoding[name] : undefined) ?? { pointer },
    schema: viewOf(schema).declared(name)[0],
  });
  for (const name of new Set([old, now].flatMap(({ encoding }) => Object.keys(encoding)))) {
    const [before, after] = [fieldOf(old, name), fieldOf(now, name)];
    // A field that is new or gone counts as a property.
    if ((before.schema === undefined) === (after.schema === undefined)) {
      compareEncoding(comparison, before, after, isMultipart);
    }
  }
  // By its position; past the prefix there is the encoding of all others.
  const partAt = (content: Encoded, at: number): EncodedField => {
    const { prefixEncoding = [], itemEncoding, pointer, schema, itemSchema } = content;
    return {
      encoding: prefixEncoding[at] ?? itemEncoding ?? { pointer },
      schema: itemSchema ?? viewOf(schema).itemSchemas(at)[0],
    };
  };
  const lengths = [old, now].map(({ prefixEncoding = [] }) => prefixEncoding.length);
  for (let at = 0; at <= Math.max(...lengths); at += 1) {
    compareEncoding(comparison, partAt(old, at), partAt(now, at), isMultipart);
  }
};
