/** All rounds on one database. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '../machine/run-main';
import { openObserver } from './checks/observe';
import type { FaultName } from './faults';
import { listedKinds } from './history/history';
import { newShared } from './load/run-load';
import { type Campaign, type CampaignOptions, checkAll, runRound } from './round';
import {
  issueCredentials,
  openTarget,
  type Target,
  type TargetOptions,
  untilReady,
} from './target';

const shownViolations = 20;

/** Counts the things of each kind. */
const storedText = ({ history }: Campaign): string =>
  listedKinds
    .map((kind) => {
      const states = [...history.settled[kind].values()];
      return `${states.filter((state) => state !== undefined).length} ${kind}s`;
    })
    .join(', ');

const openCampaign = async (target: Target, options: CampaignOptions): Promise<Campaign> => {
  await untilReady(target);
  const credentials = await issueCredentials(target);
  const observer = openObserver(target.http, credentials.pets, target.databaseUrl);
  const history = await observer.openHistory();
  return { target, observer, history, shared: newShared(), credentials, options };
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
): Promise<boolean> => {
  const target = await openTarget(place);
  try {
    const campaign = await openCampaign(target, options);
    const kills = new Map<FaultName, number>();
    let round = 0;
    let made = 0;
    let longestOutage = 0;
    let { violations } = await checkAll(campaign);
    while (violations.length === 0 && round < options.rounds) {
      round += 1;
      const result = await runRound(campaign, round);
      say(`${name} ${result.line}`);
      for (const fault of result.faults) kills.set(fault.name, (kills.get(fault.name) ?? 0) + 1);
      violations = result.violations;
      made += result.resolvedAsMade;
      longestOutage = Math.max(longestOutage, result.outageSeconds ?? 0);
    }
    const { tally } = campaign.history;
    const killed = [...kills].map(([fault, times]) => `${fault} ${times}`).join(', ');
    const [starts, databaseStarts] = [target.program.starts(), target.databaseStarts()];
    if (target.machine.pair !== undefined) {
      say(`${name}: changes taken at most ${longestOutage.toFixed(2)} s after the promotion`);
    }
    say(
      `${name}: ${round} rounds, ${tally.made} acknowledged, ${tally.indeterminate} indeterminate (${made} made), ${tally.refused} refused`,
    );
    say(
      `${name}: killed ${killed}; program started ${starts} times, database ${databaseStarts} times`,
    );
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
