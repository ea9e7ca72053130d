/** What a connection has prepared, the messages that run it, and how its rows are read. */

import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { types } from 'pg';
import { serialize } from 'pg-protocol';
import type { Value } from '../sql/statement';

/** The part of the driver's connection that is written to. */
export interface DriverConnection {
  readonly stream: Writable;
}

/** A column of the rows that a statement gives. */
export interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Makes a row of its fields as the protocol carries them. */
export type ReadRow = (fields: readonly (string | null)[]) => unknown;

/** Reads rows of these columns. */
export const rowReader = (columns: readonly Column[]): ReadRow => {
  const readers = columns.map(({ name, dataTypeID }) => ({
    name,
    read: types.getTypeParser(dataTypeID, 'text'),
  }));
  return (fields) => {
    const row: Record<string, unknown> = {};
    let at = 0;
    for (const { name, read } of readers) {
      const field = fields[at] ?? null;
      row[name] = field === null ? null : read(field);
      at += 1;
    }
    return row;
  };
};

/** How the rows of each statement are read that a connection has prepared, by the statement's SQL. */
const prepared = new WeakMap<DriverConnection, Map<string, ReadRow>>();

/** How the rows of what a connection has prepared are read, by the SQL. */
export const preparedOn = (connection: DriverConnection): Map<string, ReadRow> => {
  const known = prepared.get(connection) ?? new Map<string, ReadRow>();
  prepared.set(connection, known);
  return known;
};

const names = new Map<string, string>();

/** Names are cut off at 63 characters, so the SQL itself does not do. Without a name a statement lasts until the next one. */
const nameOf = (sql: string, areKept: boolean): string => {
  if (!areKept) return '';
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
};

/** As the protocol carries it: text, or bytes. */
const bindable = (value: Value): string | Buffer | null => {
  if (typeof value === 'number') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length);
  return value;
};

/** Of a statement that gives no rows. */
export const noRow: ReadRow = () => ({});

/** Adds the messages that run a statement (PostgreSQL, Extended Query). */
export const addMessages = (
  messages: Buffer[],
  { sql, values }: { readonly sql: string; readonly values: readonly Value[] },
  isKept: boolean,
  isNew: boolean,
): void => {
  const name = nameOf(sql, isKept);
  // One that was prepared in a batch that failed may be there already.
  if (isNew && isKept) messages.push(serialize.close({ type: 'S', name }));
  if (isNew) messages.push(serialize.parse({ name, text: sql }));
  messages.push(serialize.bind({ statement: name, values: values.map(bindable) }));
  if (isNew) messages.push(serialize.describe({ type: 'P' }));
  messages.push(serialize.execute());
};
