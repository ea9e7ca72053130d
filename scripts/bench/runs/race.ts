/** The race: all contestants stand ready, and take turns scenario by scenario, round by round. */

import type { Contestant, Prepared, Running } from '../targets/contestant';
import type { WireRequest } from '../load/drive';
import { wireRequests } from '../load/request';
import type { Phase, Scenario } from '../scenarios/scenario';
import { checkAnswers, inability, keepsInt64 } from './check';
import { countMeasurements, type Heat, heatsOf, type Plan } from './plan';
import { measure, type Slice } from './sample';

/** What one contestant did in one heat: a slice a round. */
export interface Cell {
  readonly contestant: string;
  readonly scenario: string;
  readonly connections: number;
  readonly slices: readonly Slice[];
}

/** A scenario that a contestant does not run, or runs wrongly. */
export interface Left {
  readonly contestant: string;
  readonly scenario: string;
  readonly reason: string;
  /** Whether it was expected to. */
  readonly fault: boolean;
}

export interface RaceResult {
  readonly cells: readonly Cell[];
  readonly left: readonly Left[];
  readonly exactInt64: ReadonlyMap<string, boolean>;
}

/** Tells how far the race is. */
export interface Progress {
  line(text: string): void;
  step(done: number, all: number, text: string): void;
}

/** A contestant at the start of a phase. */
interface Runner {
  readonly contestant: Contestant;
  readonly running: Running;
  /** By scenario: its requests, ready to be sent. */
  readonly requests: Map<string, readonly WireRequest[]>;
  /** By scenario: how many were sent. */
  readonly sent: Map<string, number>;
}

interface Ring {
  readonly plan: Plan;
  readonly progress: Progress;
  readonly cells: Map<string, Cell & { readonly slices: Slice[] }>;
  readonly left: Left[];
  readonly exactInt64: Map<string, boolean>;
  done: number;
}

/** Checks a contestant's answers and makes its requests ready, scenario by scenario. */
const makeReady = async (ring: Ring, runner: Runner, scenario: Scenario): Promise<void> => {
  const { contestant, running, requests } = runner;
  const names = { contestant: contestant.id, scenario: scenario.name };
  const reason = inability(contestant, scenario);
  if (reason !== undefined) {
    ring.left.push({ ...names, reason, fault: false });
    return;
  }
  const steps = scenario.steps({ credentials: running.credentials, pets: ring.plan.pets });
  const wrong = await checkAnswers(contestant, running, steps);
  if (wrong !== undefined) {
    ring.progress.line(`WRONG  ${contestant.id}, ${scenario.name}: ${wrong}`);
    ring.left.push({ ...names, reason: wrong, fault: true });
    return;
  }
  requests.set(scenario.name, wireRequests(steps, running));
};

const take = async (
  runner: Runner,
  { scenario, connections }: Heat,
  seconds: number,
  core: number | undefined,
): Promise<Slice | undefined> => {
  const { running, requests, sent } = runner;
  const ready = requests.get(scenario.name);
  if (ready === undefined) return undefined;
  const from = sent.get(scenario.name) ?? 0;
  const slice = await measure({ running, requests: ready, connections, from, core }, seconds);
  sent.set(scenario.name, from + slice.sent);
  return slice;
};

const warmUp = async (
  { plan, progress }: Ring,
  runners: readonly Runner[],
  scenarios: readonly Scenario[],
) => {
  const connections = Math.max(...plan.connections.filter((count) => count <= 64), 1);
  for (const scenario of scenarios) {
    progress.step(0, 0, `warming up: ${scenario.name}`);
    for (const runner of runners) {
      await take(runner, { scenario, connections, runners: [] }, plan.warmUp, plan.core);
    }
  }
};

const keep = (ring: Ring, contestant: string, heat: Heat, slice: Slice): void => {
  const { scenario, connections } = heat;
  const key = `${contestant} ${scenario.name} ${connections}`;
  const names = { contestant, scenario: scenario.name, connections };
  const cell = ring.cells.get(key) ?? { ...names, slices: [] };
  ring.cells.set(key, cell);
  cell.slices.push(slice);
  if (slice.faults !== undefined) {
    ring.progress.line(`WRONG  ${contestant}, ${scenario.name} × ${connections}: ${slice.faults}`);
    ring.left.push({ contestant, scenario: scenario.name, reason: slice.faults, fault: true });
  }
};

/** Who begins changes from round to round. */
const rotated = <Item>(items: readonly Item[], by: number): Item[] => {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
};

const runHeat = async (ring: Ring, heat: Heat, runners: readonly Runner[], round: number) => {
  const { plan, progress } = ring;
  const taking = runners.filter(({ contestant }) => heat.runners.includes(contestant));
  for (const runner of rotated(taking, round)) {
    const { id } = runner.contestant;
    const slice = await take(runner, heat, plan.seconds, plan.core);
    ring.done += 1;
    if (slice === undefined) continue;
    keep(ring, id, heat, slice);
    const rate = Math.round(slice.perSecond).toLocaleString('en');
    const where = `round ${round + 1}/${plan.rounds}  ${heat.scenario.name} × ${heat.connections}`;
    progress.step(ring.done, countMeasurements(plan), `${where}  ${id}: ${rate}/s`);
  }
};

const startAll = async (
  { plan }: Ring,
  phase: Phase,
  field: ReadonlyMap<Contestant, Prepared>,
  runners: Runner[],
): Promise<void> => {
  for (const [contestant, prepared] of field) {
    if (!contestant.phases.includes(phase)) continue;
    const running = await prepared.start(plan.core);
    runners.push({ contestant, running, requests: new Map(), sent: new Map() });
  }
};

const runPhase = async (
  ring: Ring,
  phase: Phase,
  field: ReadonlyMap<Contestant, Prepared>,
): Promise<void> => {
  const { plan, exactInt64 } = ring;
  const scenarios = plan.scenarios.filter((scenario) => scenario.phase === phase);
  if (scenarios.length === 0) return;
  const runners: Runner[] = [];
  try {
    await startAll(ring, phase, field, runners);
    for (const runner of runners) {
      for (const scenario of scenarios) await makeReady(ring, runner, scenario);
    }
    await warmUp(ring, runners, scenarios);
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const heat of heatsOf(plan, phase)) await runHeat(ring, heat, runners, round);
    }
    for (const { contestant, running } of runners) {
      exactInt64.set(contestant.id, await keepsInt64(contestant, running));
    }
  } finally {
    await Promise.all(runners.map(({ running }) => running.stop()));
  }
};

/** Runs all phases of the plan with the contestants that are ready. */
export const race = async (
  plan: Plan,
  field: ReadonlyMap<Contestant, Prepared>,
  progress: Progress,
): Promise<RaceResult> => {
  const empty = { cells: new Map(), left: [], exactInt64: new Map(), done: 0 };
  const ring: Ring = { plan, progress, ...empty };
  await runPhase(ring, 'read', field);
  await runPhase(ring, 'write', field);
  return { cells: [...ring.cells.values()], left: ring.left, exactInt64: ring.exactInt64 };
};
