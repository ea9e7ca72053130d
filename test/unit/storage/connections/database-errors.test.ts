import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  classifyError,
  commitOutcomeUnknown,
  connectionErrorHint,
  type DatabaseErrorKind,
  databaseFailureCode,
  databaseUnavailable,
  isConnectionError,
  operatorMessage,
} from '../../../../src/storage/connections/database-errors';
import { tableOf } from '../../../support/text-cases';

const cases = join(__dirname, 'database-errors.cases.txt');

const coded = (code: string, message = 'as it says') => Object.assign(new Error(message), { code });

describe('classifyError', () => {
  test.each(tableOf(cases, 'codes'))('%s (%s): %s', (_, code = '', kind = '') => {
    expect(String(classifyError(coded(code)))).toBe(kind);
  });

  test.each<[string, unknown, DatabaseErrorKind | undefined]>([
    ['the connection ended', new Error('Connection terminated unexpectedly'), 'lost'],
    ['no answer came', new Error('Query read timeout'), 'lost'],
    ['no connection came about', new Error('timeout expired'), 'lost'],
    ['none is free', new Error('timeout exceeded when trying to connect'), 'unavailable'],
    ['a fault of ours', new TypeError('undefined is not a function'), undefined],
    ['no error at all', undefined, undefined],
    ['a text', 'SQLITE_BUSY', undefined],
    ['an error that was described before', databaseUnavailable(coded('ECONNRESET')), undefined],
  ])('%s', (_, error, kind) => {
    expect(classifyError(error)).toBe(kind);
  });
});

describe('databaseFailureCode', () => {
  test.each<[string, unknown, string | undefined]>([
    ['a full disk, told as unavailable', databaseUnavailable(coded('SQLITE_FULL')), 'SQLITE_FULL'],
    ['a kind of a code', coded('SQLITE_IOERR_WRITE'), 'SQLITE_IOERR'],
    ['a state of a class', commitOutcomeUnknown(coded('57P01')), '57P01'],
    ['an error of the driver', new Error('Connection terminated'), 'connection'],
    ['a failure of a statement', coded('23505'), undefined],
    [
      'no error of the database',
      databaseUnavailable(new Error('4096 changes are waiting')),
      undefined,
    ],
    ['no error at all', undefined, undefined],
  ])('%s', (_, error, code) => {
    expect(databaseFailureCode(error)).toBe(code);
  });
});

describe('isConnectionError', () => {
  test.each<[string, unknown, boolean]>([
    ['a broken connection', coded('ECONNRESET'), true],
    ['a broken connection, told as an unknown outcome', commitOutcomeUnknown(coded('57P01')), true],
    ['a conflict', coded('40001'), false],
    ['a full disk, told as unavailable', databaseUnavailable(coded('SQLITE_FULL')), false],
    ['a fault of ours', new Error(), false],
  ])('%s: %s', (_, error, lost) => {
    expect(isConnectionError(error)).toBe(lost);
  });
});

describe('connectionErrorHint', () => {
  test.each<[unknown, string]>([
    ...tableOf(cases, 'hints').map(([code = '', hint = '']): [unknown, string] => [
      coded(code),
      `${hint}: as it says`,
    ]),
    [
      new Error('timeout expired'),
      'see that the server runs and can be reached from here: timeout expired',
    ],
    [
      new Error('The server does not support SSL connections'),
      'turn TLS on there, or say sslmode=disable: The server does not support SSL connections',
    ],
    [coded('SQLITE_ERROR', 'no such table'), 'no such table'],
    [new Error('a mistake'), 'a mistake'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
    // What no class of errors made, one driver throws.
    [{ code: 'SQLITE_FULL', message: 'full' }, 'make room on its disk: full'],
    [
      Object.assign(new AggregateError([new Error('of ::1'), new Error('of 127.0.0.1')]), {
        code: 'ECONNREFUSED',
      }),
      'see that the server runs and can be reached from here: of ::1; of 127.0.0.1',
    ],
  ])('%p: %s', (error, sentence) => {
    expect(connectionErrorHint(error)).toBe(sentence);
  });
});

test.each<[unknown, string]>([
  [
    databaseUnavailable(coded('SQLITE_CORRUPT')),
    'The database is not available at the moment: it is damaged or not a database, so restore a backup: as it says',
  ],
  [new Error('a mistake'), 'a mistake'],
  ['a text', 'a text'],
])('operators are told of %p: %s', (error, sentence) => {
  expect(operatorMessage(error)).toBe(sentence);
});
