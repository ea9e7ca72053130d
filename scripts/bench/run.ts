/** `npm run bench`: a race of ours against other servers, or against itself. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { takeCores } from '../machine/cores';
import { numberFrom } from '../machine/number-option';
import { runMain } from '../machine/run-main';
import { rootFolder } from '../root-folder';
import { postgresDatabases, sqliteDatabases } from './contestants/databases';
import { prepareContestants } from './contestants/fill';
import { choosePrograms, type Program, peers } from './contestants/programs';
import { chooseScenarios, type Plan, race } from './race';
import { markdownText, raceTables, warnings } from './tables';

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
}

const names = (text: string): string[] => text.split(',').filter((name) => name !== '');

const connections = numberFrom(1, 60_000);

const thousands = (text: string): number => {
  const value = numberFrom(1000, 10_000_000)(text);
  if (value % 1000 !== 0) throw new InvalidArgumentError('It must be a multiple of 1,000.');
  return value;
};

const readOptions = (): Options =>
  new Command('bench')
    .description('Compares ours with other servers that do the same work, or with itself.')
    .option('--quick', 'few scenarios, a small database', false)
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
    .option('--concurrency <numbers>', 'numbers of connections', (text) =>
      names(text).map(connections),
    )
    .option('--rounds <number>', 'measurements in each scenario', numberFrom(1, 10_000))
    .option('--seconds <number>', 'length of one measurement', numberFrom(0.01, 3600, false))
    .option('--pets <number>', 'number of stored pets', thousands)
    .parse()
    .opts();

type Defaults = Omit<Plan, 'core' | 'scenarios'>;

const raceDefaults: Defaults = {
  connections: [1, 64, 512],
  rounds: 5,
  seconds: 0.5,
  warmUp: 0.5,
  pets: 100_000,
};

const quickDefaults = { ...raceDefaults, connections: [1, 64], rounds: 2, warmUp: 0.3, pets: 2000 };

const planOf = (options: Options, core: number | undefined): Plan => {
  const { quick } = options;
  const usual: Defaults = quick ? quickDefaults : raceDefaults;
  const { rounds = usual.rounds, seconds = usual.seconds, pets = usual.pets } = options;
  const scenarios = chooseScenarios(options.scenarios, quick);
  const connections = options.concurrency ?? usual.connections;
  return { scenarios, connections, rounds, seconds, warmUp: usual.warmUp, pets, core };
};

const execute = (command: string, args: readonly string[], folder: string): void => {
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
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

/** Builds ours as `npm start` does, and the peers. */
const build = (programs: readonly Program[]): void => {
  execute('npm', ['run', '--silent', 'build'], rootFolder);
  if (!programs.some((program) => peers.includes(program))) return;
  installPeers();
  const compiler = join(rootFolder, 'node_modules/typescript/bin/tsc');
  const project = join(__dirname, 'servers/tsconfig.json');
  execute(process.execPath, [compiler, '-p', project], rootFolder);
};

/** Runs the race; resolves to 1 where a response was wrong. */
runMain(async () => {
  const options = readOptions();
  const programs = choosePrograms(options.contestants, options.before);
  build(programs);
  // Now that nothing is compiled any more.
  const cores = takeCores();
  const plan = planOf(options, cores?.server);
  const databases =
    options.database === 'sqlite' ? sqliteDatabases() : await postgresDatabases(cores?.others);
  const result = await race(plan, await prepareContestants(programs, databases, plan.pets));
  process.stdout.write(markdownText(warnings(result), raceTables(result)));
  return result.cells.some(({ samples }) => samples.some(({ faults }) => faults)) ? 1 : 0;
});
