/** The thread of a search: it changes inputs of a corpus by chance, and runs the target on them. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { type Random, randomOf } from '../machine/random';
import { inflate, mutate } from './mutate';
import { type FuzzTarget, type FuzzTargets, timeBound } from './target';
import { type Fault, headBytes, type Task } from './thread';

const report = (fault: Fault): void => parentPort?.postMessage(fault);

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Returns a function that runs an input, after it was shared: this thread may not survive it. */
const runner = (target: FuzzTarget, shared: SharedArrayBuffer) => {
  const head = new Int32Array(shared, 0, 2);
  const bytes = new Uint8Array(shared, headBytes);
  return async (input: Uint8Array): Promise<void> => {
    bytes.set(input);
    head[1] = input.length;
    Atomics.add(head, 0, 1);
    const done = target.run(input);
    // Most targets need no turn of the event loop.
    if (done !== undefined) await done;
  };
};

type Run = ReturnType<typeof runner>;

/** The number of measurements of what seems slow; the least counts: other programs use the machine, too. */
const tries = 5;

/** Measures milliseconds of the processor; the process does nothing else. */
const processorTime = async (work: () => Promise<void>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** Runs the input; returns what is wrong. */
const faultOf = async (
  { isTimed }: FuzzTarget,
  run: Run,
  input: Uint8Array,
): Promise<string | undefined> => {
  const bound = timeBound(input.length);
  try {
    const begin = performance.now();
    await run(input);
    if (!isTimed || performance.now() - begin <= bound) return undefined;
    let least = Number.POSITIVE_INFINITY;
    for (let left = tries; left > 0 && least > bound; left -= 1) {
      least = Math.min(least, await processorTime(() => run(input)));
    }
    return least > bound ? `Slow: ${input.length} bytes take ${Math.round(least)} ms` : undefined;
  } catch (error) {
    return textOf(error);
  }
};

const inflatedShare = 0.005;

const nextInput = (
  inputs: readonly Uint8Array[],
  random: Random,
  { tokens, isTimed, longest }: FuzzTarget,
): Uint8Array => {
  const pick = (): Uint8Array => random.pickAny(inputs) ?? new Uint8Array();
  const input = mutate(pick(), random, { other: pick(), tokens });
  return isTimed && random.chance(inflatedShare) ? inflate(input, random, longest) : input;
};

/** Bytes of the heap that may stay in use after a search. */
const mostHeapGrowth = 64 * 1024 * 1024;

const usedHeap = (): number => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
};

const search = async (task: Task): Promise<void> => {
  const { targets }: { targets: FuzzTargets } = require(task.targets);
  const make = targets[task.name];
  if (make === undefined) throw new Error(`Unknown target ${task.name}`);
  const target = await make();
  const run = runner(target, task.shared);
  const tryInput = async (input: Uint8Array): Promise<void> => {
    const text = await faultOf(target, run, input);
    if (text !== undefined) report({ input, text });
  };
  const random = randomOf(task.name, task.seed);
  const inputs = [...target.seeds, ...task.corpus];
  for (const input of inputs) await tryInput(input);
  const before = usedHeap();
  const deadline = performance.now() + task.seconds * 1000;
  while (performance.now() < deadline) await tryInput(nextInput(inputs, random, target));
  const growth = usedHeap() - before;
  if (growth > mostHeapGrowth) report({ text: `${growth} more bytes are in use after the search` });
  await target.stop?.();
};

void search(workerData);
