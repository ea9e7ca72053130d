/** An example of the option `codecs`: tables as comma-separated values (RFC 4180), a header row with the names and a row for each object. */

import type { Codec } from '../../src/engine';
import { HttpError } from '../../src/http/http-error';

type Shape = Parameters<Codec['reader']>[0];
type Direction = Parameters<Codec['reader']>[1];
type ReadLimits = Parameters<Codec['reader']>[2];

const isScalar = ({ type, isBinary, contentEncoding, alternatives }: Shape): boolean =>
  ['string', 'integer', 'number', 'boolean'].includes(type) &&
  !isBinary &&
  contentEncoding === undefined &&
  alternatives.length === 0;

/** Tells whether the values are lists of objects whose properties are known, and scalars all of them. */
const isTable = ({ type, prefixItems, items, alternatives }: Shape): boolean =>
  type === 'array' &&
  alternatives.length + prefixItems.length === 0 &&
  items?.type === 'object' &&
  items.alternatives.length === 0 &&
  items.properties.size > 0 &&
  typeof items.additional === 'boolean' &&
  [...items.properties.values()].every(isScalar);

const malformed = (reason: string): HttpError => {
  const message = `The CSV text is malformed: ${reason}`;
  return new HttpError(400, 'invalid-body', message, {
    errors: [{ in: 'body', path: '', message }],
  });
};

/** Lists the cells of each row; lines may end in LF alone, and the last one in nothing. */
const rowsOf = (text: string, { nodes }: ReadLimits): string[][] => {
  const pattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const rows: string[][] = [];
  let cells: string[] = [];
  for (let count = 1; pattern.lastIndex < text.length || cells.length > 0; count += 1) {
    if (count > nodes) throw malformed(`there are more than ${nodes} cells`);
    const at = pattern.lastIndex;
    const [, quoted, plain = '', end] = pattern.exec(text) ?? [];
    if (end === undefined) {
      const line = text.slice(0, at).split('\n').length;
      throw malformed(`a quote or a carriage return out of place at line ${line}`);
    }
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(cells);
    cells = [];
  }
  return rows;
};

/** Readers of cells that have another type than text. What does not fit stays a text. */
const readers: Partial<Record<Shape['type'], (cell: string) => unknown>> = {
  integer(cell) {
    if (!/^-?\d{1,40}$/.test(cell)) return cell;
    return Number.isSafeInteger(Number(cell)) ? Number(cell) : BigInt(cell);
  },
  number: (cell) => (/^-?\d{1,40}(?:\.\d{1,40})?$/.test(cell) ? Number(cell) : cell),
  boolean: (cell) => cell === 'true' || (cell === 'false' ? false : cell),
};

/** Reads a cell. An empty one is the empty text, and no value if the column has another type or a format. */
const readCell = (cell: string, shape: Shape | undefined): unknown => {
  if (shape === undefined) return cell;
  const isText = shape.type === 'string' && shape.format === undefined;
  if (cell === '' && !isText) return shape.nullable ? null : undefined;
  return readers[shape.type]?.(cell) ?? cell;
};

const readTable = (text: string, items: Shape, limits: ReadLimits): unknown[] => {
  if (text.includes('\0')) throw malformed('U+0000 is not allowed');
  const [names = [], ...rows] = rowsOf(text, limits);
  if (names.length > limits.names) throw malformed(`too many names, more than ${limits.names}`);
  if (new Set(names).size < names.length) throw malformed('a column has the name of another');
  const isBlank = (cells: string[]) => names.length > 1 && cells.join() === '';
  return rows.flatMap((cells, index) => {
    if (isBlank(cells)) return [];
    if (cells.length !== names.length) {
      throw malformed(`row ${index + 1} has ${cells.length} cells, not ${names.length}`);
    }
    const values = names.map((name, at) => [
      name,
      readCell(cells[at] ?? '', items.properties.get(name)),
    ]);
    return [Object.fromEntries(values.filter(([, value]) => value !== undefined))];
  });
};

/** Writes a cell. A number of more digits than a double has is a symbol, whose description they are. */
const writeCell = (value: unknown): string => {
  const text = typeof value === 'symbol' ? value.description : String(value ?? '');
  return /[",\r\n]/.test(text ?? '') ? `"${text?.replaceAll('"', '""')}"` : (text ?? '');
};

/** Compiles the header row and the writer of rows; a response leaves out writeOnly properties. */
const tableWriter = ({ items }: Shape, direction: Direction) => {
  const names = [...(items?.properties ?? [])]
    .filter(([, { writeOnly }]) => direction !== 'response' || !writeOnly)
    .map(([name]) => name);
  const rowOf = (values: readonly unknown[]): string => `${values.map(writeCell).join(',')}\r\n`;
  return {
    header: rowOf(names),
    write: (item: unknown) => rowOf(names.map((name) => Object(item)[name])),
  };
};

export const csvCodec: Codec = {
  name: 'csv',
  mediaTypes: ['text/csv'],
  // RFC 4180 section 3: a table may also have no header row.
  carries: (shape, mediaType) => isTable(shape) && !/header\s*=\s*"?absent/i.test(mediaType),
  advice: 'Make it a list of objects of texts, numbers and booleans',
  reader:
    ({ items }, _direction, limits) =>
    (text) =>
      items === undefined ? text : readTable(text, items, limits),
  writer(shape, direction) {
    const { header, write } = tableWriter(shape, direction);
    return (value) => header + [value].flat().map(write).join('');
  },
  // Without it lists would be written whole, and not page by page.
  listWriter(shape, direction) {
    const { header, write } = tableWriter(shape, direction);
    return { empty: header, open: header, separator: '', close: '', item: write };
  },
};
