/** Cases that are written as text: each has a title and, below it, indented, what belongs to it. */

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

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

/** The schemas that `*name` stands for in a schema that is text; a name with a capital is a component's. */
const shorthands: Readonly<Record<string, string>> = {
  string: '{type: string}',
  boolean: '{type: boolean}',
  null: "{type: 'null'}",
  number: '{type: number}',
  integer: '{type: integer}',
  int32: '{type: integer, format: int32}',
  int64: '{type: integer, format: int64}',
  readOnly: '{type: integer, format: int64, readOnly: true}',
  row: '{type: object, properties: {a: *integer, b: *string}}',
  rows: '{type: array, items: *row}',
  claws: '{type: object, required: [claws], properties: {claws: *int64}}',
  bark: '{type: object, required: [bark], properties: {bark: *int64}}',
  cat: '{type: object, required: [kind, lives], properties: {kind: {type: string, enum: [cat]}, lives: *integer}}',
  dog: '{type: object, required: [kind, name], properties: {kind: {type: string, enum: [dog]}, name: *string}}',
};

/** A schema in YAML without its shorthands. */
export const writtenOut = (text: string): string =>
  text.replaceAll(/\*(\w+)/g, (_, name: string) =>
    writtenOut(shorthands[name] ?? `{$ref: '#/components/schemas/${name}'}`),
  );

/** What is written 5n is a bigint. */
const bigints = {
  ...{ tag: '!bigint', default: true, test: /^-?\d+n$/ },
  resolve: (text: string) => BigInt(text.slice(0, -1)),
};

/**
 * The rows of one case of a file: a title, and values in YAML, in flow style and with these shorthands. Each is as long as the
 * longest; what it has not is undefined.
 */
export const valuesOf = <Row extends readonly unknown[]>(file: string, title: string): Row[] => {
  const rows = tableOf(file, title);
  const length = Math.max(...rows.map((row) => row.length));
  return rows.map(([name, ...cells]): Row => {
    const values = [JSON.stringify(name), ...cells.map(writtenOut)];
    const row = parse(`[${values.join(', ')}]`, { customTags: [bigints] });
    return Object.assign(row, { length });
  });
};

/** Writes the regular expression of what is shown; an ellipsis stands for any text. */
export const patternOf = (shown: string): string =>
  shown
    .trimEnd()
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('…', '[\\s\\S]+');

/**
 * Writes out a cell that stands for a longer text: ⏎ is a line end of HTTP, `$NAME` what is given by that name, and
 * ⟨TEXT×COUNT⟩ the text that many times, with № for the number of each, and between them what follows the count. What a
 * backslash stands for is as in JSON.
 */
export const fullText = (cell: string, named: Readonly<Record<string, unknown>> = {}): string =>
  cell
    .replaceAll(/\\(?:u[\da-f]{4}|.)/g, (escaped) => String(JSON.parse(`"${escaped}"`)))
    .replaceAll('⏎', '\r\n')
    .replaceAll(/\$(\w+)/g, (shown, name: string) => {
      if (!(name in named)) throw new Error(`Nothing is named ${shown} here`);
      return String(named[name]);
    })
    .replaceAll(/⟨([^×]+)×(\d+)([^⟩]*)⟩/g, (_, text: string, count: string, between: string) =>
      Array.from({ length: Number(count) }, (_item, at) => text.replaceAll('№', `${at}`)).join(
        between,
      ),
    );
