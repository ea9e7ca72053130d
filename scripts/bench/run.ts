/** `npm run bench`: a race against other servers, or one of the measurements of ours alone. */

import { findCores, pinProcess } from '../machine/cores';
import { buildAblations, buildOurs, buildPeers, installPeers } from './machine/install';
import { handleInterruptions, isInterrupted } from './machine/interrupt';
import { type Options, readOptions } from './options';
import { measureAblations } from './probes/ablation';
import { watchHeap } from './probes/leak';
import { markdownText, terminalText } from './report/layout';
import { plotSvg } from './report/plot';
import { allTables, shortTables } from './report/tables';
import { chooseContestants, isOurs } from './runs/contestants';
import { defaults, makePlan } from './runs/plan';
import { showProgress } from './runs/progress';
import type { Progress } from './runs/race';
import { runRace, writeReport } from './runs/run-race';
import { allScenarios } from './scenarios/all';

/** Compiles what takes part; the peers' packages are installed at first use. */
const build = (options: Options, say: (line: string) => void): void => {
  buildOurs();
  if (options.ablation !== undefined) {
    buildAblations();
    return;
  }
  if (options.contestants?.every(isOurs)) return;
  installPeers(say);
  buildPeers();
};

/** Runs the race; false where a contestant gave a wrong response. */
const compare = async (
  options: Options,
  core: number | undefined,
  progress: Progress,
): Promise<boolean> => {
  const contestants = chooseContestants(options, (line) => progress.step(0, 0, line));
  const scenarios = allScenarios.filter(({ quick }) => !options.quick || quick);
  const usual = options.quick ? defaults.quick : defaults.race;
  const plan = makePlan(options, usual, contestants, scenarios, core);
  const report = await runRace(plan, progress);
  progress.line('');
  process.stdout.write(terminalText(report, shortTables(report)));
  const plot = options.plot === undefined ? undefined : plotSvg(report);
  writeReport(report, markdownText('Benchmark', report, allTables(report)), options, plot);
  return !report.skipped.some(({ fault }) => fault);
};

/** Runs what the command line asks for; resolves to the exit code. */
const run = async (options: Options): Promise<number> => {
  const progress = showProgress();
  build(options, progress.line);
  // Only now: compiling may use every core.
  const cores = findCores();
  if (cores !== undefined) pinProcess(process.pid, cores.load);
  const measure = async (): Promise<boolean> => {
    if (options.leak !== undefined) return watchHeap(options.leak, cores?.server, progress);
    if (options.ablation === undefined) return compare(options, cores?.server, progress);
    return measureAblations(options, options.ablation, cores?.server, progress);
  };
  return (await measure()) ? 0 : 1;
};

handleInterruptions();
run(readOptions(process.argv.slice(2))).then(
  (code) => {
    if (isInterrupted()) return;
    // Connections of the clients that are still open must not keep it alive.
    process.exit(code);
  },
  (error: unknown) => {
    if (isInterrupted()) return;
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(1);
  },
);
