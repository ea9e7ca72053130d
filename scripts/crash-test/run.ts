/** `npm run crash-test`: kills the server and its database at random moments, and compares what was acknowledged with what is stored. */

import { randomInt } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProgram } from '../machine/build-program';
import { findPostgres } from '../machine/postgres-cluster';
import { runMain } from '../machine/run-main';
import { runCampaign } from './campaign';
import { type Options, readOptions } from './options';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The databases to run on, with the folder of PostgreSQL's binaries where it is one of them. */
const databasesOf = ({ database }: Options): ReadonlyMap<string, string | undefined> => {
  const postgres = database === 'sqlite' ? undefined : findPostgres();
  const isMissing = database !== 'sqlite' && postgres === undefined;
  if (isMissing) {
    const text = 'The binaries of PostgreSQL are not found (pg_config --bindir)';
    if (database !== 'both') throw new Error(text);
    say(`${text}: it is left out`);
  }
  return new Map([
    ...(['sqlite', 'both'].includes(database) ? [['sqlite', undefined] as const] : []),
    ...(postgres === undefined
      ? []
      : [[database === 'both' ? 'postgres' : database, postgres] as const]),
  ]);
};

/** A folder that PostgreSQL can reach, too, where it has to run as another user. */
const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'crash-test-'));
  await chmod(folder, 0o755);
  say(`Logs, the build and the databases are in ${folder} until all is well`);
  return folder;
};

/** Runs the campaign on each database; resolves to the exit code: 1 where there were violations. */
const main = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2), randomInt(2 ** 32));
  const databases = databasesOf(options);
  const folder = await makeFolder();
  const { seed, rounds, seconds, workers, clients } = options;
  say(`Seed ${seed}; ${rounds} rounds of ${seconds} s, ${workers} workers, ${clients} clients`);
  const build = join(folder, 'build');
  await mkdir(build);
  await buildProgram(build);
  let failures = 0;
  for (const [name, postgres] of databases) {
    const hasStandby = name === 'failover';
    const place = { build, folder: join(folder, name), workers, postgres, hasStandby };
    if (await runCampaign(name, options, place, say)) {
      await rm(place.folder, { recursive: true });
    } else failures += 1;
  }
  if (failures > 0) return 1;
  await rm(folder, { recursive: true });
  return 0;
};

runMain(main);
