import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { valueKey } from '../../../../../src/schema/validation/checks/equality-checks';

describe('valueKey', () => {
  test.each<[string, unknown, unknown, boolean]>([
    ['number and bigint', 1, 1n, true],
    ['the two zeros', 0, -0, true],
    ['a large double and the bigint of the same text', 1e25, 10n ** 25n, true],
    ['a large double and its neighbour', 1e25, 10n ** 25n + 1n, false],
    ['order of properties', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['text and number', '1', 1, false],
    ['text and null', 'null', null, false],
    ['text and boolean', 'true', true, false],
    ['nesting', ['a', ['b']], [['a'], 'b'], false],
    ['text that looks like a list', ['a,b'], ['a', 'b'], false],
    ['text that looks like an object', '{"a":1}', { a: 1 }, false],
    ['bytes', new Uint8Array([1]), new Uint8Array([1]), true],
    ['other bytes', new Uint8Array([1]), new Uint8Array([2]), false],
    ['bytes and a list', new Uint8Array([1]), [1], false],
    ['prototype names', JSON.parse('{"__proto__":1}'), {}, false],
  ])('%s', (_title, one, other, same) => {
    expect(valueKey(one) === valueKey(other)).toBe(same);
  });

  test('JSON values have the same key exactly if they read alike', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const copy: unknown = JSON.parse(JSON.stringify(one));
        expect(valueKey(copy)).toBe(valueKey(one));
        expect(valueKey(one) === valueKey([one])).toBe(false);
        expect(valueKey([one, other])).not.toBe(valueKey([one]));
      }),
      { seed: 2 },
    );
  });
});
