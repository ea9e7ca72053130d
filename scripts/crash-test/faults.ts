/** The faults of processes, and their times. */

import { childrenOf, kill } from '../machine/processes';
import type { Random } from '../machine/random';
import type { Supervised } from '../machine/supervise';
import type { Pair } from './failover';
import type { SupervisedPostgres } from './postgres';

/** The processes that can be killed. */
export interface Machine {
  readonly program: Supervised;
  /** Undefined where the database is a file, or a pair. */
  readonly database: SupervisedPostgres | undefined;
  readonly pair: Pair | undefined;
}

/** Kills something; does nothing where it is down already. */
type Fault = (machine: Machine, random: Random) => Promise<void>;

/** Kills the process itself, not what it started. */
const killSelf = (supervised: Supervised): void => {
  const pid = supervised.pid();
  if (pid !== undefined) kill(pid);
};

/** Kills a process of the program, or the whole where it has a single one. */
const killWorker: Fault = async ({ program }, random) => {
  const worker = random.pickAny(await childrenOf(program.pid()));
  if (worker === undefined) program.killAll();
  else kill(worker.pid);
};

/** Kills one connection's process: the database server ends all others and recovers. */
const killBackend: Fault = async ({ database }, random) => {
  const children = await childrenOf(database?.server.pid());
  const backends = children.filter(({ command }) => /^postgres: postgres /.test(command));
  const backend = random.pickAny(backends);
  if (backend !== undefined) kill(backend.pid);
};

const killDatabase: Fault = async ({ database }, random) => {
  if (database === undefined) return;
  const children = await childrenOf(database.server.pid());
  killSelf(database.server);
  // Otherwise they notice by themselves that it is gone.
  if (random.chance(0.7)) for (const { pid } of children) kill(pid);
};

const faults = {
  worker: killWorker,
  primary: async ({ program }) => killSelf(program),
  program: async ({ program }) => program.killAll(),
  backend: killBackend,
  database: killDatabase,
  /** Comes at the moment that is hard to hit by chance: changes are on the disk, and no client has got a response. */
  unconfirmed: async (machine, random) => {
    await machine.database?.holdCommits();
    await killDatabase(machine, random);
  },
  everything: async (machine, random) => {
    machine.program.killAll();
    await killDatabase(machine, random);
  },
  failover: async ({ pair }) => pair?.failOver(),
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** A fault and its time in milliseconds after the load began. */
export interface PlannedFault {
  readonly at: number;
  readonly name: FaultName;
}

const ofFiles = ['worker', 'program', 'program', 'primary'] as const;
const ofServers = [
  ...(['worker', 'program', 'primary', 'backend', 'database', 'unconfirmed'] as const),
  'everything',
] as const;

const longestStartMilliseconds = 1500;

/**
 * Plans one fault during the load, and now and then more: while what was killed starts again, or recovers. A pair has no second standby,
 * and so a single fault.
 */
export const planFaults = (
  random: Random,
  seconds: number,
  { database, pair }: Machine,
): readonly PlannedFault[] => {
  let at = 1000 * seconds * (0.3 + random.below(700) / 1000);
  if (pair !== undefined) return [{ at, name: 'failover' }];
  const next = (): PlannedFault => ({
    at,
    name: random.pickAny<FaultName>(database === undefined ? ofFiles : ofServers) ?? 'program',
  });
  const plan = [next()];
  while (random.chance(0.4) && plan.length < 4) {
    at += 20 + random.below(longestStartMilliseconds);
    plan.push(next());
  }
  return plan;
};

/** Injects it. */
export const inject = (name: FaultName, machine: Machine, random: Random): Promise<unknown> =>
  faults[name](machine, random);
