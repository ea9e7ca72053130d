import { describe, expect, test } from '@jest/globals';
import {
  type Connection,
  Skipped,
  type WithConnection,
} from '../../../../src/storage/connections/database-driver';
import { DatabaseUnavailable } from '../../../../src/storage/connections/database-errors';
import { retryTransient, runTransaction } from '../../../../src/storage/database/database';

const coded = (code: string) => Object.assign(new Error(code), { code });
const conflict = coded('40001');
const lost = coded('57P01');
const full = coded('53100');
const blocked = coded('55P03');
const mistake = new TypeError('a mistake');

/** The errors of a step of a transaction, one attempt after the other; undefined: it succeeds. */
type Failures = readonly (Error | undefined)[];

type Step = 'begin' | 'work' | 'sent' | 'commit' | 'rollback';

/** A connection that records its calls and fails as the test says. */
const rehearse = (failures: Partial<Record<Step, Failures>> = {}) => {
  const steps: string[] = [];
  const counts = new Map<Step, number>();
  let borrowed = 0;
  const step = async (name: Step): Promise<void> => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    steps.push(`${borrowed} ${name}`);
    const failure = failures[name]?.[count];
    if (failure !== undefined) throw failure;
  };
  const connection: Connection = {
    runOwn: async () => ({ rows: [], count: 0 }),
    all: async () => [],
    run: async () => 0,
    send: async () => undefined,
    begin: () => step('begin'),
    async commit() {
      await step('sent').catch((error: unknown) => {
        throw new Skipped(error);
      });
      await step('commit');
    },
    rollback: () => step('rollback'),
  };
  const lend: WithConnection = async (work) => {
    borrowed += 1;
    return work(connection);
  };
  const work = async () => {
    await step('work');
    return 'done';
  };
  return { steps, run: () => runTransaction(lend, work) };
};

/** The steps on the first connection. */
const firstSteps = (text: string): string[] => text.split(' ').map((step) => `1 ${step}`);

const always = (error: Error): Error[] => Array.from({ length: 100 }, () => error);

describe('transact', () => {
  test('begins, works, commits', async () => {
    const { steps, run } = rehearse();
    expect(await run()).toBe('done');
    expect(steps).toEqual(['1 begin', '1 work', '1 sent', '1 commit']);
  });

  test.each<[string, Partial<Record<Step, Failures>>, string]>([
    ['a conflict in the work', { work: [conflict] }, 'begin work rollback'],
    ['a conflict in what was sent', { sent: [conflict] }, 'begin work sent rollback'],
    ['a connection that is lost before it commits', { sent: [lost] }, 'begin work sent'],
    ['a conflict when it commits', { commit: [conflict] }, 'begin work sent commit rollback'],
    ['a connection that is lost at its beginning', { begin: [lost] }, 'begin'],
    ['a connection that is lost in the work', { work: [lost] }, 'begin work'],
    [
      'a connection that is lost when it undoes',
      { work: [full], rollback: [lost] },
      'begin work rollback',
    ],
  ])('does it again on another connection after %s', async (_, failures, before) => {
    const { steps, run } = rehearse(failures);
    expect(await run()).toBe('done');
    expect(steps).toEqual([...firstSteps(before), '2 begin', '2 work', '2 sent', '2 commit']);
  });

  test('never does it again where the connection was lost when it committed', async () => {
    const { steps, run } = rehearse({ commit: [lost] });
    await expect(run()).rejects.toMatchObject({ cause: lost, retryAfterSeconds: undefined });
    expect(steps).toEqual(['1 begin', '1 work', '1 sent', '1 commit']);
  });

  test.each<[string, Partial<Record<Step, Failures>>, Error, string]>([
    ['a full disk', { work: [full] }, full, 'begin work rollback'],
    ['a lock', { work: [blocked] }, blocked, 'begin work rollback'],
    ['that it could not commit', { commit: [full] }, full, 'begin work sent commit rollback'],
  ])('undoes it and tells %s', async (_, failures, cause, wanted) => {
    const { steps, run } = rehearse(failures);
    await expect(run()).rejects.toMatchObject({ cause, retryAfterSeconds: 2 });
    expect(steps).toEqual(firstSteps(wanted));
  });

  test('undoes it and throws what the work threw, though undoing fails', async () => {
    const { steps, run } = rehearse({ work: [mistake], rollback: [new Error('no transaction')] });
    await expect(run()).rejects.toBe(mistake);
    expect(steps).toEqual(['1 begin', '1 work', '1 rollback']);
  });

  test.each<[string, Error]>([
    ['conflicts', conflict],
    ['lost connections', lost],
  ])('gives up after several %s', async (_, failure) => {
    const { steps, run } = rehearse({ work: always(failure) });
    await expect(run()).rejects.toMatchObject({ cause: failure, retryAfterSeconds: 2 });
    expect(steps.filter((step) => step.endsWith('work'))).toHaveLength(8);
  });
});

test('what is tried again throws a mistake as it is, and hides what the driver said', async () => {
  expect(await retryTransient(async () => 7)).toBe(7);
  await expect(retryTransient(() => Promise.reject(mistake))).rejects.toBe(mistake);
  const failed = retryTransient(() => Promise.reject(full));
  await expect(failed).rejects.toThrow(DatabaseUnavailable);
  await expect(failed).rejects.toThrow('The database is not available at the moment');
});
