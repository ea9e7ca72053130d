/** Texts that fit a format, a pattern of ECMA-262, or a length; each index gives another one. */

import type { AST } from '@eslint-community/regexpp';
import { memoizePairs } from '../../base/memoize';
import { parsePattern } from '../validation/checks/pattern-check';
import type { Facets } from './facets';

/** The lengths that a text may have. */
interface Lengths {
  readonly least: number;
  readonly most: number;
}

/** Makes the text with this index, to fit the limits as far as its format allows. */
export type MakeText = (index: number, limits: Lengths) => string;

/** Longer texts are not made, however often a pattern repeats itself. */
const LONGEST_REPETITION = 10_000;

/** Characters to prefer: readable ones, and a mixture for patterns that look ahead for one of each kind. */
const alphabets: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_. !"#$%&\'()*+,/:;<=>?@[\\]^`{|}~',
  'aA0!bB1@cC2#dD3$eE4%fF5^gG6&hH7*iI8-jJ9_kK.lLmMnNoOpPqQrRsStTuUvVwWxXyYzZ "\'()+,/:;<=>?[\\]`{|}~',
];
/** Characters to try after those: letters of other alphabets, and control characters. */
const rarities = 'éñßøαωжя中日あア한אع\t\n\r\u0001';

interface Making {
  readonly alphabet: string;
  /** The choice to take first. */
  readonly turn: number;
  /** The number of repetitions beyond the required ones. */
  readonly extra: number;
  readonly groups: Map<AST.CapturingGroup, string>;
  readonly charactersOf: (raw: string, alphabet: string) => string[];
  length: number;
}

/** Finds the characters of an alphabet that a class, a set or an escape matches. */
const matchingCharacters = (flags: string): Making['charactersOf'] =>
  memoizePairs((raw, alphabet) => {
    const expression = new RegExp(`^(?:${raw})$`, flags);
    return [...alphabet, ...rarities].filter((character) => expression.test(character));
  });

const alternativeText = (alternatives: readonly AST.Alternative[], making: Making): string => {
  const chosen = alternatives[making.turn % alternatives.length];
  return (chosen?.elements ?? []).map((element) => elementText(element, making)).join('');
};

/** Returns the lowest code point that a class names, for a class outside of all alphabets. */
const lowestOf = (element: AST.Element): string => {
  const [first] = element.type === 'CharacterClass' ? element.elements : [];
  if (first?.type === 'Character') return String.fromCodePoint(first.value);
  return first?.type === 'CharacterClassRange' ? String.fromCodePoint(first.min.value) : '';
};

const characterText = (element: AST.Element, making: Making): string => {
  const matching = making.charactersOf(element.raw, making.alphabet);
  const { length, turn } = making;
  // Each turn gives another text, also where every place has the same few characters.
  const choice = length + turn + (turn >> ((length % 8) + 1));
  return matching[choice % matching.length] ?? lowestOf(element);
};

const repeatedText = (quantifier: AST.Quantifier, making: Making): string => {
  const { min, max, element } = quantifier;
  const count = Math.min(max, min + making.extra, LONGEST_REPETITION);
  let text = '';
  for (let index = 0; index < count && making.length <= LONGEST_REPETITION; index += 1) {
    text += elementText(element, making);
  }
  return text;
};

const leafText = (element: AST.Element, making: Making): string => {
  const text =
    element.type === 'Character'
      ? String.fromCodePoint(element.value)
      : characterText(element, making);
  making.length += text.length;
  return text;
};

function elementText(element: AST.Element, making: Making): string {
  switch (element.type) {
    case 'Assertion':
      // Its condition is not made but hoped for: every text is checked in the end.
      return '';
    case 'Quantifier':
      return repeatedText(element, making);
    case 'Group':
      return alternativeText(element.alternatives, making);
    case 'CapturingGroup': {
      const text = alternativeText(element.alternatives, making);
      making.groups.set(element, text);
      return text;
    }
    case 'Backreference': {
      const [group] = [element.resolved].flat();
      return (group && making.groups.get(group)) ?? '';
    }
    default:
      return leafText(element, making);
  }
}

/** Lists numbers of repetitions: few at first, then those that bring the text to its limits. */
const extrasOf = ({ least, most }: Lengths): number[] => {
  const near = Array.from({ length: 24 }, (_, index) => index);
  const far = near.map((index) => least - index).filter((extra) => extra > near.length);
  return [3, ...near, ...far, ...(most < LONGEST_REPETITION ? [most] : [])];
};

/** Makes texts for a pattern; undefined where it is not a regular expression. */
export const patternTexts = (source: string): MakeText | undefined => {
  const parsed = parsePattern(source);
  if (parsed === undefined) return undefined;
  const { pattern, flags } = parsed;
  const charactersOf = matchingCharacters(flags);
  return (index, limits) => {
    const extras = extrasOf(limits);
    const round = Math.floor(index / extras.length);
    const text = alternativeText(pattern.alternatives, {
      alphabet: alphabets[round % alphabets.length] ?? '',
      turn: index,
      extra: extras[index % extras.length] ?? 0,
      groups: new Map(),
      charactersOf,
      length: 0,
    });
    // An open pattern allows anything behind what it matches.
    return text.padEnd(Math.min(limits.least, LONGEST_REPETITION), 'a');
  };
};

const dayMilliseconds = 86_400_000;
const firstDay = Date.UTC(2024, 0, 1, 12);

const instant = (index: number): string =>
  new Date(firstDay + (index % 100_000) * dayMilliseconds).toISOString();

const numbered = (index: number): string => (index === 0 ? '' : String(index));

const missing = (text: string, { least }: Lengths): number => Math.max(0, least - text.length);

const dateTime: MakeText = (index, limits) => {
  const whole = `${instant(index).slice(0, 19)}Z`;
  const digits = missing(whole, limits);
  // A fraction of a second takes a point and at least one digit.
  return digits === 0 ? whole : `${whole.slice(0, -1)}.${'0'.repeat(Math.max(1, digits - 1))}Z`;
};

/** Makes a text with a shorter form for small limits, and a filler in front or behind for large ones. */
const elastic =
  (long: (index: number) => string, short: (index: number) => string, filler: 'front' | 'back') =>
  (index: number, limits: Lengths): string => {
    const full = long(index);
    const text = full.length > limits.most ? short(index) : full;
    const fill = 'a'.repeat(missing(text, limits));
    return filler === 'front' ? fill + text : text + fill;
  };

const letter = (index: number): string => String.fromCharCode(97 + (index % 26));

/** Labels have at most 63 characters (RFC 1035 section 2.3.4). */
const LABEL = 63;

const host: MakeText = (index, limits) => {
  const full = `host${numbered(index)}.example.com`;
  let text = full.length > limits.most ? letter(index) : full;
  text = 'a'.repeat(Math.min(missing(text, limits), LABEL - 8)) + text;
  while (missing(text, limits) > 0) {
    text = `${'a'.repeat(Math.max(1, Math.min(LABEL, missing(text, limits) - 1)))}.${text}`;
  }
  return text;
};

/** Makes base64, which comes in groups of four. */
const base64: MakeText = (index, limits) => {
  const groups = Math.max(1, Math.ceil(limits.least / 4));
  const text = Buffer.from(`text${numbered(index)}`).toString('base64');
  if (text.length <= limits.most && text.length >= limits.least) return text;
  if (limits.most < 4) return '';
  return Buffer.from(String(index % 1000).padStart(groups * 3, '0')).toString('base64');
};

/** Makes a UUID whose last group counts from a number that looks like any other. */
const uuid = (index: number): string =>
  `3fa85f64-5717-4562-b3fc-${(0x2c963f66afa6 + index).toString(16)}`;

const uri = elastic(
  (index) => `https://example.com/${numbered(index)}`,
  (index) => `${letter(index)}:b`,
  'back',
);
const email = elastic(
  (index) => `user${numbered(index)}@example.com`,
  (index) => `${letter(index)}@b.co`,
  'front',
);

/** By the format's name. */
const formatTexts: ReadonlyMap<unknown, MakeText> = new Map<string, MakeText>([
  ['date', (index) => instant(index).slice(0, 10)],
  ['date-time', dateTime],
  ['time', (index) => `${instant(0).slice(11, 17)}${String(index % 60).padStart(2, '0')}Z`],
  ['duration', (index) => `P${index + 1}D`],
  ['byte', base64],
  ['email', email],
  ['idn-email', email],
  ['uuid', uuid],
  ['uri', uri],
  ['url', uri],
  ['iri', uri],
  ['uri-reference', uri],
  ['iri-reference', uri],
  ['uri-template', (index) => `https://example.com/{name}${numbered(index)}`],
  ['json-pointer', (index) => `/a/${index}`],
  ['relative-json-pointer', (index) => `${index}/a`],
  ['regex', (index) => `^a{${index + 1}}$`],
  ['hostname', host],
  ['idn-hostname', host],
  ['ipv4', (index) => `192.0.2.${(index % 254) + 1}`],
  ['ipv6', (index, { most }) => `${most < 10 ? '' : '2001:db8'}::${(index + 1).toString(16)}`],
]);

/** Makes text without a format. */
const plainText: MakeText = (index, { least, most }) => {
  const text = `string${numbered(index)}`;
  if (text.length < least) return text.padEnd(least, 'string');
  if (text.length <= most) return text;
  const letters = [...index.toString(26)].map((digit) => letter(Number.parseInt(digit, 26)));
  return letters.join('').padStart(most, 'a').slice(0, most);
};

/** Longer texts are not made, whatever a schema requires. */
const LONGEST = 100_000;
const MOST = 1_000;

/** Letters, since bytes within JSON or XML must be text. */
const bytes = (index: number, { least, most }: Lengths): Uint8Array =>
  Uint8Array.from(
    { length: Math.max(least, Math.min(most, 4)) },
    (_, at) => 97 + ((index + at) % 26),
  );

/** Lists the makers of texts for the format and the patterns; none where any text will do. */
export const textMakers = ({ format, patterns }: Facets): readonly MakeText[] =>
  [formatTexts.get(format), ...patterns.map(patternTexts)].filter((make) => make !== undefined);

const encodings: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  base16: (text) => Buffer.from(text).toString('hex').toUpperCase(),
};

/** Encodes a text as `contentEncoding` says; one that is not known changes nothing. */
export const encodedText = (text: string, { content }: Facets): string =>
  encodings[content.encoding.toLowerCase()]?.(text) ?? text;

/** Tells whether a text is JSON (JSON Schema Validation, section 8.4). */
export const isJsonText = ({ content, isBinary }: Facets): boolean =>
  !isBinary && /\bjson$/.test(content.mediaType);

/** Makes texts, one of each source for each index. */
export function* sampleTexts(facets: Facets): Iterable<string | Uint8Array> {
  const limits = { least: facets.minLength, most: facets.maxLength };
  if (limits.least > LONGEST || limits.least > limits.most) return;
  const makers = textMakers(facets);
  const sources: readonly MakeText[] = makers.length > 0 ? makers : [plainText];
  for (let index = 0; index < MOST; index += 1) {
    if (facets.isBinary) yield bytes(index, limits);
    else for (const make of sources) yield make(index, limits);
  }
}
