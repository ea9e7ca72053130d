/** Measures ours whole and without each technique in one set of processes, which take turns, scenario by scenario. */

import { oursOnSqlite } from '../targets/ours';
import type { WireRequest } from '../load/drive';
import { wireRequests } from '../load/request';
import { checkAnswers } from '../runs/check';
import { measure, type Slice } from '../runs/sample';
import { type Pair, pairsOf } from '../report/ablation';
import type { Scenario } from '../scenarios/scenario';
import { type Ground, runsOf, startWithout, type Variant } from './ablated';
import { isUsed, type Technique } from './techniques';

/** Every variant compiles its code by itself; in seconds. */
const warmUp = 1.5;

/** A variant in a scenario. */
interface Runner {
  readonly variant: Variant;
  readonly requests: readonly WireRequest[];
  readonly slices: Slice[];
  sent: number;
}

/** What a scenario gave so far. */
export interface Found {
  readonly scenario: Scenario;
  readonly whole: Slice[];
  /** By technique; one that the scenario does not use has none. */
  readonly pairs: Map<Technique, Pair[]>;
}

/** How everything is measured. */
export interface Course extends Ground {
  readonly connections: number;
  readonly processes: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** Looks at the content of a variant's answers, and makes its requests ready. */
const makeReady = async (course: Course, variant: Variant, scenario: Scenario): Promise<Runner> => {
  const { running, without } = variant;
  const { credentials } = running;
  const steps = scenario.steps({ credentials, pets: course.pets });
  const wrong = await checkAnswers(oursOnSqlite(course.ours), running, steps);
  if (wrong !== undefined) {
    throw new Error(`Without ${without?.name ?? 'nothing'}, ${scenario.name}: ${wrong}`);
  }
  const requests = wireRequests(steps, running);
  return { variant, requests, slices: [], sent: 0 };
};

const take = async (
  { connections, core }: Course,
  runner: Runner,
  scenario: Scenario,
  seconds: number,
): Promise<Slice> => {
  const { variant, requests, sent: from } = runner;
  const { running, without } = variant;
  const slice = await measure({ running, requests, connections, from, core }, seconds);
  if (slice.faults !== undefined) {
    throw new Error(`Without ${without?.name ?? 'nothing'}, ${scenario.name}: ${slice.faults}`);
  }
  runner.sent += slice.sent;
  return slice;
};

/** Makes a variant ready for a scenario and lets it compile its code; undefined where the scenario does not use what it lacks. */
const warm = async (
  course: Course,
  variant: Variant,
  scenario: Scenario,
): Promise<Runner | undefined> => {
  const runner = await makeReady(course, variant, scenario);
  const before = await runsOf(variant);
  await take(course, runner, scenario, warmUp);
  if (variant.without === undefined) return runner;
  return isUsed((await runsOf(variant)) - before, runner.sent) ? runner : undefined;
};

/** Measures variants in one scenario; each begins a round in turn, so that nobody always follows the same. */
const runScenario = async (
  course: Course,
  variants: readonly Variant[],
  scenario: Scenario,
): Promise<Runner[]> => {
  const { rounds, seconds } = course;
  const runners: Runner[] = [];
  for (const variant of variants) {
    const runner = await warm(course, variant, scenario);
    if (runner !== undefined) runners.push(runner);
  }
  for (let round = 0; round < rounds; round += 1) {
    const at = round % runners.length;
    for (const runner of [...runners.slice(at), ...runners.slice(0, at)]) {
      runner.slices.push(await take(course, runner, scenario, seconds));
    }
  }
  return runners;
};

/** Adds what each variant did to what is known, beside what ours whole did in the same round. */
const add = ({ whole, pairs }: Found, runners: readonly Runner[]): void => {
  const base = runners.find(({ variant }) => variant.without === undefined)?.slices ?? [];
  whole.push(...base);
  for (const { variant, slices } of runners) {
    if (variant.without === undefined) continue;
    const known = pairs.get(variant.without) ?? [];
    pairs.set(variant.without, [...known, ...pairsOf(base, slices)]);
  }
};

/** Starts ours whole and without each technique, and measures every scenario with those that it uses. */
export const runProcesses = async (
  course: Course,
  techniques: readonly Technique[],
  all: readonly Found[],
  onScenario: (index: number, scenario: Scenario) => void,
): Promise<void> => {
  const variants: Variant[] = [];
  try {
    for (const without of [undefined, ...techniques]) {
      variants.push(await startWithout(without, course));
    }
    for (const [index, found] of all.entries()) {
      const { scenario, pairs } = found;
      // What the first processes did not use, the next ones do not either.
      const used = ({ without }: Variant) =>
        pairs.size === 0 || without === undefined || pairs.has(without);
      add(found, await runScenario(course, variants.filter(used), scenario));
      onScenario(index, scenario);
    }
  } finally {
    for (const { running } of variants) await running.stop();
  }
};
