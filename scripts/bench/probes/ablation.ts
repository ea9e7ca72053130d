/**
 * What each of our techniques gains: a race of ours whole and ours without each of them. Processes of one program differ, as
 * their memory is laid out and their code compiled, so that several of each are measured.
 */

import { once } from 'node:events';
import { join } from 'node:path';
import { rootFolder } from '../../root-folder';
import { ablationBuild } from '../machine/places';
import type { Options } from '../options';
import { markdownText, terminalText } from '../report/layout';
import { ablationTables } from '../report/tables';
import { defaults, makePlan } from '../runs/plan';
import type { Progress } from '../runs/race';
import { runRace, writeReport } from '../runs/run-race';
import { allScenarios } from '../scenarios/all';
import type { Contestant } from '../targets/contestant';
import { type OurOptions, oursOnSqlite } from '../targets/ours';
import { type Technique, techniquesNamed } from './techniques';

/** What ran more rarely is of no account to a request: the figure would show chance alone. */
const fewestRuns = 100;

const usualScenarios = [
  ...['read-json-key', 'read-json-token', 'read-xml-key', 'find-by-status-short'],
  ...['add-json', 'mix'],
];

/** Ours with a script loaded in front of it that replaces the technique; `runs` counts how often the replacement ran. */
const without = (
  { name, title }: Technique,
  ours: OurOptions,
  runs: Map<string, number>,
): Contestant => {
  const nodeArgs = ['--require', join(ablationBuild, `${name}.js`)];
  const contestant = oursOnSqlite({ ...ours, nodeArgs }, name, title);
  return {
    ...contestant,
    async prepare(pets) {
      const { start } = await contestant.prepare(pets);
      return {
        async start(core) {
          const running = await start(core);
          const stop = async (): Promise<void> => {
            const told = once(running.child, 'message');
            running.child.send('runs');
            const [count]: unknown[] = await told;
            runs.set(name, (runs.get(name) ?? 0) + Number(count));
            await running.stop();
          };
          return { ...running, stop };
        },
      };
    },
  };
};

/**
 * Measures, prints and writes the tables.
 *
 * @param names of the techniques; none: all
 * @returns whether all responses were right and every replacement ran: without that there is no figure
 */
export const measureAblations = async (
  options: Options,
  names: readonly string[],
  core: number | undefined,
  progress: Progress,
): Promise<boolean> => {
  const techniques = techniquesNamed(names);
  const ours: OurOptions = { folder: rootFolder, say: (line) => progress.step(0, 0, line) };
  const runs = new Map<string, number>();
  const contestants = [
    oursOnSqlite(ours, 'ours', '(nothing)'),
    ...techniques.map((technique) => without(technique, ours, runs)),
  ];
  const usual = allScenarios.filter(({ name }) => usualScenarios.includes(name));
  const plan = makePlan(options, defaults.ablation, contestants, usual, core);
  const report = await runRace(plan, progress);
  const tables = ablationTables(report);
  progress.line('');
  process.stdout.write(terminalText(report, tables));
  writeReport(report, markdownText('What each technique gains', report, tables), options);
  const unused = techniques.filter(({ name }) => (runs.get(name) ?? 0) < fewestRuns);
  for (const { name } of unused) {
    progress.line(`NOT MEASURED: ${name}: what replaces it did not run in these scenarios`);
  }
  return unused.length === 0 && !report.skipped.some(({ fault }) => fault);
};
