/** The command line of `npm run bench`. */

import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { resultsFolder } from './machine/places';

export type Database = 'sqlite' | 'postgres';

/** What the command line says; undefined where the defaults hold. */
export interface Options {
  readonly quick: boolean;
  /** What the servers keep their things in. */
  readonly database: Database;
  readonly scenarios: readonly string[] | undefined;
  readonly contestants: readonly string[] | undefined;
  /** Another checkout of ours, built already, that takes part as `before`. */
  readonly before: string | undefined;
  readonly concurrency: readonly number[] | undefined;
  readonly processes: number | undefined;
  readonly rounds: number | undefined;
  /** Seconds of one measurement. */
  readonly seconds: number | undefined;
  readonly pets: number | undefined;
  readonly out: string;
  readonly plot: string | undefined;
  /** What there is more and more of: operations, pets, connections; none named: each in turn. */
  readonly flat: readonly string[] | undefined;
  /** Whether it is measured what servers make of more load than they can serve. */
  readonly overload: boolean;
  /** Which techniques are switched off, one at a time; none named: all. */
  readonly ablation: readonly string[] | undefined;
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

const wholes = (text: string): number[] => names(text).map(whole);

const thousands = (text: string): number => {
  const value = whole(text);
  if (value % 1000 !== 0) throw new InvalidArgumentError('It must be a multiple of 1,000.');
  return value;
};

const command = (): Command =>
  new Command('bench')
    .description('Compares ours with other servers that do the same work, or with itself.')
    .option('--quick', 'few scenarios, a small database', false)
    .addOption(
      new Option('--database <name>', 'what the servers keep their things in')
        .choices(['sqlite', 'postgres'])
        .default('sqlite'),
    )
    .option('--scenarios <names>', 'only these, separated by commas; parts of names will do', names)
    .option('--contestants <names>', 'only these, separated by commas', names)
    .option('--before <folder>', 'compare with another checkout of ours, built already')
    .option('--concurrency <numbers>', 'numbers of connections (1,64,512)', wholes)
    .option(
      '--processes <number>',
      'processes of each, one after the other (1; ablation: 5)',
      whole,
    )
    .option('--rounds <number>', 'measurements of each process (5; quick: 2; ablation: 6)', whole)
    .option('--seconds <number>', 'length of one measurement (0.5; ablation: 0.3)', positive)
    .option('--pets <number>', 'how many are stored (100000; quick: 2000)', thousands)
    .option('--out <folder>', 'where the reports go', resultsFolder)
    .option('--plot <file>', 'with --flat: draw the result (SVG)')
    .option('--overload', 'load at 1, 2 and 3 times of what a server can do', false)
    .option('--ablation [names]', 'what each technique gains: ours without it', names)
    .option('--flat [names]', 'with more operations, pets and connections', names);

/** Reads the command line; ends the process where it is wrong or asks for help. */
export const readOptions = (args: readonly string[]): Options => {
  const given = command()
    .parse([...args], { from: 'user' })
    .opts();
  return {
    ...(given as Options),
    before: given['before'] && resolve(given['before']),
    flat: given['flat'] === true ? [] : given['flat'],
    ablation: given['ablation'] === true ? [] : given['ablation'],
  };
};
