/** Texts of the formats that validation knows, and of a few that people know; each index gives another one. */

import { type MakeText, patternTexts } from './pattern-texts';
import { type CountLimits, countLimits } from './sample-numbers';
import { keywordOf, type SamplePlan } from './sample-plan';

const dayMilliseconds = 86_400_000;
const firstDay = Date.UTC(2024, 0, 1, 12);

const instant = (index: number): string =>
  new Date(firstDay + (index % 100_000) * dayMilliseconds).toISOString();

const numbered = (index: number): string => (index === 0 ? '' : String(index));

const missing = (text: string, { least }: CountLimits): number => Math.max(0, least - text.length);

const dateTime: MakeText = (index, limits) => {
  const whole = `${instant(index).slice(0, 19)}Z`;
  const digits = missing(whole, limits);
  // A fraction of a second takes a point and at least one digit.
  return digits === 0 ? whole : `${whole.slice(0, -1)}.${'0'.repeat(Math.max(1, digits - 1))}Z`;
};

/** Makes a text with a shorter form for small limits, and a filler in front or behind for large ones. */
const elastic =
  (long: (index: number) => string, short: (index: number) => string, filler: 'front' | 'back') =>
  (index: number, limits: CountLimits): string => {
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
  ['hostname', host],
  ['idn-hostname', host],
  ['ipv4', (index) => `192.0.2.${(index % 254) + 1}`],
  ['ipv6', (index, { most }) => `${most < 10 ? '' : '2001:db8'}::${(index + 1).toString(16)}`],
]);

/** Makes text without a format. */
export const plainText: MakeText = (index, { least, most }) => {
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
const bytes = (index: number, { least, most }: CountLimits): Uint8Array =>
  Uint8Array.from(
    { length: Math.max(least, Math.min(most, 4)) },
    (_, at) => 97 + ((index + at) % 26),
  );

/** Makes texts, one of each source for each index. */
export function* sampleTexts(plan: SamplePlan): Iterable<string | Uint8Array> {
  const limits = countLimits(plan, 'Length');
  if (limits.least > LONGEST || limits.least > limits.most) return;
  const [format] = keywordOf(plan, 'format');
  const patterns = keywordOf(plan, 'pattern').map((pattern) => patternTexts(String(pattern)));
  const makers = [formatTexts.get(format), ...patterns].filter((maker) => maker !== undefined);
  const sources: readonly MakeText[] = makers.length > 0 ? makers : [plainText];
  for (let index = 0; index < MOST; index += 1) {
    if (format === 'binary') yield bytes(index, limits);
    else for (const make of sources) yield make(index, limits);
  }
}
