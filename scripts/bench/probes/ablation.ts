/**
 * What each of our techniques is worth: ours whole and ours without each of them take turns, scenario by scenario. Processes of
 * one program differ, as their memory lies and their code is compiled, so that several of each are measured.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cores } from '../../machine/cores';
import type { Options } from '../options';
import type { Progress } from '../runs/race';
import { machineFacts } from '../runs/run-race';
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
import { type Course, type Found, runProcesses } from './ablated-processes';
import { techniquesNamed } from './techniques';

const usualScenarios = [
  ...['read-json-key', 'read-json-token', 'read-xml-key', 'find-by-status-short'],
  ...['add-json', 'mix'],
];

/** Many short rounds: the machine differs from second to second more than many a technique is worth. */
const courseOf = (options: Options, cores: Cores | undefined, progress: Progress): Course => ({
  ours: { folder: options.ours, say: (line) => progress.step(0, 0, line) },
  pets: options.pets ?? 10_000,
  connections: options.concurrency?.[0] ?? 64,
  processes: options.processes ?? 5,
  rounds: options.rounds ?? 6,
  seconds: options.seconds ?? 0.3,
  core: cores?.server,
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
