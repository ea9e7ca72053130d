/** Every input that a search kept, and some that are near to them, through every target: no crash, no wrong answer. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readCorpus } from '../../scripts/fuzz/corpus';
import { mutate } from '../../scripts/fuzz/mutate';
import type { FuzzTarget } from '../../scripts/fuzz/target';
import { randomOf } from '../../scripts/machine/random';
import { targets } from './targets';

/** Inputs that are made of each target's corpus. */
const changes = 100;

const faultOf = async (target: FuzzTarget, input: Uint8Array): Promise<unknown> => {
  try {
    await target.run(input);
    return undefined;
  } catch (error) {
    return { input: Buffer.from(input).toString('latin1'), error };
  }
};

describe.each(Object.entries(targets))('%s', (name, make) => {
  const corpus = readCorpus(join(__dirname, 'corpus', `${name}.txt`));
  let target: FuzzTarget | undefined;

  const run = async (inputs: readonly Uint8Array[]): Promise<void> => {
    if (target === undefined) throw new Error('The target is not ready');
    for (const input of inputs) expect(await faultOf(target, input)).toBeUndefined();
  };

  beforeAll(async () => {
    target = await make();
  });

  afterAll(() => target?.stop?.());

  test('takes what a search kept', async () => {
    expect(corpus.length).toBeGreaterThan(0);
    await run(corpus);
  });

  test('takes what is near to it', async () => {
    const { seeds = [], tokens = [] } = target ?? {};
    const random = randomOf(name, 1);
    const all = [...seeds, ...corpus];
    const pick = (): Uint8Array => random.pickAny(all) ?? new Uint8Array();
    await run(
      Array.from({ length: changes }, () => mutate(pick(), random, { other: pick(), tokens })),
    );
  });
});
