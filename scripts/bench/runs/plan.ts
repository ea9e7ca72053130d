/** Which measurements a race takes, and how long each may last for all of them to fit the time. */

import type { Contestant } from '../targets/contestant';
import type { Phase, Scenario } from '../scenarios/scenario';
import { inability } from './check';

/** What is raced, and how. */
export interface Plan {
  readonly contestants: readonly Contestant[];
  readonly scenarios: readonly Scenario[];
  readonly connections: readonly number[];
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
  /** Seconds for which each scenario is run by each contestant before anything is measured. */
  readonly warmUp: number;
  /** How often each contestant is started for its start-up time. */
  readonly starts: number;
  readonly pets: number;
  readonly core: number | undefined;
}

/** A scenario with a number of connections, and those who run it. */
export interface Heat {
  readonly scenario: Scenario;
  readonly connections: number;
  readonly runners: readonly Contestant[];
}

/** Those who take part in a scenario by their nature. */
export const runnersOf = (
  contestants: readonly Contestant[],
  scenario: Scenario,
): readonly Contestant[] =>
  contestants.filter(
    (contestant) =>
      contestant.phases.includes(scenario.phase) && inability(contestant, scenario) === undefined,
  );

type Field = Pick<Plan, 'contestants' | 'scenarios' | 'connections'>;

/** The heats of a phase. */
export const heatsOf = ({ contestants, scenarios, connections }: Field, phase: Phase): Heat[] =>
  scenarios
    .filter((scenario) => scenario.phase === phase)
    .flatMap((scenario) =>
      connections
        .filter((count) => count <= (scenario.mostConnections ?? count))
        .map((count) => ({
          scenario,
          connections: count,
          runners: runnersOf(contestants, scenario),
        })),
    );

const measurements = (field: Field): number =>
  [...heatsOf(field, 'read'), ...heatsOf(field, 'write')].reduce(
    (sum, { runners }) => sum + runners.length,
    0,
  );

/** Seconds that a measurement takes beyond its own: settling, connecting, the last answers. */
const overhead = 0.25;
/** Seconds for filling databases, starting and stopping. */
const preparation = 75;

/**
 * Seconds of one measurement, so that all of them fit.
 * @param minutes for the whole race
 */
export const secondsThatFit = (
  field: Field,
  rounds: number,
  warmUp: number,
  minutes: number,
): number => {
  const warming = field.scenarios.length * field.contestants.length * warmUp;
  const rest = Math.max(0, minutes * 60 - Math.min(preparation, minutes * 15) - warming);
  const each = rest / Math.max(1, measurements(field) * rounds);
  return Math.min(5, Math.max(0.15, (each - overhead) / 1.1));
};

/** How many single measurements the plan takes. */
export const countMeasurements = (plan: Plan): number => measurements(plan) * plan.rounds;
