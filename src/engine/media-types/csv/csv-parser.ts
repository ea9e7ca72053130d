/** Comma-separated values to rows of cells (RFC 4180). */

import { MalformedText } from '../../../base/malformed-text';
import type { ReadLimits } from '../codec/codec';

/** A row, and the line of the text that it begins on, counted from 1. */
export interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
}

const QUOTED = /"[^"]*(?:""[^"]*)*"/y;
const PLAIN = /[^",\r\n]*/y;
const END = /,|\r?\n|$/y;

const malformed = (line: number, reason: string): MalformedText =>
  new MalformedText(`The CSV text is malformed at line ${line}: ${reason}`);

const countLines = (text: string): number =>
  text.includes('\n') ? text.split('\n').length - 1 : 0;

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
  let at = 0;
  // A match as an array takes twice as long, and there are 100,000.
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) throw malformed(line, 'a quote or a carriage return out of place');
    const taken = text.slice(at, pattern.lastIndex);
    at = pattern.lastIndex;
    return taken;
  };
  const takeCell = (): string => {
    if (text[at] !== '"') return take(PLAIN);
    const quoted = take(QUOTED);
    line += countLines(quoted);
    return quoted.slice(1, -1).replaceAll('""', '"');
  };
  while (at < text.length || cells.length > 0) {
    count += 1;
    if (count > nodes) throw malformed(line, `there are more than ${nodes} cells`);
    cells.push(takeCell());
    const end = take(END);
    if (end === ',') continue;
    if (end !== '') line += 1;
    rows.push({ cells, line: start });
    cells = [];
    start = line;
  }
  return rows;
};
