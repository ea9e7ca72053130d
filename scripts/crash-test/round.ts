/** One round: load, blows, recovery, comparison. */

import { setTimeout } from 'node:timers/promises';
import type { Look } from './checks/observe';
import { type PlannedBlow, planBlows, strike } from './faults';
import type { Violation } from './history/change';
import { compare } from './history/compare';
import type { Ledger, Tally } from './history/history';
import { compareViews } from './history/views';
import type { Client, Credentials, Shared } from './load/client';
import { runLoad, warmUp } from './load/load';
import { addSharedAlbum } from './load/pets';
import { randomOf } from './random';
import type { Target } from './target';

/** What all rounds on one database share. */
export interface Course {
  readonly target: Target;
  readonly look: Look;
  readonly ledger: Ledger;
  readonly shared: Shared;
  readonly credentials: Credentials;
  readonly seed: number;
  readonly seconds: number;
  readonly clients: number;
}

/** How a round went. */
export interface RoundResult {
  readonly blows: readonly PlannedBlow[];
  /** Of this round alone. */
  readonly tally: Tally;
  /** How many of the changes in doubt turned out to be made. */
  readonly doubtsMade: number;
  /** From the end of the load until the server answered. */
  readonly recoverySeconds: number;
  readonly compareSeconds: number;
  readonly violations: readonly Violation[];
}

const clientsOf = (course: Course, round: number): Client[] =>
  Array.from({ length: course.clients }, (_, number) => ({
    number,
    prefix: `r${round}`,
    random: randomOf(course.seed, 'round', round, 'client', number),
    asker: course.target.asker,
    ledger: course.ledger,
    credentials: course.credentials,
    shared: course.shared,
    pets: [],
    orders: [],
    logins: [],
  }));

const strikeAll = async (
  { target, seed }: Course,
  round: number,
  blows: readonly PlannedBlow[],
): Promise<void> => {
  const begin = performance.now();
  const random = randomOf(seed, 'round', round, 'victims');
  for (const { at, name } of blows) {
    await setTimeout(begin + at - performance.now());
    await strike(name, target.machine, random);
  }
};

/** What a comparison says. */
type Check = Pick<RoundResult, 'violations' | 'doubtsMade'>;

/** Looks at everything, compares it with the ledger, and settles what was in doubt. */
export const checkAll = async ({ look, ledger }: Course): Promise<Check> => {
  const { found, views } = await look(ledger);
  const { violations, settled, doubtsMade } = compare(ledger, found);
  ledger.resolve(settled);
  return { violations: [...violations, ...compareViews(views)], doubtsMade };
};

/** Undefined where the server comes back. */
const recover = async ({ target }: Course): Promise<Check | undefined> => {
  try {
    await target.ready();
    return undefined;
  } catch (error) {
    return { violations: [{ kind: 'down', text: String(error) }], doubtsMade: 0 };
  }
};

const secondsSince = (begin: number): number => (performance.now() - begin) / 1000;

/** Runs the round on a server that is up. */
export const runRound = async (course: Course, round: number): Promise<RoundResult> => {
  const { ledger, seed, seconds, target } = course;
  const before = { ...ledger.tally };
  const blamed = ledger.violations.length;
  const clients = clientsOf(course, round);
  const [first] = clients;
  if (first !== undefined) await addSharedAlbum(first);

  const isServer = target.machine.database !== undefined;
  const blows = planBlows(randomOf(seed, 'round', round, 'blows'), seconds, isServer);
  await warmUp(clients);
  const end = performance.now() + seconds * 1000;
  await Promise.all([
    runLoad(clients, () => performance.now() > end),
    strikeAll(course, round, blows),
  ]);

  const loaded = performance.now();
  const down = await recover(course);
  const recovered = performance.now();
  const { violations, doubtsMade } = down ?? (await checkAll(course));
  const { made, refused, doubtful } = ledger.tally;
  return {
    blows,
    tally: {
      made: made - before.made,
      refused: refused - before.refused,
      doubtful: doubtful - before.doubtful,
    },
    recoverySeconds: (recovered - loaded) / 1000,
    compareSeconds: secondsSince(recovered),
    doubtsMade,
    violations: [...ledger.violations.slice(blamed), ...violations],
  };
};
