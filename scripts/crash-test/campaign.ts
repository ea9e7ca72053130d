/** All rounds on one database. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { looker } from './checks/observe';
import { openReader } from './checks/reader';
import type { BlowName, PlannedBlow } from './faults';
import type { Violation } from './history/change';
import { openLedger, type Tally } from './history/history';
import { bearer, type Shared } from './load/client';
import type { Options } from './options';
import { type Course, checkAll, type RoundResult, runRound } from './round';
import { openTarget, type TargetOptions } from './target';

/** How the rounds went. */
export interface CourseResult {
  readonly name: string;
  readonly rounds: number;
  readonly tally: Tally;
  /** How many of the changes in doubt turned out to be made. */
  readonly doubtsMade: number;
  readonly blows: ReadonlyMap<BlowName, number>;
  /** How often the program and the database were started. */
  readonly starts: { readonly program: number; readonly database: number };
  /** At the end. */
  readonly kept: string;
  readonly violations: readonly Violation[];
}

const newShared = (): Shared => ({
  given: new Set(),
  highest: 0,
  album: undefined,
  albumKeeper: undefined,
  serial: 0,
  users: [],
});

const blowText = ({ at, name }: PlannedBlow): string => `${name} at ${(at / 1000).toFixed(2)} s`;

const lineOf = (name: string, round: number, rounds: number, result: RoundResult): string => {
  const { tally, doubtsMade, blows, recoverySeconds, compareSeconds, violations } = result;
  const { made, refused, doubtful } = tally;
  return [
    `${name} ${round}/${rounds}:`,
    `${made} acknowledged, ${doubtful} in doubt (${doubtsMade} made), ${refused} refused;`,
    `killed ${blows.map(blowText).join(', ')};`,
    `up after ${recoverySeconds.toFixed(1)} s, compared in ${compareSeconds.toFixed(1)} s:`,
    violations.length === 0 ? 'all there' : `${violations.length} VIOLATIONS`,
  ].join(' ');
};

const count = <Key>(counts: Map<Key, number>, key: Key): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** How many things there are of each kind. */
const keptIn = ({ ledger }: Course): string =>
  (['pet', 'photo', 'order', 'user', 'ad'] as const)
    .map((kind) => {
      const states = [...ledger.settled(kind).values()];
      return `${states.filter((state) => state !== undefined).length} ${kind}s`;
    })
    .join(', ');

/** Runs the rounds one after another on the same database, as long as nothing is wrong. */
export const runCourse = async (
  name: string,
  options: Options,
  place: TargetOptions,
  say: (line: string) => void,
): Promise<CourseResult> => {
  const { rounds, seed, seconds, clients } = options;
  const target = await openTarget(place);
  try {
    await target.ready();
    const credentials = await target.credentials();
    const reader = openReader(target.asker, bearer(credentials.pets)['authorization'] ?? '');
    const ledger = openLedger();
    const look = looker(reader, target.databaseUrl);
    const course = {
      target,
      look,
      ledger,
      shared: newShared(),
      credentials,
      seed,
      seconds,
      clients,
    };
    // What is there before anything was asked for, the demo data, counts as acknowledged.
    const { found } = await look(ledger);
    ledger.resolve(found.things.map(({ kind, key, state }) => ({ kind, key, to: state })));

    const blows = new Map<BlowName, number>();
    let round = 0;
    let doubtsMade = 0;
    let { violations } = await checkAll(course);
    while (violations.length === 0 && round < rounds) {
      round += 1;
      const result = await runRound(course, round);
      say(lineOf(name, round, rounds, result));
      for (const blow of result.blows) count(blows, blow.name);
      violations = result.violations;
      doubtsMade += result.doubtsMade;
    }
    const text = violations.map((violation) => `${violation.kind}: ${violation.text}\n`).join('');
    if (text !== '') await writeFile(join(place.folder, 'violations.txt'), text);
    const { program, database } = target.machine;
    return {
      name,
      rounds: round,
      tally: { ...ledger.tally },
      doubtsMade,
      blows,
      starts: { program: program.starts(), database: database?.server.starts() ?? 0 },
      kept: keptIn(course),
      violations,
    };
  } finally {
    await target.stop();
  }
};
