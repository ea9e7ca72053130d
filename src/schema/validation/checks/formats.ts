/** The formats that are checked on text (OAS 3.0.3, Data Types, and the usual ones of JSON Schema); others are ignored. */

import { fullFormats } from 'ajv-formats/dist/formats';
import type { Check } from './type-check';

const FULL_DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/i;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTES_A_DAY = 24 * 60;

// RFC 3339 appendix C.
const isLeapYear = (year: number): boolean =>
  year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysOf = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (DAYS[month - 1] ?? 0);

const isDay = (year: number, month: number, day: number): boolean =>
  day >= 1 && day <= daysOf(year, month);

/** Tells whether a minute may have a leap second: 23:59 UTC on the last day of a month (RFC 3339 section 5.7). */
const isLeapMinute = (daysLeft: number, day: number, utcMinutes: number): boolean => {
  if ((utcMinutes + MINUTES_A_DAY) % MINUTES_A_DAY !== MINUTES_A_DAY - 1) return false;
  if (utcMinutes < 0) return day === 1;
  return daysLeft === (utcMinutes < MINUTES_A_DAY ? 0 : 1);
};

/** Tells whether the text is a full-date of RFC 3339. */
const isDate = (text: string): boolean => {
  const [, year, month, day] = FULL_DATE.exec(text) ?? [];
  return year !== undefined && isDay(Number(year), Number(month), Number(day));
};

/** Tells whether the text is a date-time of RFC 3339. */
export const isDateTime = (text: string): boolean => {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map(Number);
  const [offsetHour, offsetMinute] = [Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
  if (!isDay(year, month, day)) return false;
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (parts[7] === '-' ? -1 : 1);
  const daysLeft = daysOf(year, month) - day;
  return second === 60 && isLeapMinute(daysLeft, day, hour * 60 + minute - offset);
};

type TextTest = (text: string) => boolean;

/** Tests for base64 of RFC 4648 section 4: padded, without line breaks. Scans once, so that megabytes cost no backtracking. */
const isBase64 = (text: string): boolean => {
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/=]/.test(text)) return false;
  const padding = text.indexOf('=');
  const padded = padding === -1 ? 0 : text.length - padding;
  return padded < 2 || (padded === 2 && text.endsWith('='));
};

/** Takes a test of ajv-formats, for texts up to a length that keeps its backtracking harmless. */
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
