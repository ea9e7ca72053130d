/** Reads numbers of command lines. */

import { InvalidArgumentError } from 'commander';

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
