/** `npm run bench`: a race against other servers, or one of the measurements of ours. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { listen } from '../../src/http/listening';
import { type Cores, findCores, pinProcess } from '../machine/cores';
import { rootFolder } from '../root-folder';
import { runAndCleanUp } from './cleanup';
import { type Databases, postgresDatabases, sqliteDatabases } from './contestants/databases';
import { prepareContestants } from './contestants/fill';
import {
  ablationPrograms,
  choosePrograms,
  type Program,
  peers,
  tracedPrograms,
} from './contestants/programs';
import { flatTable, measureFlat } from './flat';
import { measureOverload } from './overload';
import { plotSvg } from './plot';
import { chooseScenarios, type Plan, race } from './race';
import { ablationTables, markdownText, raceTables, warnings } from './tables';

/** The options of the command line; undefined where the defaults hold. */
interface Options {
  readonly quick: boolean;
  readonly database: 'sqlite' | 'postgres';
  readonly scenarios?: readonly string[];
  readonly contestants?: readonly string[];
  readonly before?: string;
  readonly concurrency?: readonly number[];
  readonly rounds?: number;
  readonly seconds?: number;
  readonly pets?: number;
  readonly plot?: string;
  readonly overload: boolean;
  readonly flat?: true | readonly string[];
  readonly ablation?: true | readonly string[];
  readonly traces: boolean;
}

const names = (text: string): string[] => text.split(',').filter((name) => name !== '');

const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
};

const whole = (text: string): number => {
  const value = positive(text);
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('It must be a whole number.');
  return value;
};

const thousands = (text: string): number => {
  const value = whole(text);
  if (value % 1000 !== 0) throw new InvalidArgumentError('It must be a multiple of 1,000.');
  return value;
};

const readOptions = (): Options =>
  new Command('bench')
    .description('Compares ours with other servers that do the same work, or with itself.')
    .option('--quick', 'few scenarios and sizes, a small database', false)
    .addOption(
      new Option('--database <name>', 'the database of all servers')
        .choices(['sqlite', 'postgres'])
        .default('sqlite'),
    )
    .option('--scenarios <names>', 'only these, separated by commas; parts of names will do', names)
    .option('--contestants <names>', 'only these, separated by commas', names)
    .option('--before <folder>', 'compare with another checkout of ours, built already', (folder) =>
      resolve(folder),
    )
    .option('--concurrency <numbers>', 'numbers of connections', (text) => names(text).map(whole))
    .option('--rounds <number>', 'measurements of each process', whole)
    .option('--seconds <number>', 'length of one measurement', positive)
    .option('--pets <number>', 'number of stored pets', thousands)
    .option('--plot <file>', 'with --flat: draw the result (SVG)')
    .option('--overload', 'load at 1, 2 and 3 times of what a server can serve', false)
    .option('--ablation [names]', 'the gain of each technique: ours without it', names)
    .option('--traces', 'ours with and without traces by OpenTelemetry', false)
    .option('--flat [names]', 'with more operations, pets and connections', names)
    .parse()
    .opts();

type Defaults = Omit<Plan, 'core' | 'scenarios'>;

const raceDefaults: Defaults = {
  connections: [1, 64, 512],
  processes: 1,
  rounds: 5,
  seconds: 0.5,
  warmUp: 0.5,
  pets: 100_000,
};

const quickDefaults: Defaults = {
  connections: [1, 64],
  processes: 1,
  rounds: 2,
  seconds: 0.5,
  warmUp: 0.3,
  pets: 2000,
};

// Processes of one program differ, as their memory is laid out and their code compiled; the machine differs from second to second.
const ablationDefaults: Defaults = {
  connections: [64],
  processes: 5,
  rounds: 6,
  seconds: 0.3,
  warmUp: 1.5,
  pets: 10_000,
};

// A queue has to stand for a second until the server refuses anything.
const overloadDefaults: Defaults = {
  connections: [2000],
  processes: 1,
  rounds: 2,
  seconds: 8,
  warmUp: 0,
  pets: 10_000,
};

const ablationScenarios = [
  'read-json-key',
  'read-json-token',
  'read-xml-key',
  'find-by-status-short',
  'add-json',
  'mix',
];

const overloadScenarios = ['read-json-key', 'find-by-status-long', 'add-json', 'mix'];

const execute = (command: string, args: readonly string[], folder: string): void => {
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
};

const compile = (project: string): void => {
  const compiler = join(rootFolder, 'node_modules/typescript/bin/tsc');
  execute(process.execPath, [compiler, '-p', join(__dirname, project)], rootFolder);
};

/** Installs the packages of the peers where the lock file is another than the one last installed. */
const installPeers = (): void => {
  const lock = readFileSync(join(__dirname, 'package-lock.json'), 'utf8');
  const mark = join(__dirname, 'node_modules', '.installed-lock.json');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  process.stderr.write('Installing the packages of the peers, once\n');
  execute('npm', ['ci', '--no-audit', '--no-fund'], __dirname);
  writeFileSync(mark, lock);
};

/** Builds ours as `npm start` does, and what else takes part. */
const build = (programs: readonly Program[], isAblation: boolean): void => {
  execute('npm', ['run', '--silent', 'build'], rootFolder);
  if (isAblation) compile('ablations/tsconfig.json');
  if (!programs.some((program) => peers.includes(program))) return;
  installPeers();
  compile('servers/tsconfig.json');
};

/** Finds the cores for server and load generator, now that nothing is compiled any more. */
const takeCores = (): Cores | undefined => {
  const cores = findCores();
  if (cores !== undefined) pinProcess(process.pid, cores.load);
  return cores;
};

const openDatabases = async (
  { database }: Options,
  cores: Cores | undefined,
): Promise<Databases> =>
  database === 'sqlite' ? sqliteDatabases() : postgresDatabases(cores?.others);

const namesOf = (given: true | readonly string[] | undefined): readonly string[] =>
  given === undefined || given === true ? [] : given;

const planOf = (
  options: Options,
  usual: Defaults,
  usualScenarios: readonly string[] | undefined,
  core: number | undefined,
): Plan => ({
  scenarios: chooseScenarios(
    options.scenarios,
    ({ name, quick }) => usualScenarios?.includes(name) ?? (quick === true || !options.quick),
  ),
  connections: options.concurrency ?? usual.connections,
  processes: usual.processes,
  rounds: options.rounds ?? usual.rounds,
  seconds: options.seconds ?? usual.seconds,
  warmUp: usual.warmUp,
  pets: options.pets ?? usual.pets,
  core,
});

/** Runs the race; exits with 1 where a response was wrong. */
const runRace = async (options: Options): Promise<number> => {
  const programs = choosePrograms(options.contestants, options.before);
  build(programs, false);
  const cores = takeCores();
  const usual = options.quick ? quickDefaults : raceDefaults;
  const plan = planOf(options, usual, undefined, cores?.server);
  const databases = await openDatabases(options, cores);
  const result = await race(plan, await prepareContestants(programs, databases, plan.pets));
  process.stdout.write(markdownText(warnings(result), raceTables(result)));
  return result.cells.some(({ samples }) => samples.some(({ faults }) => faults)) ? 1 : 0;
};

/** Measures ours whole beside ours without something, or with something more. */
const runAgainstOurs = async (
  options: Options,
  programs: readonly Program[],
  processes = ablationDefaults.processes,
): Promise<number> => {
  build(programs, options.ablation !== undefined);
  const cores = takeCores();
  const usual = { ...ablationDefaults, processes };
  const plan = planOf(options, usual, ablationScenarios, cores?.server);
  const databases = await openDatabases(options, cores);
  const result = await race(plan, await prepareContestants(programs, databases, plan.pets));
  process.stdout.write(markdownText(warnings(result), ablationTables(result)));
  return result.cells.some(({ samples }) => samples.some(({ faults }) => faults)) ? 1 : 0;
};

/** Measures ours that exports traces to a receiver which takes everything. */
const runTraces = async (options: Options): Promise<number> => {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });
  const origin = await listen(receiver, 0, '127.0.0.1');
  return runAgainstOurs(options, tracedPrograms(origin), 2);
};

const runOverload = async (options: Options): Promise<number> => {
  const programs = choosePrograms(options.contestants ?? ['ours', 'hand-written'], options.before);
  build(programs, false);
  const cores = takeCores();
  const plan = planOf(options, overloadDefaults, overloadScenarios, cores?.server);
  const databases = await openDatabases(options, cores);
  const contestants = await prepareContestants(programs, databases, plan.pets);
  const { tables, isRight } = await measureOverload(plan, contestants);
  process.stdout.write(markdownText([], tables));
  return isRight ? 0 : 1;
};

const runFlat = async (options: Options): Promise<number> => {
  const { rounds = 2, seconds = 1, quick, flat, plot } = options;
  build([], false);
  const cores = takeCores();
  const kinds = [sqliteDatabases(), await postgresDatabases(cores?.others)];
  const core = cores?.server;
  const names = namesOf(flat);
  const comparisons = await measureFlat(kinds, { rounds, seconds, core, names, quick });
  process.stdout.write(markdownText([], comparisons.map(flatTable)));
  if (plot !== undefined) writeFileSync(plot, plotSvg(comparisons));
  return 0;
};

runAndCleanUp(() => {
  const options = readOptions();
  if (options.flat !== undefined) return runFlat(options);
  if (options.overload) return runOverload(options);
  if (options.ablation !== undefined)
    return runAgainstOurs(options, ablationPrograms(namesOf(options.ablation)));
  if (options.traces) return runTraces(options);
  return runRace(options);
});
