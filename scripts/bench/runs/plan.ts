/** What a race measures: which servers, which scenarios, how often, how long. */

import type { Options } from '../options';
import { allScenarios } from '../scenarios/all';
import { type Phase, type Scenario, takesPart } from '../scenarios/scenario';
import type { Contestant } from '../targets/contestant';

export interface Plan {
  readonly contestants: readonly Contestant[];
  readonly scenarios: readonly Scenario[];
  readonly connections: readonly number[];
  /** How many processes of each contestant are measured, one after the other. */
  readonly processes: number;
  /** How often a process is measured in each scenario. */
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
  /** Seconds for which each process runs each scenario before anything is measured. */
  readonly warmUp: number;
  /** How often each contestant is started for its start time. */
  readonly starts: number;
  /** How many pets are stored. */
  readonly pets: number;
  /** The servers' core. */
  readonly core: number | undefined;
}

/** What holds where the command line says nothing. */
export const defaults = {
  race: {
    ...{ connections: [1, 64, 512], processes: 1, rounds: 5, seconds: 0.5, warmUp: 0.5 },
    ...{ starts: 5, pets: 100_000 },
  },
  quick: {
    ...{ connections: [1, 64], processes: 1, rounds: 2, seconds: 0.5, warmUp: 0.3 },
    ...{ starts: 2, pets: 2000 },
  },
  // Many short rounds: the machine differs from second to second by more than many a technique gains.
  ablation: {
    ...{ connections: [64], processes: 5, rounds: 6, seconds: 0.3, warmUp: 1.5 },
    ...{ starts: 0, pets: 10_000 },
  },
} as const;

/** Those scenarios whose names contain one of the given texts; undefined: the given ones. */
const chooseScenarios = (
  parts: readonly string[] | undefined,
  usual: readonly Scenario[],
): readonly Scenario[] => {
  if (parts === undefined) return usual;
  const chosen = allScenarios.filter(({ name }) => parts.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new Error(`No scenario is called ${parts.join(' or ')}`);
  return chosen;
};

/** Makes the plan of the command line; where it says nothing, the defaults hold. */
export const makePlan = (
  options: Options,
  usual: Omit<Plan, 'contestants' | 'scenarios' | 'core'>,
  contestants: readonly Contestant[],
  usualScenarios: readonly Scenario[],
  core: number | undefined,
): Plan => ({
  contestants,
  scenarios: chooseScenarios(options.scenarios, usualScenarios),
  connections: options.concurrency ?? usual.connections,
  processes: options.processes ?? usual.processes,
  rounds: options.rounds ?? usual.rounds,
  seconds: options.seconds ?? usual.seconds,
  warmUp: usual.warmUp,
  starts: usual.starts,
  pets: options.pets ?? usual.pets,
  core,
});

/** A scenario at a number of connections, with the contestants that are able to run it. */
export interface Event {
  readonly scenario: Scenario;
  readonly connections: number;
  readonly contestants: readonly Contestant[];
}

/** The events of a phase. */
export const eventsOf = (
  { contestants, scenarios, connections }: Plan,
  phase: Phase,
): readonly Event[] =>
  scenarios
    .filter((scenario) => scenario.phase === phase)
    .flatMap((scenario) =>
      connections
        .filter((count) => count <= (scenario.mostConnections ?? count))
        .map((count) => ({
          scenario,
          connections: count,
          contestants: contestants.filter((one) => takesPart(one, scenario)),
        })),
    );

/** How many single measurements the plan takes. */
export const countMeasurements = (plan: Plan): number =>
  [...eventsOf(plan, 'read'), ...eventsOf(plan, 'write')].reduce(
    (sum, { contestants }) => sum + contestants.length,
    0,
  ) *
  plan.rounds *
  plan.processes;
