/** Workers that are asked to read their documents again, each behind a channel in this process. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Channel, openChannel } from '../../../../src/server/processes/ipc';
import { followReloads, leadReloads } from '../../../../src/server/processes/worker-reloads';
import { connectedEnds } from './channel-ends';

/** A worker, and what it would read. */
interface TestWorker {
  serves: string;
  /** The version of the documents on its disk, or what is wrong with them. */
  reads: string | Error;
  /** Ends it in place of reading. */
  dies: boolean;
  mended: readonly string[];
  readonly admit: ReturnType<typeof followReloads>;
  end(): void;
}

let primary: ReturnType<typeof leadReloads>;
beforeEach(() => {
  primary = leadReloads();
});

const result = (version: string) => ({ version, refused: [], mended: [], weakened: [] });

const newWorker = (version: string): TestWorker => {
  const { ends } = connectedEnds();
  const [near, far]: readonly [Channel, Channel] = [openChannel(ends[0]), openChannel(ends[1])];
  primary.add(near);
  const worker: TestWorker = {
    serves: version,
    reads: version,
    dies: false,
    mended: [],
    end: () => ends[0].emit('disconnect'),
    admit: followReloads(far, async () => {
      const { reads, dies } = worker;
      if (dies) {
        worker.end();
        return new Promise(() => undefined);
      }
      if (reads instanceof Error) throw reads;
      return {
        result: { ...result(reads), mended: worker.mended },
        serve: () => {
          worker.serves = reads;
        },
        forget: () => undefined,
      };
    }),
  };
  return worker;
};

const admitted = async (version: string): Promise<TestWorker> => {
  const worker = newWorker(version);
  await worker.admit(version);
  return worker;
};

describe('a reload', () => {
  const fault = new Error('petstore.yaml:1:1 error: No');
  test.each<[string, Partial<TestWorker>, string | RegExp, string[]]>([
    ['that all can', {}, 'b', ['b', 'b']],
    ['that one cannot', { reads: fault }, /petstore\.yaml:1:1 error: No/, ['a', 'a']],
    ['of documents that change meanwhile', { reads: 'c' }, /changed while they were/, ['a', 'a']],
    ['during which one dies', { dies: true }, 'b', ['b', 'a']],
  ])('%s', async (_, change, outcome, served) => {
    const [one, other] = [await admitted('a'), await admitted('a')];
    one.reads = 'b';
    Object.assign(other, { reads: 'b' }, change);
    if (typeof outcome === 'string') expect(await primary.reload()).toEqual(result(outcome));
    else await expect(primary.reload()).rejects.toThrow(outcome);
    expect([one.serves, other.serves]).toEqual(served);
  });

  test('that failed leaves nothing that a later one would serve', async () => {
    const [one, other] = [await admitted('a'), await admitted('a')];
    one.reads = 'b';
    other.reads = new Error('No');
    await expect(primary.reload()).rejects.toThrow('No');
    one.reads = 'a';
    other.reads = 'a';
    expect(await primary.reload()).toEqual(result('a'));
    expect([one.serves, other.serves]).toEqual(['a', 'a']);
  });

  test('tells what any of them was told', async () => {
    const [one, other] = [await admitted('a'), await admitted('a')];
    one.mended = ['box.yaml is mended'];
    other.mended = ['box.yaml is mended'];
    await admitted('a');
    expect(await primary.reload()).toEqual({ ...result('a'), mended: ['box.yaml is mended'] });
  });

  test('waits for the one before', async () => {
    const worker = await admitted('a');
    worker.reads = 'b';
    expect(await Promise.all([primary.reload(), primary.reload()])).toEqual([
      result('b'),
      result('b'),
    ]);
  });

  test('without a worker is refused', async () => {
    await expect(primary.reload()).rejects.toThrow('No worker serves yet');
  });
});

describe('a worker is admitted', () => {
  test('with the documents that the others serve, and no others', async () => {
    const first = await admitted('a');
    await expect(newWorker('b').admit('b')).rejects.toThrow(
      /^Worker not started: the files on disk/,
    );
    first.reads = 'b';
    await primary.reload();
    await admitted('b');
    await expect(newWorker('a').admit('a')).rejects.toThrow(/version b/);
  });

  test('with any where no other is left', async () => {
    const first = await admitted('a');
    first.end();
    await admitted('b');
  });
});
