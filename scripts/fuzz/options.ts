/** What the command line says. */

import { Command, InvalidArgumentError } from 'commander';

/** How the search goes. */
export interface Options {
  /** For all targets together. */
  readonly minutes: number;
  /** Names, or parts of names; all targets where there is none. */
  readonly target: readonly string[];
  /** Of all random choices. */
  readonly seed: number;
  /** Whether the inputs that reach most are written to where the tests read them. */
  readonly keep: boolean;
}

const numberFrom =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (value >= least && value <= most && text.trim() !== '') return value;
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
  };

const add = (name: string, names: readonly string[]): readonly string[] => [...names, name];

/** Reads the arguments after the command's name; ends the process where they are wrong or ask for help. */
export const readOptions = (args: readonly string[], randomSeed: number): Options =>
  new Command('fuzz')
    .description('Search for inputs that break a reader or the HTTP server')
    .option('--minutes <n>', 'for all targets together', numberFrom(0.01, 10_000), 10)
    .option('--target <name>', 'one of them, or a part of names; may be repeated', add, [])
    .option('--seed <n>', 'makes the same choices again', numberFrom(0, 2 ** 32 - 1), randomSeed)
    .option('--keep', 'writes the inputs that reach most to test/fuzz/corpus', false)
    .parse([...args], { from: 'user' })
    .opts<Options>();
