/** The bounds of JSON Lines are those of the whole text, however it is divided into lines. */

import { expect, test } from '@jest/globals';
import { readLimits } from '../../../../../src/base/read-limits';
import { readerOf } from '../../../../../src/engine/media-types/codec/codec';
import { jsonLinesCodec } from '../../../../../src/engine/media-types/codecs';
import { shapeOf } from '../shapes';

const shape = shapeOf({ type: 'array', items: {} });
const read = readerOf(jsonLinesCodec, shape, 'request', { ...readLimits, nodes: 6 });

test.each([
  ['1\n2\n\n3\n4\n5\n6\n', [1, 2, 3, 4, 5, 6]],
  ['[1,2]\n{"a":3,"b":null}', [[1, 2], { a: 3, b: null }]],
])('%j is read', (text, items) => {
  expect(read(text)).toStrictEqual(items);
});

test.each([['1\n2\n3\n4\n5\n6\n7'], ['[1,2]\n[3,4]\n5'], ['{"a":[1]}\n{"a":[1,2]}\n']])(
  '%j has too many values',
  (text) => {
    expect(() => read(text)).toThrow('The text has more than 6 values');
  },
);
