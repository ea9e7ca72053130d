/** The formats that are checked on text (OAS 3.0.3, Data Types, and the usual ones of JSON Schema); others are ignored. */

import { isIPv4, isIPv6 } from 'node:net';
import { readDecimal } from '../../../base/exact-number';
import { isEmail, isHostName, isInternationalEmail, isInternationalHostName } from './host-names';
import { parsePattern } from './pattern-check';
import type { Check } from './type-check';
import { isIri, isIriReference, isUri, isUriReference, isUriTemplate } from './uris';

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/i;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTES_A_DAY = 24 * 60;

const daysOf = (year: number, month: number): number => {
  // RFC 3339 appendix C.
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : (DAYS[month - 1] ?? 0);
};

const isDay = (year: number, month: number, day: number): boolean =>
  day >= 1 && day <= daysOf(year, month);

/** Tells whether a minute may have a leap second: 23:59 UTC on the last day of a month (RFC 3339 section 5.7). */
const isLeapMinute = (daysLeft: number, day: number, utcMinutes: number): boolean => {
  if ((utcMinutes + MINUTES_A_DAY) % MINUTES_A_DAY !== MINUTES_A_DAY - 1) return false;
  if (utcMinutes < 0) return day === 1;
  return daysLeft === (utcMinutes < MINUTES_A_DAY ? 0 : 1);
};

/** Tells whether the text is a full-date of RFC 3339. */
export const isDate = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
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

/** Days of leap seconds: one that is it in UTC, one before which and one after which UTC has it. */
const leapDays = ['1972-12-31', '1973-01-01', '1972-12-30'];

/** Tells whether the text is a full-time of RFC 3339. */
const isTime = (text: string): boolean => leapDays.some((day) => isDateTime(`${day}T${text}`));

/** Makes a test by an expression that looks at each character once. */
const by =
  (expression: RegExp): TextTest =>
  (text) =>
    expression.test(text);

/** Bounds the length, so that no test takes long. */
const upTo =
  (longest: number, test: TextTest): TextTest =>
  (text) =>
    text.length <= longest && test(text);

/** Expressions of a JSON Pointer (RFC 6901) and of a duration (RFC 3339 appendix A: no unit between two others is left out). */
export const POINTER = '(?:\\/(?:[^~/]|~[01])*)*';
const DURATION_DATE = '\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D';
const DURATION_TIME = 'T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)';
export const DURATION = `P(?:\\d+W|(?:${DURATION_DATE})(?:${DURATION_TIME})?|${DURATION_TIME})`;

const textFormat = (expectation: string, test: TextTest): Check => ({
  message: `must be ${expectation}`,
  accepts: (value) => typeof value !== 'string' || test(value),
});

/** Words for texts of a format, and their tests. Numeric formats and `binary` belong to the type; `password` restricts nothing. */
const textFormats: Readonly<Record<string, readonly [expectation: string, test: TextTest]>> = {
  decimal: ['a decimal number such as 12.50', (text) => readDecimal(text) !== undefined],
  date: ['a date such as 2024-02-29', isDate],
  'date-time': ['a date-time such as 2024-02-29T12:30:00Z', isDateTime],
  byte: ['base64 text', isBase64],
  time: ['a time such as 12:30:00Z', isTime],
  duration: ['a duration such as P3DT12H', upTo(100, by(new RegExp(`^${DURATION}$`)))],
  email: ['an email address', upTo(320, isEmail)],
  'idn-email': ['an email address', upTo(320, isInternationalEmail)],
  hostname: ['a host name', isHostName],
  'idn-hostname': ['a host name', isInternationalHostName],
  ipv4: ['an IPv4 address', isIPv4],
  ipv6: ['an IPv6 address', (text) => isIPv6(text) && !text.includes('%')],
  uuid: ['a UUID', by(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i)],
  uri: ['a URI', isUri],
  'uri-reference': ['a URI reference', isUriReference],
  iri: ['an IRI', isIri],
  'iri-reference': ['an IRI reference', isIriReference],
  'uri-template': ['a template of URIs', upTo(65_536, isUriTemplate)],
  'json-pointer': ['a JSON Pointer', by(new RegExp(`^${POINTER}$`))],
  'relative-json-pointer': [
    'a relative JSON Pointer',
    by(new RegExp(`^(?:0|[1-9][0-9]*)(?:#|${POINTER})$`)),
  ],
  regex: [
    'a regular expression of ECMA-262',
    upTo(10_000, (text) => parsePattern(text)?.flags === 'u'),
  ],
};

/** The checks by the format's name. */
export const formats: ReadonlyMap<string, Check> = new Map(
  Object.entries(textFormats).map(([name, format]) => [name, textFormat(...format)]),
);

/**
 * Tests of texts, by the names of formats.
 * @example { iban: (text) => isIban(text) }
 */
export type CustomFormats = Readonly<Record<string, (text: string) => boolean>>;

/** Returns the checks of all formats: those of a program go before ours. */
export const withFormats = (custom: CustomFormats): ReadonlyMap<string, Check> =>
  new Map([
    ...formats,
    ...Object.entries(custom).map(
      ([name, test]) => [name, textFormat(`of the format ${name}`, test)] as const,
    ),
  ]);
