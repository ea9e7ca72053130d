/** `npm run bench -- --overload`: servers at 1, 2 and 3 times the load that they can serve. */

import { processTree, residentBytes } from '../machine/process-usage';
import type { Contestant } from './contestants/fill';
import { drive, type WireRequest } from './load/drive';
import { type Offered, offer } from './load/offer';
import { checkedRequests, type Plan } from './race';
import { type Scenario, takesPart } from './scenarios/scenario';
import { median, type Table } from './tables';

const multiples = [1, 2, 3];

/** Seconds that do not count: as long as it takes until the server notices a queue that does not end. */
const settle = 2;

/** Connections at which a server shows about its capacity: enough to keep it busy, and no queue. */
const busyConnections = 64;

/** Shares of that rate at which the capacity is searched. */
const shares = [0.8, 1, 1.2];

/** The result of one load. */
interface LoadResult extends Offered {
  /** Requests a second that were due. */
  readonly perSecond: number;
  /** Those of a second that were answered rightly and in time. */
  readonly goodput: number;
  /** Bytes that the server holds at the end. */
  readonly resident: number;
}

/** Returns a function that offers rates to one server; each continues with the requests that follow. */
const offering = (port: number, pid: number, requests: readonly WireRequest[], plan: Plan) => {
  const { seconds } = plan;
  const connections = Math.max(...plan.connections);
  let from = 0;
  return async (perSecond: number): Promise<LoadResult> => {
    const offered = await offer({ port, requests, from, perSecond, connections, settle, seconds });
    from += offered.sent;
    const resident = residentBytes(processTree(pid)) ?? 0;
    return { ...offered, perSecond, goodput: offered.good / seconds, resident };
  };
};

const rowOf = (
  contestant: string,
  multiple: number,
  capacity: number,
  rounds: readonly LoadResult[],
): string[] => {
  const middle = (field: (result: LoadResult) => number): number => median(rounds.map(field));
  const whole = (value: number): string => Math.round(value).toLocaleString('en');
  const share = (field: 'late' | 'refused' | 'unsent' | 'wrong'): string =>
    `${whole(middle((one) => (100 * one[field]) / Math.max(1, one.due)))} %`;
  const goodput = middle((one) => one.goodput);
  return [
    contestant,
    `${multiple}×`,
    `${whole(middle((one) => one.perSecond))}/s`,
    `${whole(goodput)}/s`,
    `${whole((100 * goodput) / capacity)} %`,
    whole(middle(({ times }) => times.percentile(50) / 1000)),
    whole(middle(({ times }) => times.percentile(99) / 1000)),
    share('refused'),
    share('unsent'),
    share('late'),
    share('wrong'),
    whole(middle(({ resident }) => resident) / 2 ** 20),
  ];
};

const head = [
  'server',
  'load',
  'due',
  'goodput',
  'of capacity',
  'p50 ms',
  'p99 ms',
  'refused',
  'not sent',
  'late',
  'wrong',
  'memory MB',
];

/** Measures one server in one scenario; a row for each multiple of its capacity. */
const measureOne = async (
  contestant: Contestant,
  scenario: Scenario,
  plan: Plan,
): Promise<{ readonly rows: string[][]; readonly isRight: boolean }> => {
  const running = await contestant.start(plan.core);
  const { id } = contestant.program;
  const { port, child } = running;
  const requests = await checkedRequests(contestant, running, scenario, plan.pets);
  const enough = (elapsed: number): boolean => elapsed >= plan.seconds;
  const driven = await drive({ port, requests, connections: busyConnections, settle: 1, enough });
  const offerRate = offering(port, child.pid ?? 0, requests, plan);
  const found: LoadResult[] = [];
  for (const share of shares) {
    found.push(await offerRate((share * driven.responses) / driven.seconds));
  }
  const capacity = Math.max(...found.map(({ goodput }) => goodput));
  const rounds = multiples.map((): LoadResult[] => []);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [at, multiple] of multiples.entries()) {
      const result = await offerRate(multiple * capacity);
      rounds[at]?.push(result);
      const goodput = Math.round(result.goodput);
      process.stderr.write(`${scenario.name}, ${id}, ${multiple} times: ${goodput}/s\n`);
    }
  }
  await running.stop();
  // On a machine that is not quiet the search may have met a bad moment.
  const best = Math.max(capacity, ...rounds.flat().map(({ goodput }) => goodput));
  return {
    rows: rounds.map((results, at) => rowOf(id, multiples[at] ?? 0, best, results)),
    isRight: rounds.flat().every(({ wrong }) => wrong === 0),
  };
};

/** Measures servers one after the other, a table a scenario. */
export const measureOverload = async (plan: Plan, contestants: readonly Contestant[]) => {
  const tables: Table[] = [];
  let isRight = true;
  for (const scenario of plan.scenarios) {
    const rows: string[][] = [];
    for (const contestant of contestants.filter(({ program }) => takesPart(program, scenario))) {
      const measured = await measureOne(contestant, scenario, plan);
      rows.push(...measured.rows);
      isRight &&= measured.isRight;
    }
    tables.push({
      title: scenario.title(plan.pets),
      note: 'Goodput: right answers within a second from the time when a request was due. Not sent: all connections were in use.',
      head,
      rows,
    });
  }
  return { tables, isRight };
};
