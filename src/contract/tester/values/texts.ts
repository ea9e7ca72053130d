/** Arbitrary texts that fit length, pattern and format. */

import fc from 'fast-check';
import type { SamplePlan } from '../../../schema/samples/sample-plan';
import { searchedTexts, textMakers } from '../../../schema/samples/sample-texts';
import { largest, take } from '../../../schema/samples/sampling';
import { changedView } from '../../../schema/schema-view';
import { formats } from '../../../schema/validation/checks/formats';
import { integerRangeOf } from '../../../schema/validation/checks/integer-ranges';
import { matches } from '../../../schema/validation/checks/pattern-check';

/**
 * The characters of texts. `any`: of all planes, those that markup and URLs treat specially among them; `plain`:
 * ASCII letters and digits alone, for places where several values share one text or where only ASCII is allowed.
 */
export type Alphabet = 'any' | 'plain';

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const unusual = [...' _-.:<>&"\'/]{}[],%+=;#?!@$~*()éßñøЖ日本あ한א😀𝄞'];

/** The number of characters beyond the least length, where the schema sets no limit. */
const SPAN = 16;
const { text: LONGEST } = largest.request;

const plainText = ({ minLength, maxLength }: SamplePlan, alphabet: Alphabet) => {
  const most = Math.min(maxLength === Infinity ? minLength + SPAN : maxLength, LONGEST);
  if (minLength > most) return undefined;
  const letter = { weight: 3, arbitrary: fc.constantFrom(...letters) };
  const other = { weight: 1, arbitrary: fc.constantFrom(...unusual) };
  const unit = alphabet === 'plain' ? letter.arbitrary : fc.oneof(letter, other);
  // As fc.string, which looks for names of JavaScript in every text and takes a thousand times as long to make.
  const ofLength = (least: number, longest: number) =>
    fc
      .array(unit, { minLength: least, maxLength: longest, size: 'max' })
      .map((characters) => characters.join(''));
  const near = ofLength(minLength, Math.min(most, minLength + SPAN));
  const edges = [minLength, most].map((length) => ofLength(length, length));
  return fc
    .oneof({ weight: 3, arbitrary: near }, ...edges.map((arbitrary) => ({ weight: 1, arbitrary })))
    .map((text) => {
      // Blanks at the ends are lost in many places, and texts of dots alone are steps of a path.
      const isRobust = text === text.trim() && !/^\.+$/.test(text);
      return isRobust ? text : text.replaceAll(/^[\s.]+|\s+$/g, 'x');
    });
};

/** Texts of a length that programs count differently: of characters with two units of UTF-16 and four bytes, and of letters. */
export const textsOfLength = (
  plan: SamplePlan,
  alphabet: Alphabet,
  length: number,
): fc.Arbitrary<string>[] => {
  if (length < 0 || length > LONGEST) return [];
  const exact = changedView(plan, { minLength: length, maxLength: length });
  if (textMakers(plan).length > 0) return [textArbitrary(exact, alphabet) ?? []].flat();
  // The longest texts of characters that take many bytes: a URL has room for them.
  const mostWide = 500;
  const units = alphabet === 'any' && length <= mostWide ? ['😀', 'a'] : ['a'];
  return units.map((unit) => fc.constant(unit.repeat(length)));
};

/** Formats of numbers that have no range, and those that do not restrict a text. */
const free = new Set(['float', 'double', 'decimal', 'decimal128', 'password', 'binary']);

/** Tells whether the values of a format are known, so that a server has no reason to refuse one. */
export const isKnownFormat = (format: string | undefined): boolean =>
  format === undefined ||
  free.has(format) ||
  formats.has(format) ||
  integerRangeOf(format) !== undefined;

/** Texts that are none of the format, whatever the server takes for it; those that come nearest first. */
const notOfFormat: Readonly<Record<string, readonly string[]>> = {
  decimal: ['12,50', 'no number'],
  date: ['2023-02-29', '2024-01-01T00:00:00Z', 'no date', '2024-13-01'],
  'date-time': ['2024-01-01T12:00:00', '2023-02-29T12:00:00Z', 'no time', '2024-01-01T25:00:00Z'],
  byte: ['***', 'abc*'],
  email: ['@example.com', 'no email'],
  uuid: ['3fa85f6457174562b3fc2c963f66afa6', '3fa85f64-5717-4562-b3fc-2c963f66afaZ', 'no-uuid'],
  uri: ['no uri', '::'],
  hostname: ['no host', '-host-.example'],
  ipv4: ['256.1.1.1', 'no.ip'],
  ipv6: ['no:ip', '1::2::3'],
  duration: ['no duration', 'P'],
  time: ['no time', '25:00:00Z'],
  regex: ['(', '[a'],
  'json-pointer': ['a', '/~2'],
  'relative-json-pointer': ['a', '-1'],
  'uri-template': ['{', 'a{b'],
};

/** Wrong texts for a format; none where every text will do or the format is unknown. */
export const textsAgainst = (format: string | undefined): readonly string[] =>
  format !== undefined && Object.hasOwn(notOfFormat, format) ? (notOfFormat[format] ?? []) : [];

/** An arbitrary that keeps what fits; undefined where hardly anything does, so that looking for it might not end. */
export const keepFitting = <Value>(
  arbitrary: fc.Arbitrary<Value>,
  fits: (value: Value) => boolean,
): fc.Arbitrary<Value> | undefined => {
  const found = fc.sample(arbitrary, { numRuns: 200, seed: 1 }).filter(fits);
  if (found.length === 0) return undefined;
  return found.length > 10 ? arbitrary.filter(fits) : fc.constantFrom(...found);
};

/** No header, URL or XML holds a control character. */
const isWritable: Readonly<Record<Alphabet, RegExp>> = {
  any: /^[^\p{Cc}]*$/u,
  plain: /^[\w.:@/+-]*$/,
};

const makeTexts = (plan: SamplePlan, alphabet: Alphabet): fc.Arbitrary<string> | undefined => {
  const { minLength, maxLength, patterns, format } = plan;
  const makers = textMakers(plan);
  if (makers.length === 0) return plainText(plan, alphabet);
  const isValid = formats.get(format ?? '')?.accepts ?? (() => true);
  const fits = (text: string): boolean => {
    const { length } = [...text];
    return (
      length >= minLength &&
      length <= maxLength &&
      isWritable[alphabet].test(text) &&
      isValid(text) &&
      patterns.every((pattern) => matches(pattern)(text))
    );
  };
  // Texts that are tried, and others that are searched for where none of those fits all conditions.
  const [mostMade, mostSearched] = [5000, 60];
  const texts = makers.map((make) =>
    fc.nat(mostMade).map((index) => make(index, { least: minLength, most: maxLength })),
  );
  const made = keepFitting(fc.oneof(...texts), fits);
  const [first, ...others] = made ? [] : [...take(searchedTexts(plan), mostSearched)].filter(fits);
  return first === undefined ? made : fc.constantFrom(first, ...others);
};

const madeTexts = new Map<string, fc.Arbitrary<string> | undefined>();

/** Texts of the plan; undefined where none is found. */
export const textArbitrary = (plan: SamplePlan, alphabet: Alphabet) => {
  const { format, minLength, maxLength, patterns } = plan;
  const key = JSON.stringify([alphabet, format, minLength, String(maxLength), patterns]);
  if (!madeTexts.has(key)) madeTexts.set(key, makeTexts(plan, alphabet));
  return madeTexts.get(key);
};

/** Texts against the patterns of a plan: those that fit but for one character first (behind, in front, missing, in capitals, a line break), then others. */
export const textsAgainstPatterns = (plan: SamplePlan, alphabet: Alphabet) => {
  const { patterns, minLength, maxLength } = plan;
  if (patterns.length === 0) return [];
  const shorter = changedView(plan, { maxLength: maxLength - 1 });
  const right = textArbitrary(shorter, alphabet) ?? textArbitrary(plan, alphabet);
  const free = { patterns: [], format: undefined, minLength: Math.max(1, minLength) };
  const any = textArbitrary(changedView(plan, free), alphabet);
  const near: readonly ((text: string) => string)[] = [
    (text) => `${text}!`,
    (text) => `!${text}`,
    (text) => text.slice(0, -1),
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    ...(alphabet === 'any' ? [(text: string) => `${text}\n`] : []),
  ];
  const marked = any?.chain((text) =>
    fc.constantFrom(text, `!${text.slice(1)}`, ` ${text.slice(2)} `, '~'.repeat(text.length)),
  );
  const isAgainst = (text: string) => !patterns.every((pattern) => matches(pattern)(text));
  return [...near.map((change) => right?.map(change)), marked].map(
    (texts) => texts && keepFitting(texts, isAgainst),
  );
};
