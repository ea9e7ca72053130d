/** The race: all contestants run at once, and take turns scenario by scenario, round by round. */

import type { Contestant } from './contestants/fill';
import type { Running } from './contestants/launch';
import type { WireRequest } from './load/drive';
import { ask, wireRequests } from './load/request';
import { measure, type Sample } from './sample';
import { allScenarios } from './scenarios/all';
import { type Phase, type Scenario, type Step, takesPart } from './scenarios/scenario';

/** The scenarios of a race, and the numbers and lengths of measurements. */
export interface Plan {
  readonly scenarios: readonly Scenario[];
  readonly connections: readonly number[];
  /** Processes of each contestant that are measured, one after the other. */
  readonly processes: number;
  /** Measurements of a process in each scenario. */
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
  readonly samples: Sample[];
}

/** The result of a race. */
export interface RaceResult {
  readonly plan: Plan;
  readonly contestants: readonly Contestant['program'][];
  readonly cells: readonly Cell[];
  /** By contestant: milliseconds to the first response, of each start. */
  readonly starts: ReadonlyMap<string, readonly number[]>;
}

/** Returns the scenarios whose names contain one of the texts, or all those that pass. */
export const chooseScenarios = (
  names: readonly string[] | undefined,
  usual: (scenario: Scenario) => boolean = () => true,
): readonly Scenario[] => {
  if (names === undefined) return allScenarios.filter(usual);
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

/**
 * Checks the content of responses and returns the requests as bytes.
 *
 * @throws Error where a response is wrong: then there is nothing to measure
 */
export const checkedRequests = async (
  { program }: Contestant,
  running: Running,
  { name, steps: make }: Scenario,
  pets: number,
): Promise<readonly WireRequest[]> => {
  const steps = make({ credentials: running.credentials, pets });
  for (const step of steps.slice(0, checkedResponses)) {
    await checkStep(running, step).catch((error: Error) => {
      const { method, path } = step.request;
      throw new Error(`${program.id}, ${name}, ${method} ${path}: ${error.message}`);
    });
  }
  return wireRequests(steps, running);
};

/** A running contestant. */
interface Runner {
  readonly contestant: Contestant;
  readonly running: Running;
  /** By scenario: its requests, and how many were sent. */
  readonly scenarios: Map<string, { readonly requests: readonly WireRequest[]; sent: number }>;
}

/** Takes one sample; undefined where the contestant does not run the scenario. */
const sampleOf = async (
  { running, scenarios }: Runner,
  { name }: Scenario,
  connections: number,
  seconds: number,
  core: number | undefined,
): Promise<Sample | undefined> => {
  const found = scenarios.get(name);
  if (found === undefined) return undefined;
  const { requests, sent: from } = found;
  const sample = await measure({ running, requests, connections, from, core }, seconds);
  found.sent += sample.sent;
  return sample;
};

/** Returns the items with another first one in each round, so that none always follows the same one. */
const rotated = <Item>(items: readonly Item[], by: number): Item[] => {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
};

const startRunner = async (
  contestant: Contestant,
  scenarios: readonly Scenario[],
  { core, pets }: Plan,
): Promise<Runner> => {
  const running = await contestant.start(core);
  const runner: Runner = { contestant, running, scenarios: new Map() };
  for (const scenario of scenarios.filter((one) => takesPart(contestant.program, one))) {
    const requests = await checkedRequests(contestant, running, scenario, pets);
    runner.scenarios.set(scenario.name, { requests, sent: 0 });
  }
  return runner;
};

/** Returns the samples of a scenario at a number of connections, which are added to. */
const cellOf = (cells: Cell[], names: Omit<Cell, 'samples'>): Cell => {
  const found = cells.find(
    ({ contestant, scenario, connections }) =>
      contestant === names.contestant &&
      scenario === names.scenario &&
      connections === names.connections,
  );
  if (found !== undefined) return found;
  const cell = { ...names, samples: [] };
  cells.push(cell);
  return cell;
};

const runRound = async (
  plan: Plan,
  scenario: Scenario,
  runners: readonly Runner[],
  round: number,
  cells: Cell[],
): Promise<void> => {
  const { mostConnections = Number.POSITIVE_INFINITY } = scenario;
  for (const connections of plan.connections.filter((count) => count <= mostConnections)) {
    for (const runner of rotated(runners, round)) {
      const sample = await sampleOf(runner, scenario, connections, plan.seconds, plan.core);
      if (sample === undefined) continue;
      const contestant = runner.contestant.program.id;
      cellOf(cells, { contestant, scenario: scenario.name, connections }).samples.push(sample);
    }
  }
};

/** Runs the scenarios of a phase with a new process of each contestant. */
const runPhase = async (
  plan: Plan,
  phase: Phase,
  contestants: readonly Contestant[],
  cells: Cell[],
  starts: Map<string, number[]>,
): Promise<void> => {
  const scenarios = plan.scenarios.filter((scenario) => scenario.phase === phase);
  if (scenarios.length === 0) return;
  const runners: Runner[] = [];
  for (const contestant of contestants) {
    const runner = await startRunner(contestant, scenarios, plan);
    runners.push(runner);
    const { id } = contestant.program;
    starts.set(id, [...(starts.get(id) ?? []), runner.running.startMilliseconds]);
  }
  const connections = Math.min(64, Math.max(...plan.connections));
  for (const scenario of scenarios) {
    for (const runner of runners) {
      await sampleOf(runner, scenario, connections, plan.warmUp, plan.core);
    }
  }
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const scenario of scenarios) {
      process.stderr.write(`Round ${round + 1} of ${plan.rounds}: ${scenario.name}\n`);
      await runRound(plan, scenario, runners, round, cells);
    }
  }
  for (const { running } of runners) await running.stop();
};

/** Measures all scenarios of the plan. */
export const race = async (plan: Plan, contestants: readonly Contestant[]): Promise<RaceResult> => {
  const cells: Cell[] = [];
  const starts = new Map<string, number[]>();
  for (let process = 0; process < plan.processes; process += 1) {
    for (const phase of ['read', 'write'] as const) {
      await runPhase(plan, phase, contestants, cells, starts);
    }
  }
  return { plan, contestants: contestants.map(({ program }) => program), cells, starts };
};
