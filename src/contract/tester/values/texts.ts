/** Arbitrary texts that fit length, pattern and format. */

import fc from 'fast-check';
import { memoize } from '../../../base/memoize';
import type { Facets } from './facets';

/**
 * The characters of texts. `any`: of all planes, those that markup and URLs treat specially among them; `plain`:
 * ASCII letters and digits alone, for places where several values share one text or where only ASCII is allowed.
 */
export type Alphabet = 'any' | 'plain';

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const unusual = [...' _-.:<>&"\'/]{}[],%+=;#?!@$~*()éßñøЖ日本あ한א😀𝄞'];

const character = (alphabet: Alphabet): fc.Arbitrary<string> =>
  alphabet === 'plain'
    ? fc.constantFrom(...letters)
    : fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...letters) },
        { weight: 1, arbitrary: fc.constantFrom(...unusual) },
      );

/** As fc.string, which looks for names of JavaScript in every text and takes a thousand times as long to make. */
const textOf = (unit: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.array(unit, { minLength, maxLength, size: 'max' }).map((characters) => characters.join(''));

/** Blanks at the ends are lost in many places, and texts of dots alone are steps of a path. */
const isRobust = (text: string): boolean => text === text.trim() && !/^\.+$/.test(text);

/** The number of characters beyond the least length, where the schema sets no limit. */
const SPAN = 16;
/** Longer texts are not made, whatever the schema allows. */
export const LONGEST = 20_000;

const plainText = (
  { minLength, maxLength }: Facets,
  alphabet: Alphabet,
): fc.Arbitrary<string> | undefined => {
  if (minLength > LONGEST) return undefined;
  const most = Math.min(maxLength ?? minLength + SPAN, LONGEST);
  const lengths = [minLength, most].filter((length) => length <= most);
  const ofLength = (least: number, longest: number) => textOf(character(alphabet), least, longest);
  const near = ofLength(minLength, Math.min(most, minLength + SPAN));
  const edges = lengths.map((length) => ofLength(length, length));
  return fc
    .oneof({ weight: 3, arbitrary: near }, ...edges.map((arbitrary) => ({ weight: 1, arbitrary })))
    .map((text) => (isRobust(text) ? text : text.replaceAll(/^[\s.]+|\s+$/g, 'x')));
};

const seconds = fc.integer({ min: 0, max: Date.UTC(2099, 11, 31) / 1000 });
const instant = seconds.map((second) => new Date(second * 1000).toISOString());
const label = textOf(fc.constantFrom(...letters), 1, 8);

/** Texts of the formats that validation checks, in forms that every implementation knows. */
const byFormat: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: instant.map((text) => text.slice(0, 10)),
  'date-time': instant.map((text) => `${text.slice(0, 19)}Z`),
  byte: fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  email: label.map((name) => `${name.toLowerCase()}@example.com`),
  uuid: fc.uuid(),
  uri: label.map((name) => `https://example.com/${name}`),
  'uri-reference': label.map((name) => `/${name}`),
  hostname: label.map((name) => `${name.toLowerCase()}.example.com`),
  ipv4: fc.ipV4(),
  ipv6: fc.integer({ min: 1, max: 0xffff }).map((group) => `2001:db8::${group.toString(16)}`),
  duration: fc.integer({ min: 1, max: 99 }).map((days) => `P${days}D`),
};

/** Formats that do not restrict a text. */
const free = new Set(['password', 'binary']);

/** Tells whether the texts of a format are known, so that a server has no reason to refuse one. */
export const isKnownFormat = (format: string | undefined): boolean =>
  format === undefined || free.has(format) || Object.hasOwn(byFormat, format);

/** Texts that are none of the format, whatever the server takes for it. */
const notOfFormat: Readonly<Record<string, readonly string[]>> = {
  date: ['2024-02-30', 'no date', '2024-13-01'],
  'date-time': ['2024-02-30T12:00:00Z', 'no time', '2024-01-01T25:00:00Z'],
  byte: ['***', 'abc*'],
  email: ['no email', '@example.com'],
  uuid: ['no-uuid', '3fa85f64-5717-4562-b3fc-2c963f66afaZ'],
  uri: ['no uri', '::'],
  hostname: ['no host', '-host-.example'],
  ipv4: ['256.1.1.1', 'no.ip'],
  ipv6: ['no:ip', '1::2::3'],
  duration: ['no duration', 'P'],
};

/** Wrong texts for a format; none where every text will do or the format is unknown. */
export const textsAgainst = (format: string | undefined): readonly string[] =>
  format !== undefined && Object.hasOwn(notOfFormat, format) ? (notOfFormat[format] ?? []) : [];

/** Compiles a pattern as validation does; undefined where it is not a regular expression. */
export const compilePattern = (source: string): RegExp | undefined => {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Without the flag more escapes are allowed; an invalid pattern is the document's fault.
    }
  }
  return undefined;
};

/** Making the texts of a pattern takes long, and the same pattern is met again and again. */
const remembered = { max: 1000 };

const patternText = memoize((source: string): fc.Arbitrary<string> | undefined => {
  const expression = compilePattern(source);
  if (expression === undefined) return undefined;
  try {
    return fc.stringMatching(expression);
  } catch {
    // It holds an assertion, for which no generator is known.
    return undefined;
  }
}, remembered);

/** An arbitrary that keeps what fits; undefined where hardly anything does, so that looking for it might not end. */
export const keepFitting = <Value>(
  arbitrary: fc.Arbitrary<Value>,
  fits: (value: Value) => boolean,
): fc.Arbitrary<Value> | undefined => {
  const found = fc.sample(arbitrary, { numRuns: 200, seed: 1 }).filter(fits);
  if (found.length === 0) return undefined;
  return found.length > 10 ? arbitrary.filter(fits) : fc.constantFrom(...found);
};

const isLong = (text: string, { minLength, maxLength = Infinity }: Facets): boolean => {
  const { length } = [...text];
  return length >= minLength && length <= maxLength;
};

const makeTexts = (facets: Facets, alphabet: Alphabet): fc.Arbitrary<string> | undefined => {
  const [pattern] = facets.patterns;
  const formatted = facets.format === undefined ? undefined : byFormat[facets.format];
  const base =
    formatted ?? (pattern === undefined ? plainText(facets, alphabet) : patternText(pattern));
  if (base === undefined) return undefined;
  if (formatted === undefined && pattern === undefined) return base;
  const patterns = facets.patterns.map(compilePattern);
  const isPlain = (text: string) => alphabet === 'any' || /^[\w.:@/+-]*$/.test(text);
  return keepFitting(
    base,
    (text) =>
      isLong(text, facets) && isPlain(text) && patterns.every((one) => one?.test(text) ?? true),
  );
};

const madeTexts = new Map<string, fc.Arbitrary<string> | undefined>();

/** Texts of the facets; undefined where none is found. */
export const textArbitrary = (
  facets: Facets,
  alphabet: Alphabet,
): fc.Arbitrary<string> | undefined => {
  const { format, minLength, maxLength, patterns } = facets;
  const key = JSON.stringify([alphabet, format, minLength, maxLength, patterns]);
  if (!madeTexts.has(key)) madeTexts.set(key, makeTexts(facets, alphabet));
  return madeTexts.get(key);
};
