/** The faults of processes, and their times. */

import { childrenOf, kill } from '../machine/processes';
import type { Random } from '../machine/random';
import type { Supervised } from '../machine/supervise';
import type { SupervisedPostgres, TestedDatabase } from './postgres';

/** The processes that are kept running. */
export interface Machine {
  readonly program: Supervised;
  /** Undefined where the database is a file, or a pair. */
  readonly database: Pick<SupervisedPostgres, 'server' | 'holdCommits'> | undefined;
  readonly pair: TestedDatabase['pair'];
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

const killPrimary: Fault = async ({ program }) => {
  killSelf(program);
};

const killProgram: Fault = async ({ program }) => {
  program.killAll();
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

/** Kills at the moment that is hard to hit by chance: changes are on the disk, and no client has got a response. */
const killUnconfirmed: Fault = async (machine, random) => {
  await machine.database?.holdCommits();
  await killDatabase(machine, random);
};

const killAll: Fault = async (machine, random) => {
  await Promise.all([killProgram(machine, random), killDatabase(machine, random)]);
};

const failOver: Fault = async ({ pair }) => pair?.failOver();

const faults = {
  worker: killWorker,
  primary: killPrimary,
  program: killProgram,
  backend: killBackend,
  database: killDatabase,
  unconfirmed: killUnconfirmed,
  everything: killAll,
  failover: failOver,
} as const;

/**
 * The victims: one worker, the primary alone, the whole program; one backend, the whole database, the same while it has
 * changes that it has not confirmed; the database and the program; or the primary whose standby takes its place.
 */
export type FaultName = keyof typeof faults;

/** A fault and its time in milliseconds after the load began. */
export interface PlannedFault {
  readonly at: number;
  readonly name: FaultName;
}

const forFiles = ['worker', 'program', 'program', 'primary'] as const;
const forServers = [
  'worker',
  'program',
  'primary',
  'backend',
  'database',
  'unconfirmed',
  'everything',
] as const;

const longestStartMilliseconds = 1500;

/** The kinds of databases: a file cannot be killed, and of a pair the primary is. */
export type DatabaseKind = 'file' | 'server' | 'pair';

const faultsOf = {
  file: forFiles,
  server: forServers,
  pair: ['failover'],
} as const;

/**
 * Plans one fault during the load, and now and then more: while what was killed starts again, or recovers. A pair has no second standby,
 * and so a single fault.
 */
export const planFaults = (
  random: Random,
  seconds: number,
  kind: DatabaseKind,
): readonly PlannedFault[] => {
  const names: readonly [FaultName, ...FaultName[]] = faultsOf[kind];
  let at = 1000 * seconds * (0.3 + random.below(700) / 1000);
  const plan: PlannedFault[] = [{ at, name: random.pick(names) }];
  while (kind !== 'pair' && random.chance(0.4) && plan.length < 4) {
    at += 20 + random.below(longestStartMilliseconds);
    plan.push({ at, name: random.pick(names) });
  }
  return plan;
};

/** Injects it. */
export const inject = (name: FaultName, machine: Machine, random: Random): Promise<void> =>
  faults[name](machine, random);
