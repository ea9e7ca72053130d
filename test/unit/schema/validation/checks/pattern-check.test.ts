/** Patterns mean what ECMA-262 says, whichever engine tests them, and take a bounded time. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { drawFrom, FuelExhausted, makeFuel } from '../../../../../src/base/fuel';
import {
  isBounded,
  parsePattern,
  patternCheck,
} from '../../../../../src/schema/validation/checks/pattern-check';
import { readText, tableOf } from '../../../../support/text-cases';

const cases = join(__dirname, 'pattern-check.cases.txt');

/** The steps that a text takes. */
const stepsOf = (pattern: string, text: string, capacity = 1_000_000): number => {
  const fuel = makeFuel(capacity);
  drawFrom(fuel, () => patternCheck(pattern)?.accepts(text));
  return fuel.capacity - fuel.left;
};

describe('time is in proportion to the text', () => {
  test.each(tableOf(cases, 'time in proportion'))('%s', (_title, pattern = '', cell = '') => {
    const pump = readText(cell);
    expect(isBounded(pattern)).toBe(true);
    const [some, more] = [10_000, 20_000].map((length) =>
      stepsOf(pattern, `${pump.repeat(length / pump.length)}!`),
    );
    expect(more).toBeGreaterThan(0);
    expect(more).toBeLessThan(2.2 * Number(some));
    expect(more).toBeLessThan(400_000);
  });

  test.each([
    ['anchored, one repetition', '^[a-z]+$', 'a'],
    ['a fixed number', '^\\d{3}-\\d{4}$', '1'],
    ['a length', '^.{1,2000}$', 'a'],
  ])("the platform's own engine does: %s", (_title, pattern, pump) => {
    expect(isBounded(pattern)).toBe(true);
    expect(stepsOf(pattern, pump.repeat(100_000))).toBe(0);
  });

  test.each([
    ['a back reference', '^(a+)+\\1b$'],
    ['what lies behind', '^(?<!(a|a)*b)(a|a)*$'],
    ['what lies ahead of each place', '^((?=(a+)+$)a)*$'],
    ['more repetitions than RE2 counts', '^(ab){1,2000}$'],
    ['an extension of scripts', '^(\\p{scx=Greek}+)+$'],
  ])('not, and told: %s', (_title, pattern) => {
    expect(isBounded(pattern)).toBe(false);
  });
});

test('a text that takes more steps than there are is not decided, and the pattern is named', () => {
  const decide = () => stepsOf('^(a+)+$', 'a'.repeat(1_000), 100);
  expect(decide).toThrow(FuelExhausted);
  expect(decide).toThrow(
    'must be decided by the pattern ^(a+)+$ within the 100 steps that the message may take: shorten it',
  );
});

test('what RE2 cannot express is left to the platform, and stopped', () => {
  const check = patternCheck('^(a+)+\\1b$');
  expect(check?.accepts('aab')).toBe(true);
  expect(check?.accepts('ab')).toBe(false);
  // Outside of messages, what is not decided does not fit.
  expect(check?.accepts('a'.repeat(100))).toBe(false);
  expect(() => stepsOf('^(a+)+\\1b$', 'a'.repeat(100))).toThrow('(a+)+\\1b');
});

/** Patterns made of a few parts, so that ways through them meet. */
const patterns = fc.letrec<Record<'pattern' | 'sequence' | 'choice' | 'repeated' | 'look', string>>(
  (tie) => ({
    pattern: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('a', 'b', '.', '\\d', '\\w', '\\s', '[ab]', '[^a]', '[^]', '\\b', '\\B'),
      fc.constantFrom('^', '$', '\u{1F600}', '[\u{1F600}b]', '\\S', '\\W', '\\ud83d', '1', 'ſ'),
      fc.constantFrom(
        '[\\s\\d]',
        '[^\\S]',
        '[]',
        '\\p{L}',
        '[^\\p{Script=Greek}]',
        '\\P{Lu}',
        '[\\W_]',
      ),
      tie('sequence'),
      tie('choice'),
      tie('repeated'),
      tie('look'),
    ),
    sequence: fc.array(tie('pattern'), { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
    choice: fc
      .array(tie('pattern'), { minLength: 1, maxLength: 3 })
      .map((all) => `(${all.join('|')})`),
    repeated: fc
      .tuple(
        tie('pattern'),
        fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,3}', '{2,}', '+?', '{0}', '{3,4}?'),
      )
      .map(([inner, times]) => `(?:${inner})${times}`),
    look: fc
      .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern'))
      .map(([start, inner]) => `${start}${inner})`),
  }),
).pattern;

const texts = fc
  .array(fc.constantFrom('a', 'b', '1', ' ', '\u{1F600}', '\ud83d', '\n', 'ſ', '-'), {
    maxLength: 8,
  })
  .map((all) => all.join(''));

test("every text is decided as by the platform's own engine", () => {
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 4, maxLength: 4 }), (source, all) => {
      const flags = parsePattern(source)?.flags;
      const expression = new RegExp(source, flags);
      const check = patternCheck(source);
      for (const text of all) {
        const at = expression.exec(text)?.index;
        // The platform also looks between the halves of a pair, where ECMA-262 has no place.
        if (at && flags === 'u' && Number(text.codePointAt(at - 1)) > 0xffff) continue;
        expect([source, text, check?.accepts(text)]).toEqual([source, text, at !== undefined]);
      }
    }),
    { seed: 20_261_123, numRuns: 500 },
  );
});

test.each([
  '\u00a0',
  '\u1680',
  '\u2005',
  '\u2028',
  '\u202f',
  '\u3000',
  '\ufeff',
  '\v',
  '\u180e',
  '\x85',
])('white space is that of ECMA-262: %j', (text) => {
  for (const pattern of ['(\\s)', '(\\S)', '[^\\s]|x', '(.)', '[\\S\\n]|x']) {
    const want = new RegExp(pattern, 'u').test(text);
    expect([pattern, patternCheck(pattern)?.accepts(text)]).toEqual([pattern, want]);
  }
});
