/** The race: all contestants run at once, and take turns scenario by scenario, round by round. */

import type { WireRequest } from '../load/drive';
import { wireRequests } from '../load/request';
import { type Phase, type Scenario, takesPart } from '../scenarios/scenario';
import type { Contestant, Prepared, Running } from '../targets/contestant';
import { checkResponses, keepsInt64 } from './check';
import { countMeasurements, type Event, eventsOf, type Plan } from './plan';
import { measure, type Sample } from './sample';

/** What one contestant did in one scenario at a number of connections: a sample a round. */
export interface Cell {
  readonly contestant: string;
  readonly scenario: string;
  readonly connections: number;
  readonly samples: readonly Sample[];
}

/** A scenario that a contestant does not run, or runs wrongly. */
export interface Skipped {
  readonly contestant: string;
  readonly scenario: string;
  readonly reason: string;
  /** Whether it was expected to run it. */
  readonly fault: boolean;
}

export interface RaceResult {
  readonly cells: readonly Cell[];
  readonly skipped: readonly Skipped[];
  readonly exactInt64: ReadonlyMap<string, boolean>;
}

/** Shows how far a race is. */
export interface Progress {
  line(text: string): void;
  step(done: number, all: number, text: string): void;
}

/** A running contestant. */
interface Runner {
  readonly contestant: Contestant;
  readonly running: Running;
  /** By scenario: its requests as bytes. */
  readonly requests: Map<string, readonly WireRequest[]>;
  /** By scenario: how many were sent. */
  readonly sent: Map<string, number>;
}

interface State {
  readonly plan: Plan;
  readonly progress: Progress;
  readonly cells: Map<string, Cell & { readonly samples: Sample[] }>;
  readonly skipped: Map<string, Skipped>;
  readonly exactInt64: Map<string, boolean>;
  done: number;
}

const skip = ({ skipped, progress }: State, entry: Skipped): void => {
  const { contestant, scenario, reason, fault } = entry;
  skipped.set(`${contestant} ${scenario} ${reason}`, entry);
  if (fault) progress.line(`WRONG  ${contestant}, ${scenario}: ${reason}`);
};

/** Checks a contestant's responses and prepares its requests. */
const prepareRequests = async (state: State, runner: Runner, scenario: Scenario): Promise<void> => {
  const { contestant, running, requests } = runner;
  const names = { contestant: contestant.id, scenario: scenario.name };
  if (!takesPart(contestant, scenario)) {
    skip(state, { ...names, reason: 'has no XML', fault: false });
    return;
  }
  const steps = scenario.steps({ credentials: running.credentials, pets: state.plan.pets });
  const wrong = await checkResponses(running, steps);
  if (wrong !== undefined) {
    skip(state, { ...names, reason: wrong, fault: true });
    return;
  }
  requests.set(scenario.name, wireRequests(steps, running));
};

/** Takes one sample; undefined where the contestant does not run the scenario. */
const take = async (
  { running, requests, sent }: Runner,
  { scenario, connections }: Pick<Event, 'scenario' | 'connections'>,
  seconds: number,
  core: number | undefined,
): Promise<Sample | undefined> => {
  const all = requests.get(scenario.name);
  if (all === undefined) return undefined;
  const from = sent.get(scenario.name) ?? 0;
  const sample = await measure({ running, requests: all, connections, from, core }, seconds);
  sent.set(scenario.name, from + sample.sent);
  return sample;
};

const warmUp = async (
  { plan, progress }: State,
  runners: readonly Runner[],
  scenarios: readonly Scenario[],
): Promise<void> => {
  const connections = Math.max(...plan.connections.filter((count) => count <= 64), 1);
  for (const scenario of scenarios) {
    progress.step(0, 0, `warming up: ${scenario.name}`);
    for (const runner of runners) {
      await take(runner, { scenario, connections }, plan.warmUp, plan.core);
    }
  }
};

const addSample = (state: State, contestant: string, event: Event, sample: Sample): void => {
  const { scenario, connections } = event;
  const key = `${contestant} ${scenario.name} ${connections}`;
  const names = { contestant, scenario: scenario.name, connections };
  const cell = state.cells.get(key) ?? { ...names, samples: [] };
  state.cells.set(key, cell);
  cell.samples.push(sample);
  if (sample.faults !== undefined) {
    skip(state, { contestant, scenario: scenario.name, reason: sample.faults, fault: true });
  }
};

/** Another one begins in each round, so that none always follows the same one. */
const rotated = <Item>(items: readonly Item[], by: number): Item[] => {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
};

const runEvent = async (
  state: State,
  event: Event,
  runners: readonly Runner[],
  round: number,
): Promise<void> => {
  const { plan, progress } = state;
  const able = runners.filter(({ contestant }) => event.contestants.includes(contestant));
  for (const runner of rotated(able, round)) {
    const { id } = runner.contestant;
    const sample = await take(runner, event, plan.seconds, plan.core);
    state.done += 1;
    if (sample === undefined) continue;
    addSample(state, id, event, sample);
    const rate = Math.round(sample.perSecond).toLocaleString('en');
    const where = `round ${round + 1}/${plan.rounds}  ${event.scenario.name} × ${event.connections}`;
    progress.step(state.done, countMeasurements(plan), `${where}  ${id}: ${rate}/s`);
  }
};

/** Runs the scenarios of a phase with a new process of each contestant. */
const runPhase = async (
  state: State,
  phase: Phase,
  prepared: ReadonlyMap<Contestant, Prepared>,
): Promise<void> => {
  const { plan, exactInt64 } = state;
  const scenarios = plan.scenarios.filter((scenario) => scenario.phase === phase);
  if (scenarios.length === 0) return;
  const runners: Runner[] = [];
  try {
    for (const [contestant, { start }] of prepared) {
      const running = await start(plan.core);
      runners.push({ contestant, running, requests: new Map(), sent: new Map() });
    }
    for (const runner of runners) {
      for (const scenario of scenarios) await prepareRequests(state, runner, scenario);
    }
    await warmUp(state, runners, scenarios);
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const event of eventsOf(plan, phase)) await runEvent(state, event, runners, round);
    }
    for (const { contestant, running } of runners) {
      exactInt64.set(contestant.id, await keepsInt64(running));
    }
  } finally {
    await Promise.all(runners.map(({ running }) => running.stop()));
  }
};

/** Measures all scenarios of the plan with the contestants that are prepared. */
export const race = async (
  plan: Plan,
  prepared: ReadonlyMap<Contestant, Prepared>,
  progress: Progress,
): Promise<RaceResult> => {
  const empty = { cells: new Map(), skipped: new Map(), exactInt64: new Map(), done: 0 };
  const state: State = { plan, progress, ...empty };
  for (let process = 0; process < plan.processes; process += 1) {
    await runPhase(state, 'read', prepared);
    await runPhase(state, 'write', prepared);
  }
  const { cells, skipped, exactInt64 } = state;
  return { cells: [...cells.values()], skipped: [...skipped.values()], exactInt64 };
};
