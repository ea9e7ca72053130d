/** The readers of the text formats, given bytes, and given texts of their own writers that are changed at some places. */

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type FuzzTarget, usualLength } from '../../../scripts/fuzz/target';
import { memoize } from '../../../src/base/memoize';
import { type Codec, readerOf, utf8 } from '../../../src/engine/media-types/codec/codec';
import { decodeXml } from '../../../src/engine/media-types/xml/xml';
import type { Sample } from '../../unit/engine/media-types/schema-arbitrary';
import { changeText, choicesOf } from './choices';
import { readWithin, shown } from './reading';
import { type Subject, subjectsOf } from './schemas';

/** A format, as it is fuzzed. */
export interface Format {
  readonly codec: Codec;
  /** Schemas whose values the format carries. */
  readonly sample: fc.Arbitrary<Sample>;
  readonly tokens: readonly string[];
  /** Texts whose grammar is worth starting from, beside those that are written. */
  readonly texts: readonly (string | Uint8Array)[];
  /** True where any text that is read gives a value which is written as it was read. */
  readonly keepsAll: boolean;
}

const decode = (codec: Codec, bytes: Uint8Array): string =>
  codec.name === 'xml' ? decodeXml(bytes, undefined) : utf8.decode(bytes, undefined);

const compiled = (codec: Codec) =>
  memoize(
    ({ shape }: Subject) => ({
      read: readerOf(codec, shape, 'request'),
      write: codec.writer(shape, 'storage'),
      readStored: readerOf(codec, shape, 'storage'),
    }),
    { max: 256 },
  );

/** -0 is written as 0, and 1e30 with all its digits, which is read as an integer. */
const normalised = (value: unknown): unknown =>
  JSON.parse(
    shown(value, (number) =>
      Number.isInteger(number) && !Number.isSafeInteger(number) ? `${number}n` : number,
    ),
  );

const expectSame = (text: string, value: unknown, back: unknown): void => {
  if (isDeepStrictEqual(back, value)) return;
  if (isDeepStrictEqual(normalised(back), normalised(value))) return;
  throw new Error(
    `Read ${shown(value)}, written as ${JSON.stringify(text)}, then read ${shown(back)}`,
  );
};

const sampleOf = ({ value }: Subject, seed: number): unknown =>
  fc.sample(value, { seed, numRuns: 1 })[0];

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text) : text;

/** The first byte chooses the schema; the others are the text. */
export const bytesTarget = async (format: Format): Promise<FuzzTarget> => {
  const { codec, tokens, texts, keepsAll, sample } = format;
  const subjects = await subjectsOf(sample);
  const compile = compiled(codec);
  const seeds = subjects.slice(0, 64).flatMap((subject, index) =>
    [1, 2].map((seed) => {
      const text = compile(subject).write(sampleOf(subject, seed));
      return Buffer.concat([Buffer.of(index), Buffer.from(text)]);
    }),
  );
  return {
    tokens,
    isTimed: true,
    seeds: [...seeds, ...texts.map((text) => Buffer.concat([Buffer.of(0), bytesOf(text)]))],
    run(input) {
      const subject = subjects[(input[0] ?? 0) % subjects.length];
      if (subject === undefined) throw new Error('There is no schema');
      const { read, write, readStored } = compile(subject);
      const bytes = input.subarray(1);
      const found = readWithin(bytes.length, () => {
        const value = read(decode(codec, bytes));
        return { value, isValid: subject.accepts(value) };
      });
      // Of a long text the time of reading counts, and of nothing else.
      if (!keepsAll || found?.value.isValid !== true || bytes.length > usualLength) return;
      const text = write(found.value.value);
      expectSame(text, found.value.value, readStored(text));
    },
  };
};

/** The choices are a schema, a value of it, and where its text is changed. */
export const structureTarget = async (format: Format): Promise<FuzzTarget> => {
  const { codec, tokens, sample } = format;
  const subjects = await subjectsOf(sample);
  const compile = compiled(codec);
  return {
    tokens: [],
    isTimed: true,
    seeds: subjects.map((_subject, index) => Buffer.of(index, 0, index)),
    run(input) {
      const choices = choicesOf(input);
      const subject = choices.pick(subjects);
      const value = sampleOf(subject, choices.below(65_536));
      const { read, write, readStored } = compile(subject);
      const text = write(value);
      if (subject.isExact) expectSame(text, value, readStored(text));
      const changed = changeText(text, choices, tokens);
      readWithin(changed.length, () => subject.accepts(read(changed)));
    },
  };
};
