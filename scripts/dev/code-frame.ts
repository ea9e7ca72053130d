/** Shows a place in a file: the line, the one before it, and a caret. */

import { readFileSync, statSync } from 'node:fs';
import { printable } from '../../src/engine';

/** A place in a file; lines and columns are counted from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Characters of a line that are shown; a file may be one long line. */
const width = 100;

/** The lines of the frame; none where the file cannot be read. */
export const codeFrame = ({ file, line, column }: FilePlace): readonly string[] => {
  // What is no regular file cannot be read, or has no end.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return [];
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const from = Math.max(0, column - 1 - width / 2);
  const digits = String(line).length;
  const show = (number: number): string[] => {
    const text = lines[number - 1];
    const mark = number === line ? '>' : ' ';
    const shown = text?.slice(from, from + width).replaceAll('\t', ' ');
    return shown === undefined
      ? []
      : [`${mark} ${String(number).padStart(digits)} | ${printable(shown)}`];
  };
  const caret = `  ${' '.repeat(digits)} | ${' '.repeat(column - 1 - from)}^`;
  return [...show(line - 1), ...show(line), caret];
};
