/** What is remembered of credentials that were looked up. */

import { expect, test } from '@jest/globals';
import { lastKnown } from '../../../../../src/server/storage/identity/last-known';

interface Row {
  readonly label: string;
  readonly scopes: string;
}

const read = ({ label, scopes }: Row) => ({ label, scopes: scopes.split(' ') });
const remembered = (isAhead = true) => lastKnown({ isAhead }, read);
const row = (more: Partial<Row> = {}): Row => ({ label: 'one', scopes: 'a b', ...more });

test('what is found again as it was is the same object', () => {
  const { get, note } = remembered();
  const found = note('hash', row());
  expect(found).toEqual({ label: 'one', scopes: ['a', 'b'] });
  expect(note('hash', row())).toBe(found);
  expect(get('hash')).toBe(found);
});

test('what has changed is another object, and what is gone is forgotten', () => {
  const { get, note } = remembered();
  const before = note('hash', row());
  const after = note('hash', row({ scopes: 'a' }));
  expect(after).toEqual({ label: 'one', scopes: ['a'] });
  expect(after).not.toBe(before);
  expect(get('hash')).toBe(after);
  expect(note('hash', undefined)).toBeUndefined();
  expect(get('hash')).toBeUndefined();
});

test('of very many the oldest goes', () => {
  const { get, note } = remembered();
  for (let number = 0; number <= 10_000; number += 1) note(`hash ${number}`, row());
  expect(get('hash 0')).toBeUndefined();
  expect([get('hash 1'), get('hash 10000')]).toEqual([read(row()), read(row())]);
});

test('nothing is known in advance where finding takes no trip', () => {
  const { get, note } = remembered(false);
  const found = note('hash', row());
  expect(get('hash')).toBeUndefined();
  expect(note('hash', row())).toBe(found);
});
