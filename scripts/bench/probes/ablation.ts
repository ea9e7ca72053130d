/** What each of our techniques is worth: ours whole and ours without each of them take turns, scenario by scenario. */

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
  ratiosOf,
  unusedTechniques,
  wholeOf,
} from '../report/ablation';
import { allScenarios } from '../scenarios/all';
import type { Scenario } from '../scenarios/scenario';
import { type Ground, runsOf, startWithout, type Variant } from './ablated';
import { techniquesNamed } from './techniques';

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

/** How everything is measured. */
interface Course extends Ground {
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly progress: Progress;
}

const courseOf = (options: Options, cores: Cores | undefined, progress: Progress): Course => ({
  ours: { folder: options.ours, say: (line) => progress.step(0, 0, line) },
  pets: options.pets ?? 10_000,
  connections: options.concurrency?.[0] ?? 64,
  rounds: options.rounds ?? 5,
  seconds: options.seconds ?? 1.5,
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

/** Measures all variants in one scenario; each begins a round in turn, so that nobody always follows the same. */
const runScenario = async (
  course: Course,
  variants: readonly Variant[],
  scenario: Scenario,
): Promise<Runner[]> => {
  const { rounds, seconds, progress } = course;
  const runners: Runner[] = [];
  for (const variant of variants) runners.push(await makeReady(course, variant, scenario));
  for (const runner of runners) await take(course, runner, scenario, Math.min(warmUp, seconds * 2));
  for (let round = 0; round < rounds; round += 1) {
    const at = round % runners.length;
    for (const runner of [...runners.slice(at), ...runners.slice(0, at)]) {
      runner.slices.push(await take(course, runner, scenario, seconds));
    }
    progress.step(round + 1, rounds, scenario.name);
  }
  return runners;
};

const cellsOf = async (
  course: Course,
  variants: readonly Variant[],
  scenario: Scenario,
): Promise<{ readonly whole: Slice[]; readonly cells: AblatedCell[] }> => {
  const before = new Map<Variant, number>();
  for (const variant of variants) before.set(variant, await runsOf(variant));
  const runners = await runScenario(course, variants, scenario);
  const whole = runners.find(({ variant }) => variant.without === undefined)?.slices ?? [];
  const cells: AblatedCell[] = [];
  for (const { variant, slices, sent } of runners) {
    if (variant.without === undefined) continue;
    const runs = ((await runsOf(variant)) - (before.get(variant) ?? 0)) / sent;
    const names = { technique: variant.without.name, scenario: scenario.name };
    cells.push({ ...names, ...ratiosOf(whole, slices), runs });
  }
  return { whole, cells };
};

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
  const scenarios: AblationReport['scenarios'][number][] = [];
  const cells: AblatedCell[] = [];
  const variants: Variant[] = [];
  try {
    for (const without of [undefined, ...techniques])
      variants.push(await startWithout(without, course));
    for (const scenario of scenariosOf(options)) {
      const found = await cellsOf(course, variants, scenario);
      scenarios.push({ name: scenario.name, whole: wholeOf(found.whole) });
      cells.push(...found.cells);
    }
  } finally {
    for (const { running } of variants) await running.stop();
  }
  const { pets, rounds, seconds, connections } = course;
  const facts = { date: new Date().toISOString(), machine: machineFacts(cores !== undefined) };
  const measured = { ...facts, pets, rounds, seconds, connections };
  const report: AblationReport = { ...measured, techniques, scenarios, cells };
  progress.line('');
  process.stdout.write(ablationText(report));
  write(report, options.out);
  const unused = unusedTechniques(report);
  for (const name of unused) {
    progress.line(`NOT MEASURED: ${name}: what replaces it did not run in these scenarios`);
  }
  return unused.length === 0;
};
