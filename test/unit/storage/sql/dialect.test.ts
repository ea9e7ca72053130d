import { expect, test } from '@jest/globals';
import { isUniqueViolation } from '../../../../src/storage/sql/dialect';

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
