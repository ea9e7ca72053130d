/** Makes a plan of the command line: who, what, how often, how long. */

import type { Contestant } from '../targets/contestant';
import type { Options } from '../options';
import { allScenarios } from '../scenarios/all';
import type { Scenario } from '../scenarios/scenario';
import { type Plan, secondsThatFit } from './plan';

/** Left out of `--quick`: they are slow to start or add little. */
const notQuick = /^(prism|ours-postgres)$|-unsynced$/;

const chosenScenarios = ({ scenarios, quick }: Options): Scenario[] => {
  if (scenarios === undefined) return allScenarios.filter((one) => !quick || one.quick === true);
  const chosen = allScenarios.filter(({ name }) => scenarios.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new Error(`No scenario is called ${scenarios.join(' or ')}`);
  return chosen;
};

const chosenContestants = (
  { contestants, quick }: Options,
  all: readonly Contestant[],
): readonly Contestant[] => {
  if (contestants === undefined) return all.filter(({ id }) => !(quick && notQuick.test(id)));
  const unknown = contestants.find((name) => !all.some(({ id }) => id === name));
  if (unknown !== undefined) throw new Error(`No contestant is called ${unknown}`);
  return all.filter(({ id }) => contestants.includes(id));
};

/** What holds where the command line says nothing. */
const defaults = {
  full: {
    concurrency: [1, 64, 512],
    rounds: 5,
    warmUp: 0.5,
    minutes: 20,
    starts: 5,
    pets: 100_000,
  },
  quick: { concurrency: [1, 64], rounds: 2, warmUp: 0.3, minutes: 2, starts: 2, pets: 2000 },
} as const;

/**
 * Makes the plan.
 * @param core that of the servers
 */
export const makePlan = (
  options: Options,
  all: readonly Contestant[],
  core: number | undefined,
): Plan => {
  const usual = options.quick ? defaults.quick : defaults.full;
  const { warmUp, starts } = usual;
  const scenarios = chosenScenarios(options);
  const contestants = chosenContestants(options, all);
  const connections = options.concurrency ?? usual.concurrency;
  const rounds = options.rounds ?? usual.rounds;
  const field = { contestants, scenarios, connections };
  const fitting = secondsThatFit(field, rounds, warmUp, options.minutes ?? usual.minutes);
  const seconds = options.seconds ?? fitting;
  return { ...field, rounds, warmUp, seconds, starts, pets: options.pets ?? usual.pets, core };
};
