/** Texts that fit a format, a pattern of ECMA-262, or a length; each index gives another one. */

import type { AST } from '@eslint-community/regexpp';
import { memoizePairs } from '../../base/memoize';
import { DURATION, POINTER } from '../validation/checks/formats';
import { parsePattern } from '../validation/checks/pattern-check';
import type { SamplePlan } from './sample-plan';
import { largest, take } from './sampling';
import { type Lengths, searchTexts } from './text-search';

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
  /** Finds the characters of an alphabet that a class, a set or an escape matches. */
  readonly charactersOf: (raw: string, alphabet: string) => string[];
  length: number;
}

const alternativeText = (alternatives: readonly AST.Alternative[], making: Making): string => {
  const chosen = alternatives[making.turn % alternatives.length];
  return (chosen?.elements ?? []).map((element) => elementText(element, making)).join('');
};

const characterText = (element: AST.Element, making: Making): string => {
  const matching = making.charactersOf(element.raw, making.alphabet);
  const { length, turn } = making;
  // Each turn gives another text, also where every place has the same few characters.
  const choice = length + turn + (turn >> ((length % 8) + 1));
  const character = matching[choice % matching.length];
  if (character !== undefined) return character;
  // A class outside of all alphabets gives the lowest code point that it names.
  const [first] = element.type === 'CharacterClass' ? element.elements : [];
  if (first?.type === 'Character') return String.fromCodePoint(first.value);
  return first?.type === 'CharacterClassRange' ? String.fromCodePoint(first.min.value) : '';
};

function elementText(element: AST.Element, making: Making): string {
  switch (element.type) {
    case 'Assertion':
      // Its condition is not made but hoped for: every text is checked in the end.
      return '';
    case 'Quantifier': {
      const count = Math.min(element.max, element.min + making.extra, LONGEST_REPETITION);
      let text = '';
      for (let index = 0; index < count && making.length <= LONGEST_REPETITION; index += 1) {
        text += elementText(element.element, making);
      }
      return text;
    }
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
    default: {
      const text =
        element.type === 'Character'
          ? String.fromCodePoint(element.value)
          : characterText(element, making);
      making.length += text.length;
      return text;
    }
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
  const charactersOf = memoizePairs((raw: string, alphabet: string) => {
    const expression = new RegExp(`^(?:${raw})$`, flags);
    return [...alphabet, ...rarities].filter((character) => expression.test(character));
  });
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

/** Noon of a day from 2024 on. */
const instant = (index: number): string =>
  new Date(Date.UTC(2024, 0, 1 + (index % 100_000), 12)).toISOString();

const numbered = (index: number): string => (index === 0 ? '' : String(index));

const uri = (index: number): string => `https://example.com/${numbered(index)}`;
const email = (index: number): string => `user${numbered(index)}@example.com`;
const host = (index: number): string => `host${numbered(index)}.example.com`;

/** By the format's name. */
const formatTexts: ReadonlyMap<unknown, MakeText> = new Map<string, MakeText>([
  ['date', (index) => instant(index).slice(0, 10)],
  ['date-time', (index) => `${instant(index).slice(0, 19)}Z`],
  ['time', (index) => `${instant(0).slice(11, 17)}${String(index % 60).padStart(2, '0')}Z`],
  ['duration', (index) => `P${index + 1}D`],
  ['byte', (index) => Buffer.from(`text${numbered(index)}`).toString('base64')],
  ['email', email],
  ['idn-email', email],
  // The last group counts from a number that looks like any other.
  ['uuid', (index) => `3fa85f64-5717-4562-b3fc-${(0x2c963f66afa6 + index).toString(16)}`],
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
  ['ipv6', (index) => `2001:db8::${(index + 1).toString(16)}`],
]);

const CLOCK =
  '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
const DATE =
  '(?:\\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|' +
  '\\d\\d(?:0[48]|[2468][048]|[13579][26])-02-29)';
const LABEL = '[A-Za-z\\d][A-Za-z\\d-]{0,62}';
const HOST = `(?:${LABEL}\\.)*${LABEL}`;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${OCTET}\\.){3}${OCTET}`;
const HEX = '[\\da-fA-F]';
const IPV6 = `(?:H:){7}H|(?:H:){1,6}:|(?:H(?::H){0,3})?::(?:H(?::H){0,2})?|::(?:ffff:)?${IPV4}`;
const URI_REST = "(?:[\\w.~!$&'()*+,;=:@/?#-]|%[\\dA-Fa-f]{2})*";
const URI = `[A-Za-z][A-Za-z\\d+.-]*:(?://${HOST}(?::\\d{1,4})?(?:[/?#]${URI_REST})?|[\\w.]${URI_REST})`;
const uris = ['https://example\\.com/[a-z]*', URI];

/** Expressions of formats by their names, each more general than the one before. A text that they describe wrongly is refused in the end. */
const formatShapes: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['date', ['20\\d\\d-01-01', DATE]],
  [
    'date-time',
    [
      '2024-01-01T12:00:00(?:\\.0+)?(?:Z|[+-]0[0-2]:00)',
      `${DATE}T${CLOCK}`,
      '\\d{4}-(?:06-30|12-31)T23:59:60(?:\\.\\d+)?Z',
    ],
  ],
  ['time', ['12:00:00(?:\\.0+)?(?:Z|[+-]0[0-2]:00)', CLOCK, '23:59:60(?:\\.\\d+)?Z']],
  ['duration', [DURATION]],
  ['byte', ['(?:[A-Za-z\\d+/]{4})*(?:[A-Za-z\\d+/]{2}==|[A-Za-z\\d+/]{3}=)?']],
  ['email', ['[a-z]+@example\\.com', `[\\w.+-]{1,64}@(?:${LABEL}\\.)+[A-Za-z]{2,}`]],
  ['uuid', [`${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12}`]],
  ['uri', uris],
  ['uri-reference', [...uris, URI_REST]],
  ['uri-template', [`https://example\\.com/(?:\\w|\\{[a-z]+\\})*`, ...uris, URI_REST]],
  ['json-pointer', [POINTER]],
  ['relative-json-pointer', [`(?:0|[1-9]\\d*)(?:#|${POINTER})`]],
  ['hostname', ['(?:[a-z]{50}\\.)*[a-z]{1,50}\\.example\\.com', HOST]],
  ['ipv4', [IPV4]],
  ['ipv6', [IPV6.replaceAll('H', `${HEX}{1,4}`)]],
]);

/** Makes text without a format. */
const plainText: MakeText = (index, { least, most }) => {
  const text = `string${numbered(index)}`;
  if (text.length < least) return text.padEnd(least, 'string');
  if (text.length <= most) return text;
  const letters = [...index.toString(26)].map((digit) => 97 + Number.parseInt(digit, 26));
  return String.fromCharCode(...letters)
    .padStart(most, 'a')
    .slice(0, most);
};

const MOST = 1_000;
/** Texts that are made for one condition alone before one is sought that fits all. */
const FIRST = 60;
/** Texts to find of each length and shape, and lengths to try: of a text that tells something, the least one, and of long ones. */
const rounds = [
  { count: FIRST / 4, lengths: [6, 0, 12] },
  { count: MOST, lengths: [6, 0, 120] },
];

/** Finds texts that fit the format, the patterns and the lengths together: some of each kind, then more. */
export function* searchedTexts(plan: SamplePlan): Iterable<string> {
  const { format, patterns, forbidden, minLength, maxLength: most } = plan;
  const shapes = formatShapes.get(format?.replace('idn-', '').replace(/^(?:iri|url)/, 'uri'));
  const ofFormat = shapes?.map((shape) => [`^(?:${shape})$`]) ?? [[]];
  for (const { count, lengths } of rounds) {
    const sought = new Set(lengths.map((one) => Math.min(Math.max(minLength, one), most)));
    for (const shape of ofFormat) {
      for (const least of sought) {
        const wanted = [...patterns, ...shape];
        const texts = searchTexts(wanted, forbidden, { least, most }, alphabets[0] + rarities);
        yield* take(texts, count);
      }
    }
  }
}

/** Letters, since bytes within JSON or XML must be text. */
const bytes = (index: number, { least, most }: Lengths): Uint8Array =>
  Uint8Array.from(
    { length: Math.max(least, Math.min(most, 4)) },
    (_, at) => 97 + ((index + at) % 26),
  );

/** Lists the makers of texts for the format and the patterns; none where any text will do. */
export const textMakers = ({ format, patterns }: SamplePlan): readonly MakeText[] =>
  [formatTexts.get(format), ...patterns.map(patternTexts)].filter((make) => make !== undefined);

/** Encodes a text as `contentEncoding` says; one that is not known changes nothing. */
export const encodedText = (text: string, { content }: SamplePlan): string => {
  const encoding = content.encoding.toLowerCase();
  if (encoding === 'base16') return Buffer.from(text).toString('hex').toUpperCase();
  const isBase64 = encoding === 'base64' || encoding === 'base64url';
  return isBase64 ? Buffer.from(text).toString(encoding) : text;
};

/** Tells whether a text is JSON (JSON Schema Validation, section 8.4). */
export const isJsonText = ({ content, isBinary }: SamplePlan): boolean =>
  !isBinary && /\bjson$/.test(content.mediaType);

/** Makes texts: one of each source for each index, and those that are searched for after the first ones. */
export function* sampleTexts(plan: SamplePlan): Iterable<string | Uint8Array> {
  const limits = { least: plan.minLength, most: plan.maxLength };
  if (limits.least > largest.response.text || limits.least > limits.most) return;
  const makers = textMakers(plan);
  const own: readonly MakeText[] = makers.length > 0 ? makers : [plainText];
  const sources = plan.isBinary ? [bytes] : own;
  const searchAt = Math.floor(FIRST / sources.length);
  for (let index = 0; index < MOST; index += 1) {
    for (const make of sources) yield make(index, limits);
    if (index === searchAt && !plan.isBinary) yield* searchedTexts(plan);
  }
}
