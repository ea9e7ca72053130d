/** Reports as plain text. */

import { printable } from '../../../base/text/printable';

/** Aligns the cells of rows: the first column to the left, numbers to the right. */
export const alignedRows = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const cell = (text: string, at: number): string =>
    at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  return rows.map((row) => row.map(cell).join('  '));
};

/**
 * Writes sections of lines, with a blank line between them. Names of documents and servers stand in the lines: none of them can
 * control a terminal or begin a line.
 */
export const textReport = (...sections: readonly (readonly string[])[]): string =>
  sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${printable(line)}\n`).join(''))
    .join('\n');
