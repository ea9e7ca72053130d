/**
 * What each of our techniques is worth: ours whole and ours without each of them take turns, scenario by scenario. Processes of
 * one program differ by up to a fifth, as their memory lies and their code is compiled, so that several of each are measured.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oursOnSqlite } from '../field/ours';
import type { WireRequest } from '../load/drive';
import { wireRequests } from '../load/request';
import type { Cores } from '../machine/cores';
import type { Options } from '../options';
import { checkAnswers } from '../race/check';
import type { Progress } from '../race/race';
import { machineFacts } from '../race/run-race';
import { measure, type Slice } from '../race/slice';
import {
  type AblatedCell,
  type AblationReport,
  ablationMarkdown,
  ablationText,
  type Pair,
  pairsOf,
  ratiosOf,
  unusedTechniques,
  wholeOf,
} from '../report/ablation';
import { allScenarios } from '../scenarios/all';
import type { Scenario } from '../scenarios/scenario';
import { type Ground, runsOf, startWithout, type Variant } from './ablated';
import { isUsed, type Technique, techniquesNamed } from './techniques';

const usualScenarios = [
  ...['read-json-key', 'read-json-token', 'read-xml-key', 'find-by-status-short'],
  ...['add-json', 'mix'],
];
/** Every variant compiles its code by itself; in seconds, but no more than twice what is measured. */
const warmUp = 2;

/** A variant in a scenario. */
interface Runner {
  readonly variant: Variant;
  readonly requests: readonly WireRequest[];
  readonly slices: Slice[];
  sent: number;
}

/** What a scenario gave so far. */
interface Found {
  readonly scenario: Scenario;
  readonly whole: Slice[];
  /** By technique; one that the scenario does not use has none. */
  readonly pairs: Map<Technique, Pair[]>;
}

/** How everything is measured. */
interface Course extends Ground {
  readonly connections: number;
  readonly processes: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly progress: Progress;
}

const courseOf = (options: Options, cores: Cores | undefined, progress: Progress): Course => ({
  ours: { folder: options.ours, say: (line) => progress.step(0, 0, line) },
  pets: options.pets ?? 10_000,
  connections: options.concurrency?.[0] ?? 64,
  processes: options.processes ?? 5,
  rounds: options.rounds ?? 2,
  seconds: options.seconds ?? 1,
  core: cores?.server,
  progress,
});

const scenariosOf = ({ scenarios }: Options): Scenario[] => {
  const chosen = allScenarios.filter(({ name }) =>
    scenarios === undefined
      ? usualScenarios.includes(name)
      : scenarios.some((part) => name.includes(part)),
  );
  if (chosen.length === 0) throw new Error(`No scenario is called ${scenarios?.join(' or ')}`);
  return chosen;
};

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
  await take(course, runner, scenario, Math.min(warmUp, course.seconds * 2));
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
const runProcesses = async (
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

const cellsOf = ({ scenario, pairs }: Found): AblatedCell[] =>
  [...pairs].map(([{ name }, moments]) => ({
    ...{ technique: name, scenario: scenario.name },
    ...ratiosOf(moments),
  }));

const write = (report: AblationReport, folder: string): void => {
  mkdirSync(folder, { recursive: true });
  const name = join(folder, `ablation-${report.date.replace(/[:.]/g, '-')}`);
  writeFileSync(`${name}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(`${name}.md`, ablationMarkdown(report));
  process.stderr.write(`${name}.md and .json are written\n`);
};

/**
 * Measures, prints and writes the tables.
 *
 * @param names of the techniques; none: all
 * @returns whether every technique was used: one that was not has no figure
 */
export const measureAblations = async (
  options: Options,
  names: readonly string[],
  cores: Cores | undefined,
  progress: Progress,
): Promise<boolean> => {
  const techniques = techniquesNamed(names);
  const course = courseOf(options, cores, progress);
  const all = scenariosOf(options).map(
    (scenario): Found => ({ scenario, whole: [], pairs: new Map() }),
  );
  for (let process = 0; process < course.processes; process += 1) {
    await runProcesses(course, techniques, all, (index, { name }) =>
      progress.step(process * all.length + index + 1, course.processes * all.length, name),
    );
  }
  const { pets, processes, rounds, seconds, connections } = course;
  const facts = { date: new Date().toISOString(), machine: machineFacts(cores !== undefined) };
  const measured = { ...facts, pets, processes, rounds, seconds, connections };
  const scenarios = all.map(({ scenario, whole }) => ({
    name: scenario.name,
    whole: wholeOf(whole),
  }));
  const report: AblationReport = {
    ...measured,
    techniques,
    scenarios,
    cells: all.flatMap(cellsOf),
  };
  progress.line('');
  process.stdout.write(ablationText(report));
  write(report, options.out);
  const unused = unusedTechniques(report);
  for (const name of unused) {
    progress.line(`NOT MEASURED: ${name}: what replaces it did not run in these scenarios`);
  }
  return unused.length === 0;
};
