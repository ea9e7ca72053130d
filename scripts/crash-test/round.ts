/** One round: load, faults, recovery, comparison. */

import { setTimeout } from 'node:timers/promises';
import { randomOf } from '../machine/random';
import type { Observe } from './checks/observe';
import { inject, type PlannedFault, planFaults } from './faults';
import { compare } from './history/compare';
import type { History, Tally, Violation } from './history/history';
import { compareViews } from './history/views';
import type { Client, Credentials, Shared } from './load/client';
import { clientsOf, runLoad, warmUp } from './load/run-load';
import type { Target } from './target';

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
  readonly observe: Observe;
  readonly history: History;
  readonly shared: Shared;
  readonly credentials: Credentials;
  readonly options: CampaignOptions;
}

/** The result of a round. */
export interface RoundResult {
  readonly faults: readonly PlannedFault[];
  /** Of this round alone. */
  readonly tally: Tally;
  /** Seconds from the promotion of a standby to the first acknowledged change; undefined without a standby. */
  readonly outageSeconds: number | undefined;
  /** The number of indeterminate changes that turned out to be made. */
  readonly resolvedAsMade: number;
  /** From the end of the load until the server responded. */
  readonly recoverySeconds: number;
  readonly compareSeconds: number;
  readonly violations: readonly Violation[];
}

const injectAll = async (
  { target, options }: Campaign,
  round: number,
  faults: readonly PlannedFault[],
): Promise<void> => {
  const begin = performance.now();
  const random = randomOf(options.seed, 'round', round, 'victims');
  for (const { at, name } of faults) {
    await setTimeout(begin + at - performance.now());
    await inject(name, target.machine, random);
  }
};

const secondsSince = (begin: number): number => (performance.now() - begin) / 1000;

/** The time after the promotion of a standby within which the server has to take changes again. */
const longestOutageSeconds = 10;

const untilChange = async ({ history: { tally } }: Campaign): Promise<number> => {
  const begin = performance.now();
  const { made } = tally;
  while (tally.made === made && secondsSince(begin) < longestOutageSeconds) await setTimeout(5);
  return secondsSince(begin);
};

/** Loads the server until the faults are over, and until a promoted standby takes changes. */
const loadAndInject = async (
  campaign: Campaign,
  round: number,
  faults: readonly PlannedFault[],
  clients: readonly Client[],
): Promise<number | undefined> => {
  const { options, target } = campaign;
  const end = performance.now() + options.seconds * 1000;
  let outage: number | undefined;
  let isWaiting = target.kind === 'pair';
  const disturb = async (): Promise<void> => {
    try {
      await injectAll(campaign, round, faults);
      if (isWaiting) outage = await untilChange(campaign);
    } finally {
      isWaiting = false;
    }
  };
  const isOver = (): boolean => performance.now() > end && !isWaiting;
  await Promise.all([runLoad(clients, isOver), disturb()]);
  return outage;
};

/** Reports a failover that needed a restart, or too much time. */
const outageViolations = (outage: number | undefined, { machine }: Target): Violation[] => {
  if (outage === undefined) return [];
  const starts = machine.program.starts();
  const isLate = outage >= longestOutageSeconds;
  return [
    ...(isLate ? [{ kind: 'down', text: `No change in ${longestOutageSeconds} s` } as const] : []),
    ...(starts > 1 ? [{ kind: 'down', text: `The program started ${starts} times` } as const] : []),
  ];
};

/** The result of a comparison. */
type Check = Pick<RoundResult, 'violations' | 'resolvedAsMade'>;

/** Reads everything, compares it with the history, and settles what was indeterminate. */
export const checkAll = async ({ observe, history }: Campaign): Promise<Check> => {
  const { found, views } = await observe(history);
  const { violations, settled, resolvedAsMade } = compare(history, found);
  history.resolve(settled);
  return { violations: [...violations, ...compareViews(views)], resolvedAsMade };
};

/** Waits for the server; returns undefined where it comes back. */
const recover = async ({ target }: Campaign): Promise<Check | undefined> => {
  try {
    await target.ready();
    return undefined;
  } catch (error) {
    return { violations: [{ kind: 'down', text: String(error) }], resolvedAsMade: 0 };
  }
};

/** Runs the round on a server that is up. */
export const runRound = async (campaign: Campaign, round: number): Promise<RoundResult> => {
  const { history, options, target } = campaign;
  const { seed, seconds } = options;
  const before = { ...history.tally };
  const reported = history.violations.length;
  const clients = clientsOf({ ...campaign, ...options, http: target.http }, `r${round}`);

  const faults = planFaults(randomOf(seed, 'round', round, 'faults'), seconds, target.kind);
  await warmUp(clients);
  const outageSeconds = await loadAndInject(campaign, round, faults, clients);
  const loaded = performance.now();
  const down = await recover(campaign);
  const recovered = performance.now();
  const { violations, resolvedAsMade } = down ?? (await checkAll(campaign));
  await target.machine.pair?.rebuild();
  const { made, refused, indeterminate } = history.tally;
  return {
    faults,
    outageSeconds,
    tally: {
      made: made - before.made,
      refused: refused - before.refused,
      indeterminate: indeterminate - before.indeterminate,
    },
    recoverySeconds: (recovered - loaded) / 1000,
    compareSeconds: secondsSince(recovered),
    resolvedAsMade,
    violations: [
      ...history.violations.slice(reported),
      ...violations,
      ...outageViolations(outageSeconds, target),
    ],
  };
};
