/** Cases that are written as text: each has a title and, below it, indented, what belongs to it. */

import { readFileSync } from 'node:fs';

/** A case, its lines without the two blanks before them. */
export type TextCase = [title: string, lines: readonly string[]];

/** The cases of a file. */
export const casesOf = (file: string): TextCase[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split(/\n(?=\S)/)
    .map((text) => {
      const [title = '', ...lines] = text.split(/\n {2}/);
      return [title, lines];
    });

/** The lines `NAME: TEXT` of a case as pairs; what is indented below one belongs to its text. */
export const fieldsOf = (lines: readonly string[]): [name: string, text: string][] =>
  lines
    .join('\n')
    .split(/\n(?! {2})/)
    .map((field) => {
      const [, name = '', text = ''] = /^([^:]+): ?(.*)$/s.exec(field) ?? [];
      return [name, text.replaceAll('\n  ', '\n')];
    });

/** The rows `CELL | CELL | …` of a case; a row may go on below, further indented. */
export const rowsOf = (lines: readonly string[]): string[][] =>
  lines
    .join('\n')
    .split(/\n(?! )/)
    .map((row) => row.split(/\s+\| /));

/** Reads JSON in which bigints end with n. */
export const readValue = (text: string): unknown =>
  JSON.parse(text.replaceAll(/(-?\d+)n\b/g, '"\\u0000$1"'), (_, item) =>
    typeof item === 'string' && item.startsWith('\0') ? BigInt(item.slice(1)) : item,
  );

/** The rows of one case of a file. */
export const tableOf = (file: string, title: string): string[][] =>
  rowsOf(casesOf(file).find(([name]) => name === title)?.[1] ?? []);

/** Reads a cell that may be JSON in double quotes, where blanks and control characters matter. */
export const readText = (cell: string): string =>
  cell.startsWith('"') ? String(JSON.parse(cell)) : cell;
