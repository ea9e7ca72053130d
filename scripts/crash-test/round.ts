/** One round: load, faults, recovery, comparison. */

import { setTimeout } from 'node:timers/promises';
import { randomOf } from '../machine/random';
import type { Observe } from './checks/observe';
import { inject, type PlannedFault, planFaults } from './faults';
import { compare } from './history/compare';
import type { History, Tally, Violation } from './history/history';
import { compareViews } from './history/views';
import type { Client, Credentials, Shared } from './load/client';
import { addAd, deleteOrder, placeOrder } from './load/orders-and-ads';
import { addPet, addPetWithId, deletePet, updatePet, updatePetWithForm } from './load/pets';
import { createUser, createUsers, loginUser, logoutUser } from './load/users';
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

/** The operations of clients, and their weights. */
const operations: readonly (readonly [number, (client: Client) => Promise<void>])[] = [
  [20, addPet],
  [8, addPetWithId],
  [15, updatePet],
  [12, updatePetWithForm],
  [8, deletePet],
  [9, placeOrder],
  [4, deleteOrder],
  [5, createUser],
  [4, createUsers],
  [6, addAd],
  [3, loginUser],
  [2, logoutUser],
];

const choices = operations.flatMap(([weight, operation]) =>
  Array<typeof operation>(weight).fill(operation),
);

const doAny = async (client: Client): Promise<void> => client.random.pickAny(choices)?.(client);

/** Runs one operation of each client, so that a server that has just started is no longer at its slowest. */
const warmUp = async (clients: readonly Client[]): Promise<void> => {
  await Promise.all(clients.map(doAny));
};

/** Loads the server until `isOver`; resolves when every client has its response. */
const runLoad = async (clients: readonly Client[], isOver: () => boolean): Promise<void> => {
  await Promise.all(
    clients.map(async (client) => {
      while (!isOver()) await doAny(client);
    }),
  );
};

const clientsOf = (campaign: Campaign, round: number): Client[] =>
  Array.from({ length: campaign.options.clients }, (_, number) => ({
    number,
    prefix: `r${round}`,
    random: randomOf(campaign.options.seed, 'round', round, 'client', number),
    http: campaign.target.http,
    history: campaign.history,
    credentials: campaign.credentials,
    shared: campaign.shared,
    pets: [],
    orders: [],
    logins: [],
  }));

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
  const clients = clientsOf(campaign, round);

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
