/** One round: load, faults, recovery, comparison. */

import { setTimeout } from 'node:timers/promises';
import { randomOf } from '../machine/random';
import type { Observer } from './checks/observe';
import { inject, type PlannedFault, planFaults } from './faults';
import type { Verdict } from './history/compare';
import type { History, Violation } from './history/history';
import type { Client, Credentials, Shared } from './load/client';
import { clientsOf, doAny, runLoad } from './load/run-load';
import { type Target, untilReady } from './target';

/** The options of all rounds. */
export interface CampaignOptions {
  readonly rounds: number;
  /** The seed of all random choices. */
  readonly seed: number;
  /** Seconds of load in a round. */
  readonly seconds: number;
  readonly clients: number;
}

/** The state that all rounds on one database share. */
export interface Campaign {
  readonly target: Target;
  readonly observer: Observer;
  readonly history: History;
  readonly shared: Shared;
  readonly credentials: Credentials;
  readonly options: CampaignOptions;
}

/** The result of a round. */
export interface RoundResult extends Pick<Verdict, 'violations' | 'resolvedAsMade'> {
  readonly faults: readonly PlannedFault[];
  /** Seconds from the promotion of a standby to the first acknowledged change; undefined without a standby. */
  readonly outageSeconds: number | undefined;
  /** A line with all figures. */
  readonly line: string;
}

const secondsSince = (begin: number): number => (performance.now() - begin) / 1000;

/** The time after the promotion of a standby within which the server has to take changes again. */
const longestOutageSeconds = 10;

const untilChange = async ({ tally }: History): Promise<number> => {
  const begin = performance.now();
  const { made } = tally;
  while (tally.made === made && secondsSince(begin) < longestOutageSeconds) await setTimeout(5);
  return secondsSince(begin);
};

/** Loads the server until the faults are over, and until a promoted standby takes changes; resolves to the seconds of that. */
const loadAndInject = async (
  { options, target: { machine }, history }: Campaign,
  round: number,
  faults: readonly PlannedFault[],
  clients: readonly Client[],
): Promise<number | undefined> => {
  const begin = performance.now();
  const random = randomOf(options.seed, 'round', round, 'victims');
  let isWaiting = machine.pair !== undefined;
  const disturb = async (): Promise<number | undefined> => {
    try {
      for (const { at, name } of faults) {
        await setTimeout(begin + at - performance.now());
        await inject(name, machine, random);
      }
      return isWaiting ? await untilChange(history) : undefined;
    } finally {
      isWaiting = false;
    }
  };
  const isOver = (): boolean => secondsSince(begin) > options.seconds && !isWaiting;
  const [outage] = await Promise.all([disturb(), runLoad(clients, isOver)]);
  return outage;
};

/** Reports a failover that needed a restart, or too much time. */
const outageViolations = (outage: number | undefined, { machine }: Target): Violation[] => {
  if (outage === undefined) return [];
  const starts = machine.program.starts();
  const texts = [
    ...(outage >= longestOutageSeconds ? [`No change in ${longestOutageSeconds} s`] : []),
    ...(starts > 1 ? [`The program started ${starts} times`] : []),
  ];
  return texts.map((text) => ({ kind: 'down', text }));
};

/** Reads everything, compares it with the history, and settles what was indeterminate. */
export const checkAll = async ({ observer, history }: Campaign): Promise<Verdict> => {
  const verdict = await observer.check(history);
  history.resolve(verdict.settled);
  return verdict;
};

/** Runs the round on a server that is up. */
export const runRound = async (campaign: Campaign, round: number): Promise<RoundResult> => {
  const { history, options, target } = campaign;
  const { seed, seconds, rounds } = options;
  const { tally } = history;
  const before = { ...tally };
  const reported = history.violations.length;
  const clients = clientsOf({ ...campaign, ...options, http: target.http }, `r${round}`);
  const faults = planFaults(randomOf(seed, 'round', round, 'faults'), seconds, target.machine);
  // A server that has just started is at its slowest.
  await Promise.all(clients.map(doAny));
  const outageSeconds = await loadAndInject(campaign, round, faults, clients);
  const loaded = performance.now();
  const down = await untilReady(target).then(() => undefined, String);
  const recovery = secondsSince(loaded);
  const verdict = down === undefined ? await checkAll(campaign) : undefined;
  const resolvedAsMade = verdict?.resolvedAsMade ?? 0;
  const comparison = secondsSince(loaded) - recovery;
  await target.machine.pair?.rebuild();
  const violations = [
    ...history.violations.slice(reported),
    ...(verdict?.violations ?? [{ kind: 'down', text: String(down) } as const]),
    ...outageViolations(outageSeconds, target),
  ];
  const kills = faults.map(({ at, name }) => `${name} at ${(at / 1000).toFixed(2)} s`);
  const line = [
    `${round}/${rounds}: ${tally.made - before.made} acknowledged,`,
    `${tally.indeterminate - before.indeterminate} indeterminate (${resolvedAsMade} made),`,
    `${tally.refused - before.refused} refused; killed ${kills.join(', ')};`,
    ...(outageSeconds === undefined
      ? []
      : [`changes taken ${outageSeconds.toFixed(2)} s after that,`]),
    `up after ${recovery.toFixed(1)} s, compared in ${comparison.toFixed(1)} s:`,
    violations.length === 0 ? 'all there' : `${violations.length} VIOLATIONS`,
  ].join(' ');
  return { faults, outageSeconds, resolvedAsMade, violations, line };
};
