/** Writes a value in simple style, as response headers have it (OAS 3.0.3, Header Object; RFC 6570 section 3.2.2). */

import type { Shape } from '../schema/shape';

// RFC 9110 section 5.5: a field value is one line.
const lineBreaks = /[\r\n]+/g;

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

/** bigint and number in decimal, bytes in base64, an absent value as nothing. */
const writeText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (isBytes(value)) return Buffer.from(value).toString('base64');
  return String(value).replace(lineBreaks, ' ');
};

/** The properties that travel in an answer. */
const sentEntries = (value: object, shape: Shape): [string, unknown][] =>
  Object.entries(value).filter(
    ([key, member]) => member !== undefined && shape.properties.get(key)?.writeOnly !== true,
  );

/**
 * `blue,black` for arrays; for objects `R,100,G,200`, with explode `R=100,G=200`. Nothing is percent-encoded: the text is
 * a header's value.
 */
export const writeSimple = (value: unknown, shape: Shape, explode: boolean): string => {
  if (Array.isArray(value)) return value.map(writeText).join(',');
  if (typeof value !== 'object' || value === null || isBytes(value)) return writeText(value);
  const delimiter = explode ? '=' : ',';
  return sentEntries(value, shape)
    .map(([key, member]) => `${writeText(key)}${delimiter}${writeText(member)}`)
    .join(',');
};
