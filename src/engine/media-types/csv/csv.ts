/** Lists of flat objects as comma-separated values (RFC 4180): a header row with the names, then a row for each object. */

import { pointerTo } from '../../../base/json-pointer';
import { MalformedText } from '../../../base/malformed-text';
import { isPlainObject, type PlainObject, setOwn } from '../../../base/plain-object';
import { compileCoercion } from '../../schema/coercion';
import { scalarReader, writeScalar } from '../../schema/scalars';
import type { Direction, Shape } from '../../schema/shape';
import {
  type Codec,
  findForbiddenCharacter,
  type ReadLimits,
  readLimits,
  tooManyNames,
  type Writer,
} from '../codec/codec';
import { writeJson } from '../json/json-writer';
import { type CsvRow, parseCsv } from './csv-parser';

const CRLF = '\r\n';

const isScalar = ({ type, format, alternatives }: Shape): boolean =>
  alternatives.length === 0 &&
  format !== 'binary' &&
  (type === 'string' || type === 'integer' || type === 'number' || type === 'boolean');

/** Whether values of the shape are lists of objects whose properties are known, and scalars all of them. */
export const isTable = ({ type, items, alternatives }: Shape): boolean =>
  type === 'array' &&
  alternatives.length === 0 &&
  items?.type === 'object' &&
  items.alternatives.length === 0 &&
  items.properties.size > 0 &&
  [...items.properties.values()].every(isScalar) &&
  (typeof items.additional === 'boolean' || isScalar(items.additional));

/** Reads a cell; undefined where it stands for no value. */
type ReadCell = (cell: string) => unknown;

/** An empty cell is the empty text, and says nothing where a text cannot be empty or the value is no text. */
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

const columnsOf = (names: readonly string[], { properties, additional }: Shape): Column[] => {
  if (new Set(names).size < names.length) {
    throw new MalformedText('The header row names a column twice');
  }
  return names.map((name) => {
    const shape = properties.get(name) ?? additional;
    return { name, read: typeof shape === 'object' ? cellReader(shape) : (cell) => cell };
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

/** The names that stand in the header row; properties that are writeOnly are no part of a response. */
const namesOf = ({ properties }: Shape, direction: Direction): string[] =>
  [...properties]
    .filter(([, { writeOnly }]) => direction !== 'response' || !writeOnly)
    .map(([name]) => name);

const rowWriter =
  (names: readonly string[]): Writer =>
  (value) => {
    const object: PlainObject = isPlainObject(value) ? value : {};
    return rowOf(
      names.map((name) => writeCell(Object.hasOwn(object, name) ? object[name] : undefined)),
    );
  };

/** What a table has where the schema says nothing: no columns. */
const partsOf = ({ items }: Shape, direction: Direction) => {
  const names = items ? namesOf(items, direction) : [];
  return { header: rowOf(names.map(quoted)), write: rowWriter(names) };
};

/**
 * The codec of text/csv, for lists as isTable has them. Undeclared columns are read as undeclared properties are, and not
 * written.
 */
export const csvCodec: Codec = {
  name: 'csv',
  reader(shape, direction, limits = readLimits) {
    const coerce = compileCoercion(shape, direction);
    const { items } = shape;
    return (text) => (items === undefined ? text : coerce(readTable(text, items, limits)));
  },
  writer(shape, direction) {
    const { header, write } = partsOf(shape, direction);
    return (value) => header + (Array.isArray(value) ? value.map(write).join('') : '');
  },
  listWriter(shape, direction) {
    const { header, write } = partsOf(shape, direction);
    return { empty: header, open: header, separator: '', close: '', item: write };
  },
};
