/**
 * What a second worker process brings on reads. Each worker shares its core with a load generator of its own, so that what the
 * load takes of a core is the same with one core and with two.
 */

import { copyOf, removeDatabase } from '../targets/database-files';
import { type OurOptions, ourFile, startOurs } from '../targets/ours';
import { type LoadProcess, startLoadProcess, type Task } from '../load/load-process';
import { wireRequests } from '../load/request';
import { findCores, pinProcess } from '../../machine/cores';
import { processTree } from '../../machine/process-usage';
import { median } from '../report/figures';
import { scenarioNamed } from './slices';

const pets = 2000;
const connections = 64;
const rounds = 7;
const seconds = 1.5;
const scenarios = ['read-json-key', 'read-xml-key', 'find-by-status-short'];

/** Workers, and as many load generators. */
interface Team {
  readonly title: string;
  readonly generators: readonly LoadProcess[];
  readonly running: Awaited<ReturnType<typeof startOurs>>;
}

/** Worker and load generator of one place share its core. */
const startTeam = async (
  options: OurOptions,
  places: readonly (number | undefined)[],
): Promise<Team> => {
  const { path, credentials } = await ourFile(options, pets);
  const copy = copyOf(path);
  const count = places.length;
  const environment = { ...options.environment, WORKERS: String(count) };
  const running = await startOurs(
    { ...options, environment },
    `sqlite:${copy}`,
    credentials,
    undefined,
    { cleanUp: () => removeDatabase(copy) },
  );
  // The primary of several workers serves nobody.
  const servers = processTree(running.pid).slice(-count);
  for (const [index, pid] of servers.entries()) {
    const core = places[index];
    if (core !== undefined) pinProcess(pid, core);
  }
  return { title: `WORKERS=${count}`, generators: places.map(startLoadProcess), running };
};

/** What each load generator of the team is to do. */
const taskOf = ({ running }: Team, name: string): Task => {
  const steps = scenarioNamed(name).steps({ credentials: running.credentials, pets });
  const requests = wireRequests(steps, running);
  return { port: running.port, requests, connections, seconds };
};

/** Requests a second, of all load generators together. */
const rateOf = async ({ generators }: Team, task: Task): Promise<number> => {
  const done = await Promise.all(generators.map((generator) => generator.run(task)));
  const faults = done.flatMap((one) => one.faults ?? []);
  if (faults.length > 0) throw new Error(`It was answered wrongly: ${faults.join('; ')}`);
  return done.reduce((sum, { perSecond }) => sum + perSecond, 0);
};

/** The median rate of each team, measured in turns after a round that does not count. */
const compareTeams = async (teams: readonly Team[], name: string): Promise<number[]> => {
  const runners = teams.map((team) => ({ team, task: taskOf(team, name), rates: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { team, task, rates } of runners) {
      const rate = await rateOf(team, task);
      if (round > 0) rates.push(rate);
    }
  }
  return runners.map(({ rates }) => median(rates));
};

const print = (title: string, cells: readonly string[]): void => {
  process.stdout.write(`${title.padEnd(24)}${cells.map((cell) => cell.padStart(14)).join('')}\n`);
};

/** Measures and prints a table. */
export const workersGain = async (options: OurOptions): Promise<void> => {
  const cores = findCores();
  const teams: Team[] = [];
  try {
    teams.push(await startTeam(options, [cores?.server]));
    teams.push(await startTeam(options, [cores?.server, cores?.load]));
    if (cores === undefined) {
      process.stdout.write('Processes cannot be pinned here: the load takes cores as it likes.\n');
    }
    print('', [...teams.map(({ title }) => title), 'ratio']);
    for (const name of scenarios) {
      const [one = 0, two = 0] = await compareTeams(teams, name);
      const shown = [one, two].map((rate) => `${Math.round(rate).toLocaleString('en')}/s`);
      print(name, [...shown, (two / one).toFixed(2)]);
    }
  } finally {
    for (const { running, generators } of teams) {
      for (const generator of generators) generator.stop();
      await running.stop();
    }
  }
};
