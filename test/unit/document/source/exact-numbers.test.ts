/** Numbers of a document that no double holds keep their text, up to a length. */

import { expect, test } from '@jest/globals';
import { exactNumber } from '../../../../src/document/source/exact-numbers';

test.each([
  ['an integer', '1', { value: 1, text: undefined }],
  ['a fraction', '0.5', { value: 0.5, text: undefined }],
  ['an integer beyond 2^53', '9007199254740993', { value: 9007199254740993n, text: undefined }],
  ['30 digits', `0.${'3'.repeat(30)}`, { value: 1 / 3, text: `${'3'.repeat(30)}e-30` }],
  ['1,000 characters', `0.${'3'.repeat(998)}`, { value: 1 / 3, text: `${'3'.repeat(998)}e-998` }],
  // Its digits would take time that is more than in proportion to their number.
  ['more characters', `0.${'3'.repeat(999)}`, undefined],
  ['no number', 'x', undefined],
])('%s', (_title, source, number) => {
  expect(exactNumber(source)).toEqual(number);
});
