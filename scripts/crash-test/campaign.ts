/** All rounds on one database. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openObserver } from './checks/observe';
import { openReader } from './checks/reader';
import type { FaultName, PlannedFault } from './faults';
import type { Violation } from './history/change';
import { openHistory, type Tally } from './history/history';
import { bearer, type Shared } from './load/client';
import type { Options } from './options';
import { type Campaign, checkAll, type RoundResult, runRound } from './round';
import { openTarget, type TargetOptions } from './target';

/** How the rounds went. */
export interface CampaignResult {
  readonly name: string;
  readonly rounds: number;
  readonly tally: Tally;
  /** How many of the indeterminate changes turned out to be made. */
  readonly resolvedAsMade: number;
  readonly faults: ReadonlyMap<FaultName, number>;
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

const faultText = ({ at, name }: PlannedFault): string => `${name} at ${(at / 1000).toFixed(2)} s`;

const lineOf = (name: string, round: number, rounds: number, result: RoundResult): string => {
  const { tally, resolvedAsMade, faults, recoverySeconds, compareSeconds, violations } = result;
  const { made, refused, indeterminate } = tally;
  return [
    `${name} ${round}/${rounds}:`,
    `${made} acknowledged, ${indeterminate} indeterminate (${resolvedAsMade} made), ${refused} refused;`,
    `killed ${faults.map(faultText).join(', ')};`,
    `up after ${recoverySeconds.toFixed(1)} s, compared in ${compareSeconds.toFixed(1)} s:`,
    violations.length === 0 ? 'all there' : `${violations.length} VIOLATIONS`,
  ].join(' ');
};

const count = <Key>(counts: Map<Key, number>, key: Key): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** How many things there are of each kind. */
const keptIn = ({ history }: Campaign): string =>
  (['pet', 'photo', 'order', 'user', 'ad'] as const)
    .map((kind) => {
      const states = [...history.settled(kind).values()];
      return `${states.filter((state) => state !== undefined).length} ${kind}s`;
    })
    .join(', ');

/** Runs the rounds one after another on the same database, as long as nothing is wrong. */
export const runCampaign = async (
  name: string,
  options: Options,
  place: TargetOptions,
  say: (line: string) => void,
): Promise<CampaignResult> => {
  const { rounds, seed, seconds, clients } = options;
  const target = await openTarget(place);
  try {
    await target.ready();
    const credentials = await target.credentials();
    const reader = openReader(target.http, bearer(credentials.pets)['authorization'] ?? '');
    const history = openHistory();
    const observe = openObserver(reader, target.databaseUrl);
    const campaign = {
      target,
      observe,
      history,
      shared: newShared(),
      credentials,
      seed,
      seconds,
      clients,
    };
    // What is there before anything was asked for, the demo data, counts as acknowledged.
    const { found } = await observe(history);
    history.resolve(found.things.map(({ kind, key, state }) => ({ kind, key, to: state })));

    const faults = new Map<FaultName, number>();
    let round = 0;
    let resolvedAsMade = 0;
    let { violations } = await checkAll(campaign);
    while (violations.length === 0 && round < rounds) {
      round += 1;
      const result = await runRound(campaign, round);
      say(lineOf(name, round, rounds, result));
      for (const fault of result.faults) count(faults, fault.name);
      violations = result.violations;
      resolvedAsMade += result.resolvedAsMade;
    }
    const text = violations.map((violation) => `${violation.kind}: ${violation.text}\n`).join('');
    if (text !== '') await writeFile(join(place.folder, 'violations.txt'), text);
    const { program, database } = target.machine;
    return {
      name,
      rounds: round,
      tally: { ...history.tally },
      resolvedAsMade,
      faults,
      starts: { program: program.starts(), database: database?.server.starts() ?? 0 },
      kept: keptIn(campaign),
      violations,
    };
  } finally {
    await target.stop();
  }
};
