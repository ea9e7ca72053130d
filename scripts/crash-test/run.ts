/** `npm run crash-test`: kills the server and its database at random moments, and compares what was acknowledged with what is stored. */

import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { buildProgram } from '../compile/build';
import { numberFrom, seedOption } from '../machine/number-option';
import { findPostgres } from '../machine/postgres-cluster';
import { runMain, say } from '../machine/run-main';
import { runCampaign } from './campaign';
import type { CampaignOptions } from './round';

/** `failover` is PostgreSQL with a standby; `both` are the two without. */
const databases = ['sqlite', 'postgres', 'failover', 'both'] as const;

/** The options of the command line. */
interface Options extends CampaignOptions {
  readonly database: (typeof databases)[number];
  readonly workers: number;
}

/** Reads the command line; ends the process where it is wrong or asks for help. */
const readOptions = (): Options =>
  new Command('crash-test')
    .description(
      'Kill the server and its database at random moments; compare what was acknowledged with what is stored',
    )
    .option('--rounds <n>', 'rounds on each database', numberFrom(1, 100_000), 50)
    .addOption(
      new Option('--database <name>', 'the database to run on').choices(databases).default('both'),
    )
    .option('--workers <n>', 'worker processes of the server', numberFrom(1, 64), 2)
    .option('--clients <n>', 'clients at the same time', numberFrom(1, 1000), 16)
    .option('--seconds <n>', 'seconds of load in a round', numberFrom(0.1, 3600, false), 2)
    .addOption(seedOption())
    .parse()
    .opts<Options>();

/** Returns the databases to run on, with the folder of PostgreSQL's binaries where it is one of them. */
const databasesOf = ({ database }: Options): (readonly [string, string | undefined])[] => {
  if (database === 'sqlite') return [['sqlite', undefined]];
  const postgres = findPostgres();
  const text = 'PostgreSQL is not installed (pg_config --bindir)';
  if (database !== 'both') {
    if (postgres === undefined) throw new Error(text);
    return [[database, postgres]];
  }
  if (postgres === undefined) say(`${text}: its rounds are skipped`);
  return [
    ['sqlite', undefined],
    ...(postgres === undefined ? [] : [['postgres', postgres] as const]),
  ];
};

/** Runs the campaign on each database; ends with 1 where there were violations. */
runMain(async () => {
  const options = readOptions();
  const databases = databasesOf(options);
  const folder = await mkdtemp(join(tmpdir(), 'crash-test-'));
  // PostgreSQL reaches it, too, where it has to run as another user.
  await chmod(folder, 0o755);
  say(`Logs, the build and the databases are in ${folder}, which is removed after success`);
  const { seed, rounds, seconds, workers, clients } = options;
  say(`Seed ${seed}; ${rounds} rounds of ${seconds} s, ${workers} workers, ${clients} clients`);
  const build = join(folder, 'build');
  await mkdir(build);
  await buildProgram(build);
  let failures = 0;
  for (const [name, postgres] of databases) {
    const hasStandby = name === 'failover';
    const place = { build, folder: join(folder, name), workers, postgres, hasStandby };
    if (await runCampaign(name, options, place)) {
      await rm(place.folder, { recursive: true });
    } else failures += 1;
  }
  if (failures > 0) return 1;
  await rm(folder, { recursive: true });
  return 0;
});
