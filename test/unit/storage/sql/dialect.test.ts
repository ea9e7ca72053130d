import { describe, expect, test } from '@jest/globals';
import { isUniqueViolation, searchKey } from '../../../../src/storage/sql/dialect';

test.each([
  ['SQLite', { code: 'SQLITE_CONSTRAINT', message: 'UNIQUE constraint failed: users.id' }, true],
  ['PostgreSQL', { code: '23505', message: 'duplicate key value' }, true],
  [
    'another constraint',
    { code: 'SQLITE_CONSTRAINT', message: 'NOT NULL constraint failed' },
    false,
  ],
  ['another error', new Error('UNIQUE constraint failed'), false],
  ['no object', 'UNIQUE constraint failed', false],
  ['null', null, false],
])('recognises the error of %s', (_title, error, wanted) => {
  expect(isUniqueViolation(error)).toBe(wanted);
});

const long = 'x'.repeat(200);

describe('searchKey', () => {
  test.each([
    ['the empty text', ''],
    ['a name', 'Größe'],
    ['the longest short text', long],
  ])('is the text itself for %s', (_, text) => {
    expect(searchKey(text)).toBe(text);
  });

  test('keeps the beginning of a long text, with a digest of the whole', () => {
    expect(searchKey(`${long}!`)).toMatch(/^x{200}[0-9a-f]{64}$/);
  });

  test.each([
    ['end', `${long}a`, `${long}b`],
    ['length', `${long}a`, `${long}aa`],
  ])('tells long texts apart that differ in their %s', (_, one, other) => {
    expect(searchKey(one)).not.toBe(searchKey(other));
  });

  test('is never the key of another text, which may be a key itself', () => {
    expect(searchKey(searchKey(`${long}a`))).not.toBe(searchKey(`${long}a`));
  });

  test.each([
    ['letters of four bytes', '\u{1f469}'],
    ['letters of three bytes', '\u20ac'],
    ['what a database cannot keep', '\u0000'],
  ])('fits into an index, also of a text of %s', (_, letter) => {
    for (const length of [1, 99, 100, 101, 199, 200, 201, 5000]) {
      const key = searchKey(letter.repeat(length));
      expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1000);
      expect(key).not.toContain('\u0000');
    }
  });

  test('has no character that a database cannot keep, and tells such texts apart', () => {
    const keys = ['a\u0000b', 'a\u0000', '\u0000', 'ab', ''].map(searchKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => key.includes('\u0000'))).toEqual([]);
  });
});
