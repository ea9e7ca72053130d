/** The race: all contestants run at once, and take turns scenario by scenario, round by round. */

import type { Contestant } from './contestants/fill';
import type { Running } from './contestants/launch';
import type { WireRequest } from './load/drive';
import { ask, wireRequests } from './load/request';
import { measure, type Sample } from './sample';
import { allScenarios } from './scenarios/all';
import { phases, type Scenario, type Step } from './scenarios/scenario';

/** The scenarios of a race, and the numbers and lengths of measurements. */
export interface Plan {
  readonly scenarios: readonly Scenario[];
  readonly connections: readonly number[];
  /** Measurements in each scenario. */
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
  /** Seconds for which each process runs each scenario before anything is measured. */
  readonly warmUp: number;
  /** The number of stored pets. */
  readonly pets: number;
  /** The servers' core; undefined where processes cannot be pinned. */
  readonly core: number | undefined;
}

/** The samples of one contestant in one scenario at a number of connections, one a round. */
export interface Cell {
  readonly contestant: string;
  readonly scenario: string;
  readonly connections: number;
  readonly samples: readonly Sample[];
}

/** The result of a race. */
export interface RaceResult {
  readonly plan: Plan;
  readonly contestants: readonly Contestant['program'][];
  readonly cells: readonly Cell[];
  /** By contestant: milliseconds to the first response, of each start. */
  readonly starts: ReadonlyMap<string, readonly number[]>;
}

/** Returns the scenarios whose names contain one of the texts; all of them, or those that make it short, where none is given. */
export const chooseScenarios = (
  names: readonly string[] | undefined,
  isShort: boolean,
): readonly Scenario[] => {
  if (names === undefined) return allScenarios.filter(({ quick = false }) => quick || !isShort);
  const chosen = allScenarios.filter(({ name }) => names.some((text) => name.includes(text)));
  if (chosen.length === 0) {
    const known = allScenarios.map(({ name }) => name).join(', ');
    throw new Error(`Unknown scenario ${names.join()}; choose from ${known}`);
  }
  return chosen;
};

/** The number of responses of a scenario that are checked. */
const checkedResponses = 20;

const jsonOrXml = /^application\/(problem\+)?(json|xml)$/;

const checkStep = async (running: Running, step: Step): Promise<void> => {
  const response = await ask(step.request, running);
  const { status, mediaType } = response;
  if (status !== step.status) throw new Error(`the response is ${status}`);
  if (!jsonOrXml.test(mediaType)) throw new Error(`the response is ${mediaType}`);
  await step.check(response, (request) => ask(request, running));
};

/** A scenario as one contestant runs it: its requests, how many were sent, and the samples by connections. */
interface Run {
  readonly scenario: Scenario;
  readonly contestant: string;
  readonly running: Running;
  readonly requests: readonly WireRequest[];
  sent: number;
  readonly samples: Map<number, Sample[]>;
}

/**
 * Checks the content of responses.
 *
 * @throws Error where a response is wrong: then there is nothing to measure
 */
const beginRun = async (
  contestant: string,
  running: Running,
  scenario: Scenario,
  pets: number,
): Promise<Run> => {
  const steps = scenario.steps({ credentials: running.credentials, pets });
  for (const step of steps.slice(0, checkedResponses)) {
    await checkStep(running, step).catch((error: Error) => {
      const { method, path } = step.request;
      throw new Error(`${contestant}, ${scenario.name}, ${method} ${path}: ${error.message}`);
    });
  }
  const requests = wireRequests(steps, running);
  return { scenario, contestant, running, requests, sent: 0, samples: new Map() };
};

/** Takes one sample; the next continues with the requests that follow. */
const takeSample = async (
  run: Run,
  connections: number,
  seconds: number,
  core: number | undefined,
): Promise<Sample> => {
  const { running, requests, sent: from } = run;
  const sample = await measure({ running, requests, connections, from, core }, seconds);
  run.sent += sample.sent;
  return sample;
};

/** Returns the items with another first one in each round, so that none always follows the same one. */
const rotated = <Item>(items: readonly Item[], by: number): Item[] => {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
};

const runRound = async (plan: Plan, runs: readonly Run[], round: number): Promise<void> => {
  const most = runs[0]?.scenario.mostConnections ?? Number.POSITIVE_INFINITY;
  for (const connections of plan.connections.filter((count) => count <= most)) {
    for (const run of rotated(runs, round)) {
      const sample = await takeSample(run, connections, plan.seconds, plan.core);
      run.samples.set(connections, [...(run.samples.get(connections) ?? []), sample]);
    }
  }
};

/** Runs scenarios with a new process of each contestant. */
const runScenarios = async (
  plan: Plan,
  scenarios: readonly Scenario[],
  contestants: readonly Contestant[],
  starts: Map<string, number[]>,
): Promise<readonly Run[]> => {
  const runs: Run[] = [];
  const stops: (() => Promise<void>)[] = [];
  for (const { program, start } of contestants) {
    const running = await start(plan.core);
    stops.push(running.stop);
    starts.set(program.id, [...(starts.get(program.id) ?? []), running.startMilliseconds]);
    for (const scenario of scenarios.filter(({ needsXml }) => program.hasXml || !needsXml)) {
      runs.push(await beginRun(program.id, running, scenario, plan.pets));
    }
  }
  const byScenario = scenarios.map((scenario) => runs.filter((run) => run.scenario === scenario));
  const connections = Math.min(64, Math.max(...plan.connections));
  for (const run of byScenario.flat()) await takeSample(run, connections, plan.warmUp, plan.core);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [at, { name }] of scenarios.entries()) {
      process.stderr.write(`Round ${round + 1} of ${plan.rounds}: ${name}\n`);
      await runRound(plan, byScenario[at] ?? [], round);
    }
  }
  for (const stop of stops) await stop();
  return runs;
};

/** Measures all scenarios of the plan. */
export const race = async (plan: Plan, contestants: readonly Contestant[]): Promise<RaceResult> => {
  const runs: Run[] = [];
  const starts = new Map<string, number[]>();
  for (const phase of phases) {
    const scenarios = plan.scenarios.filter((scenario) => scenario.phase === phase);
    if (scenarios.length === 0) continue;
    runs.push(...(await runScenarios(plan, scenarios, contestants, starts)));
  }
  const cells = runs.flatMap(({ contestant, scenario: { name: scenario }, samples: all }) =>
    [...all].map(([connections, samples]) => ({ contestant, scenario, connections, samples })),
  );
  return { plan, contestants: contestants.map(({ program }) => program), cells, starts };
};
