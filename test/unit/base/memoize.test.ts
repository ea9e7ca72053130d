import { expect, test } from '@jest/globals';
import { memoize } from '../../../src/base/memoize';

/** The texts that were computed, in order. */
let workedOut: string[] = [];

const remembering = () => {
  workedOut = [];
  return memoize(
    (text: string) => {
      workedOut.push(text);
      if (text === 'bad') throw new Error(text);
      return text === '' ? undefined : { text };
    },
    { max: 100 },
  );
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

test('makes one thing of each object, and another of one that only looks the same', () => {
  const made = memoize((row: { readonly id: number }) => ({ double: row.id * 2 }));
  const [row, alike] = [{ id: 4 }, { id: 4 }];
  expect(made(row)).toEqual({ double: 8 });
  expect(made(row)).toBe(made(row));
  expect(made(alike)).not.toBe(made(row));
});
