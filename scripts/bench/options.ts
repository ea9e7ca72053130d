/** The command line of `npm run bench`. */

import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { rootFolder } from '../root-folder';
import { resultsFolder } from './machine/places';

/** What the command line says. Lists are undefined where everything is meant. */
export interface Options {
  readonly quick: boolean;
  readonly scenarios: readonly string[] | undefined;
  readonly contestants: readonly string[] | undefined;
  readonly concurrency: readonly number[] | undefined;
  readonly rounds: number | undefined;
  /** How many processes of each variant `--ablation` measures, one after the other. */
  readonly processes: number | undefined;
  /** Seconds of one measurement; undefined: as long as `minutes` allows. */
  readonly seconds: number | undefined;
  readonly minutes: number | undefined;
  readonly pets: number | undefined;
  readonly out: string;
  readonly plot: string | undefined;
  readonly postgres: string;
  /** The folder in which the `dist` and `specs` of ours are. */
  readonly ours: string;
  /** Another checkout of ours, built already, that takes part as `before`. */
  readonly before: string | undefined;
  readonly build: boolean;
  readonly list: boolean;
  readonly flat: boolean;
  /** Sizes of the database that `--flat` compares. */
  readonly stored: readonly number[];
  /** How many requests are sent while the heap is watched. */
  readonly leak: number | undefined;
  readonly workers: boolean;
  /** What logins at once cost others. */
  readonly logins: boolean;
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

const defaultLeakRequests = 2_000_000;

const command = (): Command =>
  new Command('bench')
    .description('Races ours against other servers that do the same work, or measures ours alone.')
    .option('--quick', 'few scenarios, short measurements, a small database', false)
    .option('--list', 'print the scenarios and contestants and do nothing', false)
    .option('--scenarios <names>', 'only these, separated by commas; parts of names will do', names)
    .option('--contestants <names>', 'only these, separated by commas', names)
    .option('--concurrency <numbers>', 'numbers of connections (1,64,512)', wholes)
    .option(
      '--rounds <number>',
      'how often everything is measured (5; 2 with --quick, 6 with --ablation)',
      whole,
    )
    .option('--seconds <number>', 'length of one measurement, instead of --minutes', positive)
    .option('--minutes <number>', 'time for the whole race (20; 2 with --quick)', positive)
    .option('--pets <number>', 'how many are stored (100000; 2000 with --quick)', thousands)
    .option('--out <folder>', 'where the reports go', resultsFolder)
    .option('--plot <file>', 'draw the result (SVG)')
    .option(
      '--postgres <url>',
      'a PostgreSQL server in which databases may be created',
      'postgres://postgres@127.0.0.1:5432/postgres',
    )
    .option('--ours <folder>', 'measure another checkout of ours, built already', rootFolder)
    .option('--before <folder>', 'compare with another checkout of ours, built already')
    .option('--no-build', 'do not compile ours first')
    .option('--flat', 'what 1,000 operations and 1,000,000 pets cost against few', false)
    .option('--stored <numbers>', 'sizes of the database for --flat', wholes, [1000, 1_000_000])
    .option('--leak [requests]', 'the heap over that many requests (2000000)', whole)
    .option('--workers', 'two worker processes against one', false)
    .option('--logins', 'reads beside 200 logins at once', false)
    .option('--processes <number>', 'how many of each --ablation measures (5)', whole)
    .option('--ablation [names]', 'what each technique is worth: ours without it', names);

/** Reads the command line; ends the process where it is wrong or asks for help. */
export const readOptions = (args: readonly string[]): Options => {
  const given = command()
    .parse([...args], { from: 'user' })
    .opts();
  const ours = resolve(given['ours']);
  return {
    ...(given as Options),
    ours,
    before: given['before'] && resolve(given['before']),
    ablation: given['ablation'] === true ? [] : given['ablation'],
    leak: given['leak'] === true ? defaultLeakRequests : given['leak'],
    // Another checkout is taken as it is.
    build: given['build'] && ours === rootFolder,
  };
};
