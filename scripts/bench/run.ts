/** `npm run bench`: a race against other servers, or one of the measurements of ours alone. */

import type { OurOptions } from './targets/ours';
import { type Cores, findCores, pinSelf } from '../machine/cores';
import { buildAblations, buildOurs, buildPeers, installPeers } from './machine/install';
import { heedInterruptions, isInterrupted } from './machine/interrupt';
import { type Options, readOptions } from './options';
import { measureAblations } from './probes/ablation';
import { watchHeap } from './probes/leak';
import { loginsCost } from './probes/logins-cost';
import { manyOperationsCost } from './probes/many-operations-cost';
import { storedCost } from './probes/stored-cost';
import { workersGain } from './probes/workers-gain';
import { showProgress } from './runs/progress';
import type { Progress } from './runs/race';
import { allContestants, runRace } from './runs/run-race';
import { allScenarios } from './scenarios/all';

const printList = (options: Options): void => {
  const lines = [
    'scenarios:',
    ...allScenarios.map(
      ({ name, title }) => `  ${name.padEnd(22)}${title(options.pets ?? 100_000)}`,
    ),
    'contestants:',
    ...allContestants(options, () => {}).map(({ id, title }) => `  ${id.padEnd(28)}${title}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
};

const ownContestants = ['ours', 'ours-postgres', 'before'];

/** Compiles whatever takes part; the product's own measurements need nobody else. */
const build = (options: Options, say: (line: string) => void): void => {
  if (options.build) buildOurs();
  if (options.workers || options.flat || options.logins) return;
  if (options.ablation !== undefined) {
    buildAblations();
    return;
  }
  if (options.contestants?.every((name) => ownContestants.includes(name))) return;
  installPeers(say);
  buildPeers();
};

/** Pinned only now: compiling may use every core. With several workers each shares a core with its own load. */
const takeCores = ({ workers }: Options): Cores | undefined => {
  const cores = workers ? undefined : findCores();
  if (cores !== undefined) pinSelf(cores.load);
  return cores;
};

/** One of the measurements of ours alone; undefined where a race is asked for. */
const measureOurs = async (
  options: Options,
  ours: OurOptions,
  cores: Cores | undefined,
  progress: Progress,
): Promise<boolean | undefined> => {
  if (options.workers) {
    await workersGain(ours);
    return true;
  }
  if (options.flat) {
    await manyOperationsCost();
    await storedCost(ours, options.stored, cores?.server);
    return true;
  }
  if (options.logins) return loginsCost(ours, cores?.server);
  if (options.leak !== undefined) return watchHeap(ours, options.leak, cores?.server);
  return options.ablation && measureAblations(options, options.ablation, cores, progress);
};

/** Runs what the command line asks for; resolves to the exit code. */
const run = async (options: Options): Promise<number> => {
  if (options.list) {
    printList(options);
    return 0;
  }
  const progress = showProgress();
  const ours: OurOptions = {
    folder: options.ours,
    say: (line) => progress.step(0, 0, line),
  };
  build(options, progress.line);
  const cores = takeCores(options);
  const isWell =
    (await measureOurs(options, ours, cores, progress)) ??
    (await runRace(options, cores, progress));
  return isWell ? 0 : 1;
};

heedInterruptions();
run(readOptions(process.argv.slice(2))).then(
  (code) => {
    if (isInterrupted()) return;
    // Connections of the clients that are still open must not keep it alive.
    process.exit(code);
  },
  (error: unknown) => {
    if (isInterrupted()) return;
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(1);
  },
);
