/** Patterns mean what ECMA-262 says, whichever way they are tested, and take a bounded number of steps. */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { drawFrom, FuelExhausted, makeFuel } from '../../../../../../src/base/fuel';
import {
  parsePattern,
  patternCheck,
} from '../../../../../../src/engine/schema/validation/checks/pattern-check';
import { compilePattern } from '../../../../../../src/engine/schema/validation/checks/pattern-program';

/** The steps that a text takes. */
const stepsOf = (pattern: string, text: string, capacity = 1_000_000): number => {
  const fuel = makeFuel(capacity);
  drawFrom(fuel, () => patternCheck({ pattern })?.accepts(text));
  return fuel.capacity - fuel.left;
};

describe('steps are in proportion to the text', () => {
  test.each([
    ['exponential: a repetition in a repetition', '^(a+)+$', 'a'],
    ['exponential: alternatives that are the same', '^(a|a)*$', 'a'],
    ['exponential: alternatives that overlap', '^(a|[ab])*$', 'a'],
    ['exponential: a part that may be empty', '^(a?b?)*$', 'ab'],
    ['exponential: repetitions that may be empty', '^(a*)*$', 'a'],
    ['exponential: words and blanks', '^(\\w+\\s?)*$', 'a'],
    ['exponential: a path', '^([/\\w .-]*)*/?$', '/a'],
    ['cubic', '^\\d*\\d*\\d*x$', '1'],
    ['of the fifth degree', '^.*a.*a.*a.*a.*b$', 'a'],
    ['cubic: blanks', '^\\s*(.*?)\\s*,\\s*(.*?)\\s*;$', ' '],
    ['quadratic: no anchor', '\\d+x', '1'],
    ['quadratic: no anchor, blanks at the end', '\\s+$', ' '],
    ['counted', '^(a{1,3}){2,}b$', 'a'],
    ['counted, one in another', '^((a{0,3}){0,3}){2,}b$', 'a'],
    ['what lies ahead', '^(?=(a+)+$)b', 'a'],
    ['what lies behind', '^(?<!(a|a)*b)(a|a)*$', 'a'],
    ['lazy', '^(a+?)+?$', 'a'],
    ['an address of mail', '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$', 'a'],
  ])('%s', (_title, pattern, pump) => {
    const [some, more] = [1_000, 2_000].map((length) =>
      stepsOf(pattern, `${pump.repeat(length / pump.length)}!`),
    );
    expect(more).toBeLessThan(2.2 * Number(some));
    expect(more).toBeLessThan(400_000);
  });

  test.each([
    ['anchored, one repetition', '^[a-z]+$', 'a'],
    ['a fixed number', '^\\d{3}-\\d{4}$', '1'],
  ])('no program is needed: %s', (_title, pattern, pump) => {
    expect(stepsOf(pattern, pump.repeat(100_000))).toBe(0);
  });

  test.each([
    ['many that may be left out', `^${'a?'.repeat(30)}${'a'.repeat(30)}$`, 'a'.repeat(29)],
    ['bounded repetitions', `^${'a{0,50}'.repeat(6)}b$`, 'a'.repeat(50)],
  ])('repetitions that are bounded multiply, too: %s', (_title, pattern, text) => {
    expect(stepsOf(pattern, text)).toBeGreaterThan(0);
  });
});

test('a text that takes more steps than there are is not decided, and the pattern is named', () => {
  const decide = () => stepsOf('^(a+)+$', 'a'.repeat(1_000), 100);
  expect(decide).toThrow(FuelExhausted);
  expect(decide).toThrow(
    'must be decided by the pattern ^(a+)+$ within the 100 steps that the message may take: shorten it',
  );
});

test('a back reference is left to the platform, and stopped', () => {
  const check = patternCheck({ pattern: '^(a+)+\\1b$' });
  expect(check?.accepts('aab')).toBe(true);
  expect(check?.accepts('ab')).toBe(false);
  // Outside of messages, what is not decided does not fit.
  expect(check?.accepts('a'.repeat(100))).toBe(false);
  expect(() => stepsOf('^(a+)+\\1b$', 'a'.repeat(100))).toThrow('(a+)+\\1b');
});

/** Patterns made of a few parts, so that ways through them meet; back references aside. */
const patterns = fc.letrec<Record<'pattern' | 'sequence' | 'choice' | 'repeated' | 'look', string>>(
  (tie) => ({
    pattern: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('a', 'b', '.', '\\d', '\\w', '\\s', '[ab]', '[^a]', '[^]', '\\b', '\\B'),
      fc.constantFrom('^', '$', '\u{1F600}', '[\u{1F600}b]', '\\S', '\\W', '\\ud83d', '1', 'ſ'),
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

test("a program agrees with the platform's own engine", () => {
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 4, maxLength: 4 }), (source, all) => {
      const parsed = parsePattern(source);
      if (parsed === undefined) throw new Error(`${source} is no pattern`);
      const matches = compilePattern(parsed);
      const expression = new RegExp(source, parsed.flags);
      for (const text of all) {
        const at = expression.exec(text)?.index;
        // The platform also looks between the halves of a pair, where ECMA-262 has no place.
        if (at && parsed.flags === 'u' && Number(text.codePointAt(at - 1)) > 0xffff) continue;
        expect([source, text, drawFrom(makeFuel(1e6), () => matches(text))]).toEqual([
          source,
          text,
          at !== undefined,
        ]);
      }
    }),
    { seed: 20_261_123, numRuns: 500 },
  );
});
