import { describe, expect, test } from '@jest/globals';
import {
  classifyError,
  commitOutcomeUnknown,
  type DatabaseErrorKind,
  isConnectionError,
  unavailable,
} from '../../../../src/storage/connections/database-errors';

const coded = (code: string) => Object.assign(new Error('as the driver says'), { code });

describe('classifyError', () => {
  test.each<[string, string, DatabaseErrorKind | undefined]>([
    ['SQLite is locked by another process', 'SQLITE_BUSY', 'unavailable'],
    ['the disk is full', 'SQLITE_FULL', 'unavailable'],
    ['the disk fails', 'SQLITE_IOERR', 'lost'],
    ['the disk became read-only', 'SQLITE_READONLY', 'lost'],
    ['the file is damaged', 'SQLITE_CORRUPT', 'lost'],
    ['the file is gone', 'SQLITE_CANTOPEN', 'lost'],
    ['a value must be unique', 'SQLITE_CONSTRAINT', undefined],
    ['the SQL is wrong', 'SQLITE_ERROR', undefined],
    ['too many files are open', 'EMFILE', 'unavailable'],
    ['serialization_failure', '40001', 'conflict'],
    ['deadlock_detected', '40P01', 'conflict'],
    ['lock_not_available', '55P03', 'blocked'],
    ['query_canceled', '57014', 'blocked'],
    ['admin_shutdown', '57P01', 'lost'],
    ['cannot_connect_now', '57P03', 'lost'],
    ['connection_failure', '08006', 'lost'],
    ['read_only_sql_transaction', '25006', 'lost'],
    ['disk_full', '53100', 'unavailable'],
    ['too_many_connections', '53300', 'unavailable'],
    ['invalid_password', '28P01', 'unavailable'],
    ['io_error', '58030', 'unavailable'],
    ['data_corrupted', 'XX001', 'unavailable'],
    ['unique_violation', '23505', undefined],
    ['undefined_table', '42P01', undefined],
    ['an inner error of the database', 'XX000', undefined],
    ['a port without a listener', 'ECONNREFUSED', 'unavailable'],
    ['the socket broke', 'ECONNRESET', 'lost'],
    ['a code of five characters that is no SQLSTATE', 'EPERM', undefined],
  ])('%s (%s): %s', (_, code, kind) => {
    expect(classifyError(coded(code))).toBe(kind);
  });

  test.each<[string, unknown, DatabaseErrorKind | undefined]>([
    ['the connection ended', new Error('Connection terminated unexpectedly'), 'lost'],
    ['no answer came', new Error('Query read timeout'), 'lost'],
    ['no connection came about', new Error('timeout expired'), 'lost'],
    ['none is free', new Error('timeout exceeded when trying to connect'), 'unavailable'],
    ['a fault of ours', new TypeError('undefined is not a function'), undefined],
    ['no error at all', undefined, undefined],
    ['a text', 'SQLITE_BUSY', undefined],
    ['an error that was described before', unavailable(coded('ECONNRESET')), undefined],
  ])('%s', (_, error, kind) => {
    expect(classifyError(error)).toBe(kind);
  });
});

describe('isConnectionError', () => {
  test.each<[string, unknown, boolean]>([
    ['a broken connection', coded('ECONNRESET'), true],
    ['a broken connection, told as an unknown outcome', commitOutcomeUnknown(coded('57P01')), true],
    ['a conflict', coded('40001'), false],
    ['a full disk, told as unavailable', unavailable(coded('SQLITE_FULL')), false],
    ['a fault of ours', new Error(), false],
  ])('%s: %s', (_, error, lost) => {
    expect(isConnectionError(error)).toBe(lost);
  });
});
