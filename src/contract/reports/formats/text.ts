/** Reports for people: lines of plain text, and Markdown for pull requests. */

import { printable } from '../../../base/text/printable';

type Lines = readonly string[];

/** `1 failure`, `1,204 failures` */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Aligns the cells of rows: the first column to the left, numbers to the right. */
export const alignedRows = (rows: readonly Lines[]): Lines => {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const cell = (text: string, at: number): string =>
    at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  return rows.map((row) => row.map(cell).join('  '));
};

/** Joins blocks of lines, with a blank line between them. */
const joinBlocks = (blocks: readonly Lines[], write: (line: string) => string): string =>
  blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${write(line)}\n`).join(''))
    .join('\n');

/**
 * Writes sections of lines. Names of documents and servers stand in the lines: none of them can control a terminal or
 * begin a line.
 */
export const textReport = (...sections: readonly Lines[]): string =>
  joinBlocks(sections, printable);

/** Writes rows, of which the first is the head; none where there are no rows. */
export const markdownTable = ([head, ...rows]: readonly Lines[]): Lines =>
  head === undefined
    ? []
    : [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);

/** Writes blocks of lines. */
export const markdownReport = (...blocks: readonly Lines[]): string =>
  joinBlocks(blocks, (line) => line);
