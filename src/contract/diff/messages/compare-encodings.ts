/** Compares how the fields of forms and the parts of multipart bodies are written (OAS 3.0.3, Encoding Object). */

import type { Encoding, MediaType } from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import { viewOf } from '../../../schema/schema-view';
import { compareHeaders, headerRules, type ParameterRules } from './compare-parameter';
import { entryFor, normalised } from './media-types';
import { type SideComparison, spotOf } from './message-comparison';

const partHeaderRules: ParameterRules = {
  ...headerRules,
  optional: 'encoding-header',
  required: 'encoding-required-header',
};

type FieldEncoding = Pick<Encoding, 'pointer'> & Partial<Encoding>;

/** An encoding, and the schema of what is written by it. */
interface EncodedField {
  readonly encoding: FieldEncoding;
  readonly schema: Schema | undefined;
}

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
  const typesOf = ({ encoding: { contentType }, schema }: EncodedField) =>
    new Map(
      (contentType ?? defaultType(schema)).split(',').map((type) => {
        const key = normalised(type.trim());
        return [key, { key }];
      }),
    );
  const [olds, news] = [typesOf(old), typesOf(now)];
  const isNarrower = [...olds.keys()].some((key) => entryFor(key, news) === undefined);
  const isWider = [...news.keys()].some((key) => entryFor(key, olds) === undefined);
  if (!isNarrower && !isWider) return;
  const change = isNarrower && isWider ? 'changed' : isWider ? 'widened' : 'narrowed';
  const [before, after] = [olds, news].map((types) => [...types.keys()].join(', '));
  report(
    `encoding-content-type-${change}`,
    spotOf(old.encoding, before),
    spotOf(now.encoding, after),
  );
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
  const isTyped = ({ style, explode, allowReserved }: FieldEncoding): boolean =>
    (isMultipart || saysType) && (style ?? explode ?? allowReserved) === undefined;
  const styleOf = (field: FieldEncoding): string => {
    const { style = 'form', explode = style === 'form', allowReserved = false } = field;
    return isTyped(field)
      ? `by ${field.contentType ?? 'media type'}`
      : `${style}, explode: ${explode}, allowReserved: ${allowReserved}`;
  };
  const [before, after] = encodings.map(styleOf);
  if (encodings.every(isTyped)) {
    if (saysType) compareTypes(comparison, old, now);
  } else if (before !== after) {
    comparison.report(
      'encoding-style-changed',
      spotOf(old.encoding, before),
      spotOf(now.encoding, after),
    );
  }
  if (!isMultipart) return;
  compareHeaders(comparison, old.encoding.headers, now.encoding.headers, partHeaderRules);
};

/** A media type, or the parameter that has it. */
type Encoded = Pick<MediaType, 'encoding' | 'pointer' | 'schema'> &
  Partial<Pick<MediaType, 'itemSchema' | 'prefixEncoding' | 'itemEncoding'>>;

/** Compares the encodings of two media types; a field without one is as one with an empty one. */
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
  // By its position; past the prefix there is the encoding of all others.
  const partAt = (content: Encoded, at: number): EncodedField => {
    const { prefixEncoding = [], itemEncoding, pointer, schema, itemSchema } = content;
    return {
      encoding: prefixEncoding[at] ?? itemEncoding ?? { pointer },
      schema: itemSchema ?? viewOf(schema).itemSchemas(at)[0],
    };
  };
  for (const name of new Set([...Object.keys(old.encoding), ...Object.keys(now.encoding)])) {
    const [before, after] = [fieldOf(old, name), fieldOf(now, name)];
    // A field that is new or gone counts as a property.
    if ((before.schema === undefined) === (after.schema === undefined)) {
      compareEncoding(comparison, before, after, isMultipart);
    }
  }
  const lengths = [old, now].map(({ prefixEncoding = [] }) => prefixEncoding.length);
  for (let at = 0; at <= Math.max(...lengths); at += 1) {
    compareEncoding(comparison, partAt(old, at), partAt(now, at), isMultipart);
  }
};
