/** Compares how the fields of forms and the parts of multipart bodies are written (OAS 3.0.3, Encoding Object). */

import type { Encoding, MediaType } from '../../../model/operation';
import { compareHeaders, headerRules, type ParameterRules } from './compare-parameter';
import { type SideComparison, spotOf } from './message-comparison';

const partHeaderRules: ParameterRules = {
  ...headerRules,
  optional: 'encoding-header',
  required: { added: 'encoding-required-header-added', removed: 'encoding-header-removed' },
};

type FieldEncoding = Pick<Encoding, 'pointer'> & Partial<Encoding>;

const compareEncoding = (
  comparison: SideComparison,
  old: FieldEncoding,
  now: FieldEncoding,
  isMultipart: boolean,
): void => {
  // A part that says nothing of its style is written by media type (OAS 3.1.2, Encoding Object).
  const isTyped = ({ style, explode, allowReserved }: FieldEncoding): boolean =>
    isMultipart && (style ?? explode ?? allowReserved) === undefined;
  const formOf = (field: FieldEncoding): string => {
    const { contentType = '', style = 'form', explode, allowReserved = false } = field;
    if (isTyped(field)) {
      const types = contentType.toLowerCase().split(',');
      return types
        .map((type) => type.trim())
        .sort()
        .join(', ');
    }
    return `${style}, explode: ${explode ?? style === 'form'}, allowReserved: ${allowReserved}`;
  };
  const [before, after] = [formOf(old), formOf(now)];
  const rule =
    isTyped(old) && isTyped(now) ? 'encoding-content-type-changed' : 'encoding-style-changed';
  if (before !== after) comparison.report(rule, spotOf(old, before), spotOf(now, after));
  if (isMultipart) compareHeaders(comparison, old.headers, now.headers, partHeaderRules);
};

/** A media type, or the parameter that has it. */
type Encoded = Pick<MediaType, 'encoding' | 'pointer'> &
  Partial<Pick<MediaType, 'prefixEncoding' | 'itemEncoding'>>;

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
  const fieldOf = ({ encoding, pointer }: Encoded, name: string): FieldEncoding =>
    (Object.hasOwn(encoding, name) ? encoding[name] : undefined) ?? { pointer };
  // By its position; past the prefix there is the encoding of all others.
  const partAt = ({ prefixEncoding = [], itemEncoding, pointer }: Encoded, at: number) =>
    prefixEncoding[at] ?? itemEncoding ?? { pointer };
  for (const name of new Set([...Object.keys(old.encoding), ...Object.keys(now.encoding)])) {
    compareEncoding(comparison, fieldOf(old, name), fieldOf(now, name), isMultipart);
  }
  const lengths = [old, now].map(({ prefixEncoding = [] }) => prefixEncoding.length);
  for (let at = 0; at <= Math.max(...lengths); at += 1) {
    compareEncoding(comparison, partAt(old, at), partAt(now, at), isMultipart);
  }
};
