/** What the command line says. */

import { Command, InvalidArgumentError, Option } from 'commander';

/** `failover` is PostgreSQL with a standby; `both` are the two without. */
const databases = ['sqlite', 'postgres', 'failover', 'both'] as const;

/** How the test is run. */
export interface Options {
  readonly rounds: number;
  readonly database: (typeof databases)[number];
  readonly workers: number;
  /** Of all random choices. */
  readonly seed: number;
  /** Of load in a round. */
  readonly seconds: number;
  readonly clients: number;
}

const numberFrom =
  (least: number, most: number, isWhole = true) =>
  (text: string): number => {
    const value = Number(text);
    const fits = value >= least && value <= most && (!isWhole || Number.isInteger(value));
    if (fits && text.trim() !== '') return value;
    throw new InvalidArgumentError(
      `It must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`,
    );
  };

/** Reads the arguments after the command's name; ends the process where they are wrong or ask for help. */
export const readOptions = (args: readonly string[], randomSeed: number): Options =>
  new Command('crash-test')
    .description(
      'Kill the server and its database at random moments; compare what was acknowledged',
    )
    .option('--rounds <n>', 'rounds on each database', numberFrom(1, 100_000), 50)
    .addOption(new Option('--database <name>', 'what to kill').choices(databases).default('both'))
    .option('--workers <n>', 'worker processes of the server', numberFrom(1, 64), 2)
    .option('--clients <n>', 'clients at the same time', numberFrom(1, 1000), 16)
    .option('--seconds <n>', 'seconds of load in a round', numberFrom(0.1, 3600, false), 2)
    .option('--seed <n>', 'makes the same choices again', numberFrom(0, 2 ** 32 - 1), randomSeed)
    .parse([...args], { from: 'user' })
    .opts<Options>();
