/** `npm run bench`: a race against other servers, or one of the measurements of ours alone. */

import { writeFileSync } from 'node:fs';
import { type Cores, findCores, pinProcess } from '../machine/cores';
import { buildAblations, buildOurs, buildPeers, installPeers } from './machine/install';
import { handleInterruptions, isInterrupted } from './machine/interrupt';
import { type Options, readOptions } from './options';
import { measureOverload } from './overload/run-overload';
import { measureAblations } from './probes/ablation';
import { measureFlat } from './probes/flat/flat';
import { markdownText, terminalText } from './report/layout';
import { plotSvg } from './report/plot';
import { allTables, shortTables } from './report/tables';
import { chooseContestants, isOurs } from './runs/contestants';
import { defaults, makePlan } from './runs/plan';
import { showProgress } from './runs/progress';
import type { Progress } from './runs/race';
import { runRace, writeReport } from './runs/run-race';
import { allScenarios } from './scenarios/all';
import { type DatabaseServer, startDatabaseServer } from './targets/postgres-server';

/** Compiles what takes part; the peers' packages are installed at first use. */
const build = (options: Options, say: (line: string) => void): void => {
  buildOurs();
  if (options.ablation !== undefined) {
    buildAblations();
    return;
  }
  const isOursAlone = options.contestants?.every(isOurs) ?? false;
  if (options.flat !== undefined || isOursAlone) return;
  installPeers(say);
  buildPeers();
};

/** Runs the race; false where a contestant gave a wrong response. */
const compare = async (
  options: Options,
  server: DatabaseServer | undefined,
  core: number | undefined,
  progress: Progress,
): Promise<boolean> => {
  const contestants = chooseContestants(options, server, (line) => progress.step(0, 0, line));
  const scenarios = allScenarios.filter(({ quick }) => !options.quick || quick);
  const usual = options.quick ? defaults.quick : defaults.race;
  const plan = makePlan(options, usual, contestants, scenarios, core);
  const report = await runRace(plan, progress);
  progress.line('');
  process.stdout.write(terminalText(report, shortTables(report)));
  writeReport(report, markdownText('Benchmark', report, allTables(report)), options);
  return !report.skipped.some(({ fault }) => fault);
};

/** Runs a PostgreSQL server for as long as it is used. */
const withDatabaseServer = async <Result>(
  cores: Cores | undefined,
  use: (server: DatabaseServer) => Promise<Result>,
): Promise<Result> => {
  const server = await startDatabaseServer(cores?.others);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
};

/** Runs the race on the database that is wanted, which PostgreSQL is started for. */
const compareOn = async (
  options: Options,
  cores: Cores | undefined,
  progress: Progress,
): Promise<boolean> => {
  if (options.database === 'sqlite') return compare(options, undefined, cores?.server, progress);
  return withDatabaseServer(cores, (server) => compare(options, server, cores?.server, progress));
};

const watchSizes = async (
  { quick, plot, rounds = 2, seconds = 1 }: Options,
  names: readonly string[],
  cores: Cores | undefined,
  progress: Progress,
): Promise<boolean> => {
  const comparisons = await withDatabaseServer(cores, (server) =>
    measureFlat({ names, quick, rounds, seconds }, server, cores?.server, progress),
  );
  if (plot !== undefined) writeFileSync(plot, plotSvg(comparisons));
  return true;
};

/** Runs what the command line asks for; resolves to the exit code. */
const run = async (options: Options): Promise<number> => {
  const progress = showProgress();
  build(options, progress.line);
  // Only now: compiling may use every core.
  const cores = findCores();
  if (cores !== undefined) pinProcess(process.pid, cores.load);
  const measure = async (): Promise<boolean> => {
    if (options.flat !== undefined) return watchSizes(options, options.flat, cores, progress);
    if (options.overload) return measureOverload(options, cores?.server, progress);
    if (options.ablation === undefined) return compareOn(options, cores, progress);
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
