import { describe, expect, test } from '@jest/globals';
import { retryWhileBusy } from '../../../../src/storage/sqlite/sqlite-connection';

const coded = (code: string) => Object.assign(new Error(code), { code });

/** Fails with the errors, one after the other, and succeeds then. */
const failing = (...errors: Error[]) => {
  let attempts = 0;
  return {
    attempts: () => attempts,
    attempt: async () => {
      const error = errors[attempts];
      attempts += 1;
      if (error !== undefined) throw error;
      return 'done';
    },
  };
};

describe('retryWhileBusy', () => {
  test.each([
    [[]],
    [['SQLITE_BUSY']],
    [['SQLITE_BUSY_SNAPSHOT', 'SQLITE_BUSY_RECOVERY', 'SQLITE_BUSY', 'SQLITE_BUSY']],
  ])('is done after %j', async (codes: string[]) => {
    const { attempt, attempts } = failing(...codes.map(coded));
    expect(await retryWhileBusy(attempt, 10_000)).toBe('done');
    expect(attempts()).toBe(codes.length + 1);
  });

  test('gives up when the time is over', async () => {
    const { attempt } = failing(...Array.from({ length: 1000 }, () => coded('SQLITE_BUSY')));
    await expect(retryWhileBusy(attempt, 20)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  });

  test('does not wait after anything else', async () => {
    const { attempt, attempts } = failing(coded('SQLITE_FULL'));
    await expect(retryWhileBusy(attempt, 10_000)).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    expect(attempts()).toBe(1);
  });
});
