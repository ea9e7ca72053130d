import { expect, test } from '@jest/globals';
import { memoizeBounded } from '../../../../src/engine/lang/memoize-bounded';

/** What was worked out, in order. */
let workedOut: string[] = [];

const remembering = () => {
  workedOut = [];
  return memoizeBounded((text) => {
    workedOut.push(text);
    if (text === 'bad') throw new Error(text);
    return text === '' ? undefined : { text };
  });
};

test('works each text out once, also where nothing comes of it', () => {
  const ask = remembering();
  expect(ask('a')).toBe(ask('a'));
  expect([ask(''), ask('')]).toEqual([undefined, undefined]);
  expect(workedOut).toEqual(['a', '']);
});

test('tries again what has failed', () => {
  const ask = remembering();
  expect(() => ask('bad')).toThrow('bad');
  expect(() => ask('bad')).toThrow('bad');
});

test.each<[string, string[]]>([
  ['a text beyond the first hundred', Array.from({ length: 101 }, (_, at) => `text ${at}`)],
  ['a long text', ['a'.repeat(257)]],
])('does not remember %s, and gives the same', (_, texts) => {
  const ask = remembering();
  for (const text of texts) expect(ask(text)).toEqual({ text });
  const last = texts.at(-1) ?? '';
  expect(ask(last)).toEqual({ text: last });
  expect(workedOut).toEqual([...texts, last]);
});
