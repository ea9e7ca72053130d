/** `npm run upgrade-test`: upgrades a server under load from the released version to this one, both beside each other for a while. */

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { buildProgram } from '../compile/build';
import { numberFrom, seedOption } from '../machine/number-option';
import { startPrivatePostgres } from '../machine/private-postgres';
import { runMain, say } from '../machine/run-main';
import { buildReleased, released } from './released';
import { type BuiltVersion, type UpgradeOptions, upgrade } from './upgrade';

/** Reads the command line; ends the process where it is wrong or asks for help. */
const readOptions = (): Pick<UpgradeOptions, 'clients' | 'seconds' | 'seed'> =>
  new Command('upgrade-test')
    .description(
      'Upgrade a server under load from the released version to this one, on PostgreSQL; compare what was acknowledged with what is stored',
    )
    .option('--clients <n>', 'clients at the same time', numberFrom(1, 1000), 8)
    .option('--seconds <n>', 'seconds of load in each stage', numberFrom(0.1, 3600, false), 2)
    .addOption(seedOption())
    .parse()
    .opts();

/** Builds both versions, side by side. */
const buildBoth = async (folder: string): Promise<[BuiltVersion, BuiltVersion]> => {
  const root = join(folder, 'released');
  const build = join(folder, 'build');
  await mkdir(build);
  const [former] = await Promise.all([buildReleased(root), buildProgram(build)]);
  return [
    { name: released.version, build: former, root },
    { name: 'next', build },
  ];
};

const shownProblems = 20;

/** Runs the upgrade; ends with 1 where there were problems. */
runMain(async () => {
  const options = readOptions();
  const folder = await mkdtemp(join(tmpdir(), 'upgrade-test-'));
  say(`Logs and builds are in ${folder}, which is removed after success; seed ${options.seed}`);
  const [from, to] = await buildBoth(folder);
  const postgres = await startPrivatePostgres(() => ['lc_messages=C']);
  try {
    const place = { databaseUrl: postgres.url, folder };
    const problems = await upgrade(from, to, { ...options, ...place });
    say(`${problems.length} problems`);
    for (const problem of problems.slice(0, shownProblems)) say(`  ${problem}`);
    if (problems.length > 0) return 1;
  } finally {
    await postgres.stop();
  }
  await rm(folder, { recursive: true });
  return 0;
});
