/** The formats that are checked on text (OAS 3.0.3, Data Types, and the usual ones of JSON Schema); others are ignored. */

import { fullFormats } from 'ajv-formats/dist/formats';
import type { Check } from './check';
import { isDate, isDateTime } from './date-time';

type TextTest = (text: string) => boolean;

/** Base64 of RFC 4648 section 4: padded, without line breaks. Scans once, so that megabytes cost no backtracking. */
const isBase64 = (text: string): boolean => {
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/=]/.test(text)) return false;
  const padding = text.indexOf('=');
  const padded = padding === -1 ? 0 : text.length - padding;
  return padded < 2 || (padded === 2 && text.endsWith('='));
};

/** A test that ajv-formats brings, for texts up to a length that keeps its backtracking harmless. */
const borrowed = (name: keyof typeof fullFormats, longest: number): TextTest => {
  const format = fullFormats[name];
  if (format instanceof RegExp) return (text) => text.length <= longest && format.test(text);
  if (typeof format === 'function') {
    return (text) => text.length <= longest && format(text) === true;
  }
  return () => true;
};

const textFormat = (expectation: string, test: TextTest): Check => ({
  message: `must be ${expectation}`,
  accepts: (value) => typeof value !== 'string' || test(value),
});

/** The checks by the format's name. Numeric formats and `binary` belong to the type; `password` restricts nothing. */
export const formats: ReadonlyMap<string, Check> = new Map([
  ['date', textFormat('a date such as 2024-02-29', isDate)],
  ['date-time', textFormat('a date-time such as 2024-02-29T12:30:00Z', isDateTime)],
  ['byte', textFormat('base64 text', isBase64)],
  ['email', textFormat('an email address', borrowed('email', 320))],
  ['uuid', textFormat('a UUID', borrowed('uuid', 45))],
  ['uri', textFormat('a URI', borrowed('uri', 65_536))],
  ['uri-reference', textFormat('a URI reference', borrowed('uri-reference', 65_536))],
  ['hostname', textFormat('a host name', borrowed('hostname', 254))],
  ['ipv4', textFormat('an IPv4 address', borrowed('ipv4', 15))],
  ['ipv6', textFormat('an IPv6 address', borrowed('ipv6', 45))],
  ['duration', textFormat('a duration such as P3DT12H', borrowed('duration', 100))],
]);
