/** `npm run bench -- --overload`: servers at 1, 2 and 3 times of what they can do. */

import { wireRequests } from '../load/request';
import type { Options } from '../options';
import { median } from '../report/figures';
import { markdownText, terminalText } from '../report/layout';
import type { Report } from '../report/report';
import type { Table } from '../report/table';
import { checkResponses } from '../runs/check';
import { chooseContestants } from '../runs/contestants';
import type { Progress } from '../runs/race';
import { machineOf, writeReport } from '../runs/run-race';
import { allScenarios } from '../scenarios/all';
import { type Scenario, takesPart } from '../scenarios/scenario';
import type { Contestant } from '../targets/contestant';
import { findCapacity, type LoadResult, type OverloadPlan, offerRate } from './measure';

const multiples = [1, 2, 3];

const usual = {
  scenarios: ['read-json-key', 'find-by-status-long', 'add-json', 'mix'],
  contestants: ['ours', 'hand-written'],
  // As many as MAX_CONNECTIONS lets in.
  ...{ connections: 2000, seconds: 8, rounds: 2, pets: 10_000 },
} as const;

interface Plan extends OverloadPlan {
  readonly rounds: number;
  readonly pets: number;
  readonly core: number | undefined;
}

/** What one server did at one multiple of its capacity, round by round. */
interface Row {
  readonly contestant: string;
  readonly scenario: string;
  readonly multiple: number;
  readonly capacity: number;
  readonly rounds: readonly LoadResult[];
}

/** Measures one server in one scenario. */
const measureOne = async (
  contestant: Contestant,
  scenario: Scenario,
  plan: Plan,
  progress: Progress,
): Promise<readonly Row[]> => {
  const prepared = await contestant.prepare(plan.pets);
  const running = await prepared.start(plan.core);
  const names = { contestant: contestant.id, scenario: scenario.name };
  const say = (text: string): void =>
    progress.step(0, 0, `${names.scenario}  ${names.contestant}: ${text}`);
  try {
    const steps = scenario.steps({ credentials: running.credentials, pets: plan.pets });
    const wrong = await checkResponses(running, steps);
    if (wrong !== undefined) throw new Error(`${names.contestant}, ${names.scenario}: ${wrong}`);
    const subject = { running, requests: wireRequests(steps, running), sent: 0 };
    const capacity = await findCapacity(subject, plan);
    say(`capacity ${Math.round(capacity)}/s`);
    const found = multiples.map((): LoadResult[] => []);
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const [at, multiple] of multiples.entries()) {
        const result = await offerRate(subject, multiple * capacity, plan);
        found[at]?.push(result);
        say(`${multiple} times: ${Math.round(result.goodput)}/s`);
      }
    }
    // On a machine that is not quiet the search may have met a bad moment.
    const best = Math.max(capacity, ...found.flat().map(({ goodput }) => goodput));
    return found.map((rounds, at) => ({
      ...names,
      ...{ multiple: multiples[at] ?? 0, capacity: best, rounds },
    }));
  } finally {
    await running.stop();
    await prepared.dispose?.();
  }
};

const cellsOf = ({ contestant, multiple, capacity, rounds }: Row): string[] => {
  const middle = (field: (result: LoadResult) => number): number => median(rounds.map(field));
  const whole = (value: number): string => Math.round(value).toLocaleString('en');
  const share = (field: 'late' | 'refused' | 'unsent' | 'wrong'): string =>
    `${whole(middle((one) => (100 * one[field]) / Math.max(1, one.due)))} %`;
  const time = (percent: number): string =>
    whole(middle(({ times }) => times.percentile(percent) / 1000));
  const goodput = middle((one) => one.goodput);
  return [
    ...[
      contestant,
      `${multiple}×`,
      `${whole(middle((one) => one.perSecond))}/s`,
      `${whole(goodput)}/s`,
    ],
    ...[`${whole((100 * goodput) / capacity)} %`, time(50), time(99)],
    ...[share('refused'), share('unsent'), share('late'), share('wrong')],
    whole(middle(({ resident = 0 }) => resident) / 2 ** 20),
  ];
};

const head = [
  ...['server', 'load', 'due', 'goodput', 'of capacity', 'p50 ms', 'p99 ms'],
  ...['refused', 'not sent', 'late', 'wrong', 'memory MB'],
];

const tableOf = (scenario: Scenario, pets: number, rows: readonly Row[]): Table => ({
  title: scenario.title(pets),
  note: 'Goodput: right answers within a second from the time when a request was due. Not sent: all connections were in use.',
  head,
  rows: rows.filter((row) => row.scenario === scenario.name).map(cellsOf),
});

/** Measures, prints and writes the tables; false where there were wrong responses. */
export const measureOverload = async (
  options: Options,
  core: number | undefined,
  progress: Progress,
): Promise<boolean> => {
  const { rounds = usual.rounds, seconds = usual.seconds, pets = usual.pets } = options;
  const [connections = usual.connections] = options.concurrency ?? [];
  const plan: Plan = { rounds, seconds, pets, connections, core };
  const { contestants: ids = usual.contestants, scenarios: names = usual.scenarios } = options;
  const contestants = chooseContestants({ ...options, contestants: ids }, undefined, progress.line);
  const scenarios = allScenarios.filter(({ name }) => names.includes(name));
  const rows: Row[] = [];
  for (const scenario of scenarios) {
    for (const contestant of contestants) {
      if (!takesPart(contestant, scenario)) continue;
      rows.push(...(await measureOne(contestant, scenario, plan, progress)));
    }
  }
  const report: Report = {
    date: new Date().toISOString(),
    machine: machineOf(core),
    ...{ pets, processes: 1, rounds, seconds, connections: [connections] },
    ...{ entrants: [], scenarios: [], figures: [], skipped: [] },
  };
  const tables = scenarios.map((scenario) => tableOf(scenario, pets, rows));
  progress.line('');
  process.stdout.write(terminalText(report, tables));
  writeReport(report, markdownText('Overload', report, tables), options);
  return rows.every((row) => row.rounds.every(({ wrong }) => wrong === 0));
};
