/** What may happen to the processes, and when. */

import { childrenOf, kill } from '../machine/processes';
import type { Supervised } from '../machine/supervise';
import type { PrivatePostgres } from './postgres';
import type { Random } from './random';

/** What is kept running. */
export interface Machine {
  readonly program: Supervised;
  /** Undefined where the database is a file. */
  readonly database: Pick<PrivatePostgres, 'server' | 'holdCommits'> | undefined;
}

/** Kills something; does nothing where it is down already. */
type Blow = (machine: Machine, random: Random) => Promise<void>;

/** The process itself, not what it started. */
const killSelf = (supervised: Supervised): void => {
  const pid = supervised.pid();
  if (pid !== undefined) kill(pid);
};

/** A process of the program's, or the whole where it has a single one. */
const killWorker: Blow = async ({ program }, random) => {
  const worker = random.pickAny(await childrenOf(program.pid()));
  if (worker === undefined) program.killAll();
  else kill(worker.pid);
};

const killPrimary: Blow = async ({ program }) => {
  killSelf(program);
};

const killProgram: Blow = async ({ program }) => {
  program.killAll();
};

/** One connection's process: the database server ends all others and recovers. */
const killBackend: Blow = async ({ database }, random) => {
  const children = await childrenOf(database?.server.pid());
  const backends = children.filter(({ command }) => /^postgres: postgres /.test(command));
  const backend = random.pickAny(backends);
  if (backend !== undefined) kill(backend.pid);
};

const killDatabase: Blow = async ({ database }, random) => {
  if (database === undefined) return;
  const children = await childrenOf(database.server.pid());
  killSelf(database.server);
  // Otherwise they notice by themselves that it is gone.
  if (random.chance(0.7)) for (const { pid } of children) kill(pid);
};

/** The moment that is hard to hit by chance: changes are on the disk, and nobody has been told. */
const killUnconfirmed: Blow = async (machine, random) => {
  await machine.database?.holdCommits();
  await killDatabase(machine, random);
};

const killAll: Blow = async (machine, random) => {
  await Promise.all([killProgram(machine, random), killDatabase(machine, random)]);
};

const blows = {
  worker: killWorker,
  primary: killPrimary,
  program: killProgram,
  backend: killBackend,
  database: killDatabase,
  unconfirmed: killUnconfirmed,
  everything: killAll,
} as const;

/**
 * What is killed: one worker, the primary alone, the whole program; one backend, the whole database, the same while it has
 * made changes that it has not confirmed; or the database and the program.
 */
export type BlowName = keyof typeof blows;

/** A blow and when it comes, in milliseconds after the load began. */
export interface PlannedBlow {
  readonly at: number;
  readonly name: BlowName;
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

/** One blow during the load, and now and then more: while what was killed starts again, or recovers. */
export const planBlows = (
  random: Random,
  seconds: number,
  isServer: boolean,
): readonly PlannedBlow[] => {
  const names = isServer ? forServers : forFiles;
  let at = 1000 * seconds * (0.3 + random.below(700) / 1000);
  const plan: PlannedBlow[] = [{ at, name: random.pick(names) }];
  while (random.chance(0.4) && plan.length < 4) {
    at += 20 + random.below(longestStartMilliseconds);
    plan.push({ at, name: random.pick(names) });
  }
  return plan;
};

/** Strikes. */
export const strike = (name: BlowName, machine: Machine, random: Random): Promise<void> =>
  blows[name](machine, random);
