/** `npm run crash-test`: kills the server and its database at random moments, and compares what was acknowledged with what is there. */

import { randomInt } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProgram } from '../machine/build-program';
import { findPostgres } from '../machine/postgres-cluster';
import { type CampaignResult, runCampaign } from './campaign';
import { type Options, readOptions } from './options';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The databases to run on, with PostgreSQL's binaries where it is one of them. */
const databasesOf = async ({
  database,
}: Options): Promise<ReadonlyMap<string, string | undefined>> => {
  const postgres = database === 'sqlite' ? undefined : findPostgres();
  if (database === 'postgres' && postgres === undefined) {
    throw new Error(
      'The binaries of PostgreSQL are not found; pg_config --bindir would say where they are',
    );
  }
  if (database === 'both' && postgres === undefined) {
    say('The binaries of PostgreSQL are not found: it is left out');
  }
  return new Map([
    ...(database === 'postgres' ? [] : [['sqlite', undefined] as const]),
    ...(postgres === undefined ? [] : [['postgres', postgres] as const]),
  ]);
};

const shownViolations = 20;

const report = (result: CampaignResult, folder: string): void => {
  const { name, rounds, tally, resolvedAsMade, faults, starts, kept, violations } = result;
  const killed = [...faults].map(([fault, times]) => `${fault} ${times}`).join(', ');
  say(
    `${name}: ${rounds} rounds, ${tally.made} acknowledged, ${tally.indeterminate} indeterminate (${resolvedAsMade} made), ${tally.refused} refused`,
  );
  say(
    `${name}: killed ${killed}; program started ${starts.program} times, database ${starts.database} times`,
  );
  say(`${name}: ${kept}; ${violations.length} violations`);
  for (const { kind, text } of violations.slice(0, shownViolations)) say(`  ${kind}: ${text}`);
  if (violations.length > 0) say(`${name}: everything is kept in ${folder}`);
};

/** A folder that PostgreSQL can reach, too, where it has to run as another user. */
const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'crash-test-'));
  await chmod(folder, 0o755);
  say(`Logs, the build and the databases are in ${folder} until all is well`);
  return folder;
};

const runAll = async (options: Options): Promise<boolean> => {
  const databases = await databasesOf(options);
  const folder = await makeFolder();
  say(
    `Seed ${options.seed}; ${options.rounds} rounds of ${options.seconds} s, ${options.workers} workers, ${options.clients} clients`,
  );
  const build = join(folder, 'build');
  await mkdir(build);
  await buildProgram(build);
  let isGood = true;
  for (const [name, postgres] of databases) {
    const place = { build, folder: join(folder, name), workers: options.workers, postgres };
    const result = await runCampaign(name, options, place, say);
    report(result, place.folder);
    if (result.violations.length === 0) await rm(place.folder, { recursive: true });
    else isGood = false;
  }
  if (isGood) await rm(folder, { recursive: true });
  return isGood;
};

const main = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2), randomInt(2 ** 32));
  if (typeof options === 'number') return options;
  try {
    return (await runAll(options)) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
// Exiting ends what is still kept running.
void main().then((exitCode) => process.exit(exitCode));
