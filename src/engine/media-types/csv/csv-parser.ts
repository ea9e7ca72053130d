/** Comma-separated values to rows of cells (RFC 4180). */

import { MalformedText } from '../../lang/malformed-text';
import type { ReadLimits } from '../codec/codec';

/** A row, and the line of the text that it begins on, counted from 1. */
export interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/** A cell in quotes, or one without any; then what ends it. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

const malformed = (line: number, reason: string): MalformedText =>
  new MalformedText(`The CSV text is malformed at line ${line}: ${reason}`);

const countLines = (text = ''): number => (text.includes('\n') ? text.split('\n').length - 1 : 0);

/**
 * Splits a text into its rows; lines may end in LF alone, and the last one in nothing. Throws MalformedText with the line
 * for a quote that has no place or no end, and past the limit of cells.
 */
export const parseCsv = (text: string, { nodes }: Pick<ReadLimits, 'nodes'>): CsvRow[] => {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let start = 1;
  let line = 1;
  let count = 0;
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length || cells.length > 0) {
    const found = CELL.exec(text);
    if (found === null) throw malformed(line, 'a quote or a carriage return out of place');
    const [, quoted, plain = '', end] = found;
    count += 1;
    if (count > nodes) throw malformed(line, `there are more than ${nodes} cells`);
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += countLines(quoted) + countLines(end);
    if (end === ',') continue;
    rows.push({ cells, line: start });
    cells = [];
    start = line;
  }
  return rows;
};
