/** The listener for SIGHUP. */

import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '../../../../scripts/machine/until';
import type { ReloadResult } from '../../../../src/host/reload-result';
import { onReloadRequests } from '../../../../src/server/processes/workers';
import { valuesOf } from '../../../support/text-cases';

const cases = join(__dirname, 'reload-requests.cases.txt');

const result = (version = 'abc', more: Partial<ReloadResult> = {}): ReloadResult => ({
  ...{ version, refused: [], mended: [], weakened: [] },
  ...more,
});

describe('SIGHUP', () => {
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const others = process.listeners('SIGHUP');
  afterEach(() => {
    jest.clearAllMocks();
    for (const listener of process.listeners('SIGHUP')) {
      if (!others.includes(listener)) process.off('SIGHUP', listener);
    }
  });

  test('shares a reload that waits with all who ask meanwhile', async () => {
    const ends: (() => void)[] = [];
    const reload = jest.fn(
      () => new Promise<ReloadResult>((resolve) => ends.push(() => resolve(result()))),
    );
    onReloadRequests(reload, log);
    for (let count = 0; count < 50; count += 1) process.emit('SIGHUP');
    const end = (count: number) => until(`reload ${count}`, () => ends[count - 1]);
    (await end(1))();
    for (let count = 0; count < 50; count += 1) process.emit('SIGHUP');
    (await end(2))();
    await until('the second is over', () => log.info.mock.calls.length >= 2);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  test.each(
    valuesOf<[string, Partial<ReloadResult>, 'info' | 'warn' | 'error', object]>(cases, 'results'),
  )('the log says %s', async (_, more, level, fields) => {
    log[level].mockClear();
    onReloadRequests(async () => result('abc', more), log);
    process.emit('SIGHUP');
    await until('it is said', () => log[level].mock.calls[0]);
    expect(log[level].mock.calls).toEqual([[fields, expect.any(String)]]);
  });

  test('has the documents read again, and the log says what came of it', async () => {
    const failure = new Error('No');
    const reload = jest
      .fn<() => Promise<ReloadResult>>()
      .mockResolvedValueOnce(result())
      .mockRejectedValueOnce(failure);
    onReloadRequests(reload, log);
    process.emit('SIGHUP');
    await until('the first', () => log.info.mock.calls[0]);
    expect(log.info).toHaveBeenCalledWith({ version: 'abc', mended: [] }, expect.any(String));
    process.emit('SIGHUP');
    await until('the second', () => log.error.mock.calls[0]);
    expect(log.error).toHaveBeenCalledWith({ err: failure }, expect.any(String));
  });
});
