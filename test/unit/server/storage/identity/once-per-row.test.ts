import { expect, test } from '@jest/globals';
import { oncePerRow } from '../../../../../src/server/storage/identity/once-per-row';

test('makes one thing of each row, and another of one that only looks the same', () => {
  const made = oncePerRow((row: { readonly id: number }) => ({ double: row.id * 2 }));
  const [row, alike] = [{ id: 4 }, { id: 4 }];
  expect(made(row)).toEqual({ double: 8 });
  expect(made(row)).toBe(made(row));
  expect(made(alike)).not.toBe(made(row));
});
