/** Measures variants of ours against each other, scenario by scenario, in turns. */

import type { Running } from '../targets/contestant';
import { wireRequests } from '../load/request';
import { measure, type Slice } from '../runs/sample';
import { median } from '../report/figures';
import { allScenarios } from '../scenarios/all';
import type { Scenario } from '../scenarios/scenario';

/** A running server, with the number of pets in its database. */
export interface Variant {
  readonly title: string;
  readonly pets: number;
  readonly running: Running;
}

/** What a variant did in a scenario. */
export interface Outcome {
  readonly perSecond: number;
  /** Processor time for a request, in microseconds. */
  readonly processor: number | undefined;
}

const rounds = 5;
const warmUp = 1;
const seconds = 1.5;

/** The scenario of that name. */
export const scenarioNamed = (name: string): Scenario => {
  const found = allScenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`There is no scenario ${name}`);
  return found;
};

const outcomeOf = (slices: readonly Slice[]): Outcome => {
  const processor = slices.flatMap((slice) => slice.processor ?? []);
  return {
    perSecond: median(slices.map(({ perSecond }) => perSecond)),
    processor: processor.length === 0 ? undefined : median(processor),
  };
};

/** Measures all variants in one scenario. */
export const compare = async (
  variants: readonly Variant[],
  scenario: Scenario,
  connections: number,
): Promise<Outcome[]> => {
  const runners = variants.map(({ running, pets }) => {
    const steps = scenario.steps({ credentials: running.credentials, pets });
    const requests = wireRequests(steps, running);
    const slices: Slice[] = [];
    return { running, requests, slices };
  });
  for (const { running, requests } of runners) {
    await measure({ running, requests, connections }, warmUp);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { running, requests, slices } of runners) {
      const slice = await measure({ running, requests, connections }, seconds);
      if (slice.faults !== undefined) throw new Error(`${scenario.name}: ${slice.faults}`);
      slices.push(slice);
    }
  }
  return runners.map(({ slices }) => outcomeOf(slices));
};

/** Prints one line of a comparison, with the ratio of the last variant to the first. */
export const printOutcomes = (title: string, outcomes: readonly Outcome[]): void => {
  const cells = outcomes.map(({ perSecond, processor }) => {
    const rate = Math.round(perSecond).toLocaleString('en');
    return `${rate}/s${processor === undefined ? '' : ` (${processor.toFixed(0)} µs)`}`.padStart(
      22,
    );
  });
  const [first, last] = [outcomes[0], outcomes.at(-1)].map((one) => one?.perSecond ?? 0);
  const ratio = ((last ?? 0) / (first || 1)).toFixed(2).padStart(8);
  process.stdout.write(`${title.padEnd(36)}${cells.join('')}${ratio}\n`);
};
