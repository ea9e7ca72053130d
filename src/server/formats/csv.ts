/** Lists of flat objects as comma-separated values (RFC 4180): a header row with the names, then a row for each object. */

import { writeJson } from '../../base/json/write-json';
import { pointerTo } from '../../base/json-pointer';
import { MalformedText } from '../../base/malformed-text';
import { isPlainObject, type PlainObject, setOwn } from '../../base/plain-object';
import { findForbiddenCharacter, type ReadLimits, tooManyNames } from '../../base/read-limits';
import type { Codec } from '../../engine';
import { scalarReader, writeScalar } from '../../schema/scalars';
import { type Direction, memberShape, type Shape } from '../../schema/shape';

/** A row, and the line of the text on which it begins, counted from 1. */
interface CsvRow {
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
 * for a misplaced or unclosed quote, and past the limit of cells.
 */
const parseCsv = (text: string, { nodes }: ReadLimits): CsvRow[] => {
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

const CRLF = '\r\n';

const isScalar = ({ type, isBinary, alternatives }: Shape): boolean =>
  alternatives.length === 0 &&
  !isBinary &&
  (type === 'string' || type === 'integer' || type === 'number' || type === 'boolean');

/** Tells whether values of the shape are lists of objects whose properties are known, and scalars all of them. */
const isTable = ({ type, prefixItems, items, alternatives }: Shape): boolean =>
  type === 'array' &&
  alternatives.length === 0 &&
  prefixItems.length === 0 &&
  items?.type === 'object' &&
  items.alternatives.length === 0 &&
  items.properties.size > 0 &&
  [...items.properties.values(), ...(items.patterned?.shapes ?? [])].every(isScalar) &&
  (typeof items.additional === 'boolean' || isScalar(items.additional));

/** Reads a cell; undefined if it stands for no value. */
type ReadCell = (cell: string) => unknown;

/** Makes the reader of a cell. An empty one is the empty text, and no value if the column has another type or a format. */
const cellReader = (shape: Shape): ReadCell => {
  const read = scalarReader(shape);
  if (shape.type === 'string' && shape.format === undefined) return read;
  const empty = shape.nullable ? null : undefined;
  return (cell) => (cell === '' ? empty : read(cell));
};

interface Column {
  readonly name: string;
  readonly read: ReadCell;
}

const columnsOf = (names: readonly string[], items: Shape): Column[] => {
  if (new Set(names).size < names.length) {
    throw new MalformedText('The header row names a column twice');
  }
  return names.map((name) => {
    const shape = memberShape(items, name);
    return { name, read: shape === undefined ? (cell) => cell : cellReader(shape) };
  });
};

const readRow = ({ cells, line }: CsvRow, index: number, columns: readonly Column[]) => {
  if (cells.length !== columns.length) {
    const counts = `${cells.length} cells where the header row has ${columns.length}`;
    throw new MalformedText(`The row at line ${line} has ${counts}`, pointerTo('', index));
  }
  const object: PlainObject = {};
  columns.forEach(({ name, read }, at) => {
    const value = read(cells[at] ?? '');
    if (value !== undefined) setOwn(object, name, value);
  });
  return object;
};

const readTable = (text: string, items: Shape, limits: ReadLimits): unknown[] => {
  const forbidden = findForbiddenCharacter(text);
  if (forbidden !== undefined) throw new MalformedText(`The CSV text is malformed: ${forbidden}`);
  const [header, ...rows] = parseCsv(text, limits);
  const names = header?.cells ?? [];
  if (names.length > limits.names) {
    throw new MalformedText(`The CSV text is malformed: ${tooManyNames(limits)}`);
  }
  const columns = columnsOf(names, items);
  // A blank line is a row where there is but one column.
  const isRow = ({ cells }: CsvRow): boolean =>
    names.length === 1 || cells.join('') !== '' || cells.length > 1;
  return rows.filter(isRow).map((row, index) => readRow(row, index, columns));
};

const quoted = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const writeCell = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object' && !(value instanceof Uint8Array)) return quoted(writeJson(value));
  return quoted(writeScalar(value));
};

const rowOf = (cells: readonly string[]): string => cells.join(',') + CRLF;

/** Returns the names in the header row; a response leaves out writeOnly properties. */
const namesOf = ({ properties }: Shape, direction: Direction): string[] =>
  [...properties]
    .filter(([, { writeOnly }]) => direction !== 'response' || !writeOnly)
    .map(([name]) => name);

/** Compiles the header row and the writer of rows. */
const tableWriter = ({ items }: Shape, direction: Direction) => {
  const names = items ? namesOf(items, direction) : [];
  const write = (value: unknown): string => {
    const object: PlainObject = isPlainObject(value) ? value : {};
    return rowOf(
      names.map((name) => writeCell(Object.hasOwn(object, name) ? object[name] : undefined)),
    );
  };
  return { header: rowOf(names.map(quoted)), write };
};

/** RFC 4180 section 3: such a table has no names of columns. */
const HEADLESS = /;\s*header\s*=\s*"?absent/i;

/** The codec of text/csv, for tables. Undeclared columns are read as undeclared properties are, and not written. */
export const csvCodec: Codec = {
  name: 'csv',
  mediaTypes: ['text/csv'],
  carries: (shape, mediaType) => isTable(shape) && !HEADLESS.test(mediaType),
  advice: 'Make it a list of objects of texts, numbers and booleans',
  reader({ items }, _direction, limits) {
    return (text) => (items === undefined ? text : readTable(text, items, limits));
  },
  writer(shape, direction) {
    const { header, write } = tableWriter(shape, direction);
    return (value) => header + (Array.isArray(value) ? value.map(write).join('') : '');
  },
  listWriter(shape, direction) {
    const { header, write } = tableWriter(shape, direction);
    return { empty: header, open: header, separator: '', close: '', item: write };
  },
};
