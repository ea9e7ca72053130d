/** Reads numbers of command lines. */

import { randomInt } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';

/** Makes the parser of an option that takes a number between two; it throws InvalidArgumentError for others. */
export const numberFrom =
  (least: number, most: number, isWhole = true) =>
  (text: string): number => {
    const value = Number(text);
    const fits = value >= least && value <= most && (!isWhole || Number.isInteger(value));
    if (fits && text.trim() !== '') return value;
    throw new InvalidArgumentError(
      `It must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`,
    );
  };

/** Makes the option `--seed`; where it is not given, one is drawn. */
export const seedOption = (): Option =>
  new Option('--seed <n>', 'repeats the choices of that seed')
    .argParser(numberFrom(0, 2 ** 32 - 1))
    .default(randomInt(2 ** 32));
