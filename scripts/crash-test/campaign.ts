/** All rounds on one database. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openObserver } from './checks/observe';
import { openReader } from './checks/reader';
import type { FaultName } from './faults';
import { openHistory } from './history/history';
import { bearer } from './load/client';
import { type Campaign, type CampaignOptions, checkAll, type RoundResult, runRound } from './round';

export type { CampaignOptions } from './round';

import { openTarget, type TargetOptions } from './target';

const shownViolations = 20;

const roundLine = (round: number, rounds: number, result: RoundResult): string => {
  const { tally, resolvedAsMade, faults, recoverySeconds, compareSeconds, violations } = result;
  const { outageSeconds } = result;
  const outage =
    outageSeconds === undefined ? '' : `changes taken ${outageSeconds.toFixed(2)} s after that, `;
  const kills = faults.map(({ at, name }) => `${name} at ${(at / 1000).toFixed(2)} s`);
  return [
    `${round}/${rounds}: ${tally.made} acknowledged,`,
    `${tally.indeterminate} indeterminate (${resolvedAsMade} made), ${tally.refused} refused;`,
    `killed ${kills.join(', ')};`,
    `${outage}up after ${recoverySeconds.toFixed(1)} s, compared in ${compareSeconds.toFixed(1)} s:`,
    violations.length === 0 ? 'all there' : `${violations.length} VIOLATIONS`,
  ].join(' ');
};

/** Counts the things of each kind. */
const storedText = ({ history }: Campaign): string =>
  (['pet', 'order', 'user', 'ad'] as const)
    .map((kind) => {
      const states = [...history.settled(kind).values()];
      return `${states.filter((state) => state !== undefined).length} ${kind}s`;
    })
    .join(', ');

/** Opens what all rounds share: the history begins with the demo data, which counts as acknowledged. */
const openCampaign = async (options: CampaignOptions, place: TargetOptions): Promise<Campaign> => {
  const target = await openTarget(place);
  await target.ready();
  const credentials = await target.credentials();
  const reader = openReader(target.http, bearer(credentials.pets)['authorization'] ?? '');
  const history = openHistory();
  const observe = openObserver(reader, target.databaseUrl);
  const { found } = await observe(history);
  history.resolve(found.things.map(({ kind, key, state }) => ({ kind, key, to: state })));
  const shared = { given: new Set<string>(), highest: 0, serial: 0, users: [] };
  return { target, observe, history, shared, credentials, options };
};

/**
 * Runs the rounds one after another on the same database, as long as there is no violation.
 *
 * @returns whether there was none; else they are also in violations.txt in the folder of the place
 */
export const runCampaign = async (
  name: string,
  options: CampaignOptions,
  place: TargetOptions,
  say: (line: string) => void,
): Promise<boolean> => {
  const campaign = await openCampaign(options, place);
  const { target, history } = campaign;
  try {
    const kills = new Map<FaultName, number>();
    let round = 0;
    let made = 0;
    let longestOutage = 0;
    let { violations } = await checkAll(campaign);
    while (violations.length === 0 && round < options.rounds) {
      round += 1;
      const result = await runRound(campaign, round);
      say(`${name} ${roundLine(round, options.rounds, result)}`);
      for (const fault of result.faults) kills.set(fault.name, (kills.get(fault.name) ?? 0) + 1);
      violations = result.violations;
      made += result.resolvedAsMade;
      longestOutage = Math.max(longestOutage, result.outageSeconds ?? 0);
    }
    const { tally } = history;
    const { program } = target.machine;
    const killed = [...kills].map(([fault, times]) => `${fault} ${times}`).join(', ');
    if (target.kind === 'pair') {
      say(`${name}: changes taken at most ${longestOutage.toFixed(2)} s after the promotion`);
    }
    const starts = `program started ${program.starts()} times, database ${target.databaseStarts()} times`;
    say(
      `${name}: ${round} rounds, ${tally.made} acknowledged, ${tally.indeterminate} indeterminate (${made} made), ${tally.refused} refused`,
    );
    say(`${name}: killed ${killed}; ${starts}`);
    say(`${name}: ${storedText(campaign)}; ${violations.length} violations`);
    const lines = violations.map(({ kind, text }) => `  ${kind}: ${text}`);
    for (const line of lines.slice(0, shownViolations)) say(line);
    if (lines.length === 0) return true;
    await writeFile(join(place.folder, 'violations.txt'), `${lines.join('\n')}\n`);
    say(`${name}: everything stays in ${place.folder}`);
    return false;
  } finally {
    await target.stop();
  }
};
