/** The thread in which a target runs: it searches, checks one input, or minimises a corpus. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { type Random, randomOf } from '../machine/random';
import { type Coverage, watchCoverage } from './coverage';
import { headBytes, type Report, type SearchWork, type Task } from './messages';
import { inflate, mutate } from './mutate';
import { type FuzzTarget, type FuzzTargets, timeBound } from './target';

const say = (report: Report): void => parentPort?.postMessage(report);

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Runs an input so that whoever watches knows which one it is, whatever becomes of this thread. */
const runner = (target: FuzzTarget, shared: SharedArrayBuffer) => {
  const head = new Int32Array(shared, 0, 2);
  const bytes = new Uint8Array(shared, headBytes);
  return async (input: Uint8Array): Promise<number> => {
    bytes.set(input);
    head[1] = input.length;
    Atomics.add(head, 0, 1);
    const start = performance.now();
    const done = target.run(input);
    // Most targets need no turn of the event loop.
    if (done !== undefined) await done;
    return performance.now() - start;
  };
};

type Run = ReturnType<typeof runner>;

/** How often what seems slow is measured; the least counts: others use the machine, too. */
const tries = 5;

/** The milliseconds of the processor that something takes, where the process does nothing else. */
const processorTime = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/**
 * Undefined where all is well.
 * @param measure the milliseconds that a run takes
 */
const faultOf = async (
  target: FuzzTarget,
  input: Uint8Array,
  measure: () => Promise<number>,
): Promise<string | undefined> => {
  let least = Number.POSITIVE_INFINITY;
  try {
    for (let left = tries; left > 0; left -= 1) {
      least = Math.min(least, await measure());
      if (!target.isTimed || least <= timeBound(input.length)) return undefined;
    }
    return `Slow: ${input.length} bytes take ${Math.round(least)} ms`;
  } catch (error) {
    return describe(error);
  }
};

/** The inputs that a search goes on from; later ones, which reach farther, are taken more often. */
const pickInput = (inputs: readonly Uint8Array[], random: Random): Uint8Array => {
  const from = random.chance(0.4) ? Math.max(0, inputs.length - 32) : 0;
  return random.pickAny(inputs.slice(from)) ?? new Uint8Array();
};

const inflatedShare = 0.005;

const nextInput = (
  inputs: readonly Uint8Array[],
  random: Random,
  { tokens, isTimed, longest }: FuzzTarget,
) => {
  const material = { other: pickInput(inputs, random), tokens };
  const input = mutate(pickInput(inputs, random), random, material);
  return isTimed && random.chance(inflatedShare) ? inflate(input, random, longest) : input;
};

/** Longer inputs would make all that follow slow. */
const longestKept = 64 * 1024;

const usedHeap = (): number => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
};

const search = async (
  target: FuzzTarget,
  run: Run,
  coverage: Coverage,
  { name, corpus }: Task,
  { seconds, seed }: SearchWork,
): Promise<void> => {
  const deadline = performance.now() + seconds * 1000;
  const random = randomOf(name, seed);
  const inputs: Uint8Array[] = [];
  const tryInput = async (input: Uint8Array): Promise<void> => {
    const what = await faultOf(target, input, () => run(input));
    if (what !== undefined) say({ kind: 'suspect', input, what });
    else if (coverage.hasGrown() && input.length <= longestKept) {
      inputs.push(input);
      say({ kind: 'kept', input });
    }
  };
  coverage.reset();
  for (const input of [...target.seeds, ...corpus]) await tryInput(input);
  const before = usedHeap();
  while (performance.now() < deadline) await tryInput(nextInput(inputs, random, target));
  say({ kind: 'searched', ...coverage.totals(), heapGrowth: usedHeap() - before });
};

/** Warms up first, as a server is warm; what the others do wrong is another matter. */
const check = async (
  target: FuzzTarget,
  run: Run,
  input: Uint8Array,
  corpus: readonly Uint8Array[],
) => {
  for (const other of [...target.seeds, ...corpus]) await run(other).catch(() => undefined);
  const measure = () => processorTime(() => run(input));
  say({ kind: 'checked', what: await faultOf(target, input, measure) });
};

const minimise = async (
  target: FuzzTarget,
  run: Run,
  coverage: Coverage,
  corpus: readonly Uint8Array[],
) => {
  const isSound = (input: Uint8Array): Promise<boolean> =>
    run(input).then(
      () => true,
      () => false,
    );
  coverage.reset();
  for (const input of target.seeds) await isSound(input);
  coverage.hasGrown();
  const inputs: Uint8Array[] = [];
  for (const input of [...corpus].sort((one, other) => one.length - other.length)) {
    const isKept = await isSound(input);
    if (coverage.hasGrown() && isKept) inputs.push(input);
  }
  say({ kind: 'minimised', inputs });
};

const main = async (task: Task): Promise<void> => {
  const { targets }: { targets: FuzzTargets } = require(task.targets);
  const make = targets[task.name];
  if (make === undefined) throw new Error(`There is no target ${task.name}`);
  const target = await make();
  const run = runner(target, task.shared);
  const { work, corpus } = task;
  // How often something runs between two requests of a server says nothing.
  const countsMatter = target.isTimed && (work.kind !== 'minimise' || work.countsMatter);
  const coverage = watchCoverage(target.covers, countsMatter);
  if (work.kind === 'search') await search(target, run, coverage, task, work);
  if (work.kind === 'check') await check(target, run, work.input, corpus);
  if (work.kind === 'minimise') await minimise(target, run, coverage, corpus);
  await target.stop?.();
};

void main(workerData);
