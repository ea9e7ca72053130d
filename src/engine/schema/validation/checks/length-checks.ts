/** `minLength` and `maxLength`: Unicode code points of text, bytes of binary data (OAS 3.0.4, Working with Binary Data). */

import { readCount, type SchemaFields } from '../../schema-parts';
import type { Check } from './type-check';

const countCodePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

// Each code point takes one or two UTF-16 units, so most texts are decided without counting.
const isAtLeast = (text: string, least: number): boolean =>
  text.length >= least && (text.length >= 2 * least || countCodePoints(text) >= least);

const isAtMost = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && countCodePoints(text) <= most);

const measured = (
  message: string,
  fits: (text: string) => boolean,
  fitsBytes: (bytes: number) => boolean,
): Check => ({
  message,
  accepts: (value) => {
    if (typeof value === 'string') return fits(value);
    return !(value instanceof Uint8Array) || fitsBytes(value.length);
  },
});

/** The checks of a schema's length keywords. */
export const lengthChecks = (schema: SchemaFields): readonly Check[] => {
  const [least, most] = [readCount(schema, 'minLength'), readCount(schema, 'maxLength')];
  const unit = schema['format'] === 'binary' ? 'byte' : 'character';
  const long = (count: number) => `${count} ${unit}${count === 1 ? '' : 's'} long`;
  return [
    least !== undefined &&
      measured(
        `must be at least ${long(least)}`,
        (text) => isAtLeast(text, least),
        (bytes) => bytes >= least,
      ),
    most !== undefined &&
      measured(
        `must be at most ${long(most)}`,
        (text) => isAtMost(text, most),
        (bytes) => bytes <= most,
      ),
  ].filter((check) => check !== false);
};
