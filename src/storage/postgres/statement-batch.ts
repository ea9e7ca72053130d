/**
 * Prepared statements that are sent together and answered together: one round trip, and one end of the transaction (Sync) for all
 * of them (PostgreSQL, Frontend/Backend Protocol: Pipelining). The driver's own pipelining ends a transaction after each statement, and
 * takes three to four times the processor's time.
 */

import { hash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { type ClientBase, DatabaseError, type Submittable, types } from 'pg';
import { serialize } from 'pg-protocol';
import { memoize } from '../../base/memoize';
import { Skipped } from '../connections/database-driver';
import type { Value } from '../sql/statement';
import { isPooled } from './connect';

/** The result of a statement. */
export interface StatementResult {
  readonly rows: object[];
  /** Rows that were inserted, changed, deleted or read. */
  readonly count: number;
  /** The kind of statement: `INSERT`, `COMMIT` … */
  readonly command: string;
}

/** A statement that waits to be sent. */
export interface SentStatement {
  readonly sql: string;
  readonly values: readonly Value[];
  /** Makes the reader of its rows, where it is an author's own: it is prepared for one run. */
  readonly rowReader?: ((columns: readonly Column[]) => ReadRow) | undefined;
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The property of the driver's connection that is written to. pg documents no way to write messages of one's own: package.json
 * holds it to release 8.23.1, which has this property, so that a newer one passes the tests of batches first.
 */
interface DriverConnection {
  readonly stream: Writable;
}

/** A column of a result. */
export interface Column {
  readonly name: string;
  readonly dataTypeID: number;
  /** The table that it is from; 0 where it is computed. */
  readonly tableID: number;
}

type ReadField = (text: string) => unknown;

/** Makes a row of the texts of its fields. */
type ReadRow = (fields: readonly (string | null)[]) => object;

/** Reads an integer of any length as a number, as SQLite's driver gives it; as its text where a double does not hold it. */
const readInteger = (text: string): number | string => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
};

const readerOf = ({ dataTypeID }: Column): ReadField =>
  // The types that the driver reads as text: of counts, times and sums.
  dataTypeID === types.builtins.INT8 || dataTypeID === types.builtins.NUMERIC
    ? readInteger
    : types.getTypeParser(dataTypeID, 'text');

/** Makes the reader of rows of these columns. */
export const rowReader = (
  columns: readonly Column[],
  fieldReader: (column: Column) => ReadField = readerOf,
): ReadRow => {
  const readers = columns.map((column) => ({ name: column.name, read: fieldReader(column) }));
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

/** Gives the row readers of the statements that a connection has prepared, by their SQL. */
const preparedOn = memoize((_connection: DriverConnection) => new Map<string, ReadRow>());

const names = new Map<string, string>();

/** Names a statement by a digest: PostgreSQL cuts names at 63 characters. */
const nameStatement = (sql: string): string => {
  const name = names.get(sql) ?? hash('sha256', sql, 'base64url');
  names.set(sql, name);
  return name;
};

const noRow: ReadRow = () => ({});

/** Adds the messages that run a statement (PostgreSQL, Extended Query). */
const addMessages = (
  messages: Buffer[],
  { sql, values }: { readonly sql: string; readonly values: readonly Value[] },
  isKept: boolean,
  isNew: boolean,
): void => {
  // Without a name a statement lasts until the next one.
  const name = isKept ? nameStatement(sql) : '';
  // One that was prepared in a batch that failed may be there already.
  if (isNew && isKept) messages.push(serialize.close({ type: 'S', name }));
  if (isNew) messages.push(serialize.parse({ name, text: sql }));
  // The protocol carries texts and bytes.
  const bindable = values.map((value) => {
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' || value === null) return value;
    return Buffer.from(value.buffer, value.byteOffset, value.length);
  });
  messages.push(serialize.bind({ statement: name, values: bindable }));
  if (isNew) messages.push(serialize.describe({ type: 'P' }));
  messages.push(serialize.execute());
};

/** The query of a batch; the driver calls its methods as messages arrive. */
class StatementBatch implements Submittable {
  /** Called at the end; the driver puts a time limit around it. */
  callback: (error?: unknown) => void;
  readonly #statements: readonly SentStatement[];
  #stream: DriverConnection['stream'] | undefined;
  #known: Map<string, ReadRow> = new Map();
  /** The statement whose response is coming. */
  #at = 0;
  #rows: object[] = [];
  #readRow: ReadRow | undefined;

  /** True where statements stay prepared on the connection. */
  readonly #areKept: boolean;

  constructor(statements: readonly SentStatement[], areKept: boolean, done: () => void) {
    this.#areKept = areKept;
    this.#statements = statements;
    this.callback = done;
  }

  submit(connection: unknown): void {
    const { stream } = connection as DriverConnection;
    this.#stream = stream;
    this.#known = preparedOn(connection as DriverConnection);
    const messages: Buffer[] = [];
    const sent = new Set<string>();
    for (const statement of this.#statements) {
      const { sql, rowReader: own } = statement;
      const isKept = this.#areKept && own === undefined;
      const isNew = !(isKept && (this.#known.has(sql) || sent.has(sql)));
      addMessages(messages, statement, isKept, isNew);
      if (isKept) sent.add(sql);
    }
    messages.push(serialize.sync());
    // In one piece: to write a thousand takes a quarter of the time of adding an item.
    stream.write(Buffer.concat(messages));
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.#readRow = (this.#statements[this.#at]?.rowReader ?? rowReader)(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#readRow ??= this.#known.get(this.#statements[this.#at]?.sql ?? '') ?? noRow;
    this.#rows.push(this.#readRow(fields));
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const statement = this.#statements[this.#at];
    // An answer may be read together with what has ended the batch.
    if (statement === undefined) return;
    const [command = '', ...counts] = text.split(' ');
    const { sql, rowReader: own } = statement;
    if (own === undefined && !this.#known.has(sql)) this.#known.set(sql, this.#readRow ?? noRow);
    statement.resolve({ rows: this.#rows, count: Number(counts.at(-1) ?? 0), command });
    this.#rows = [];
    this.#readRow = undefined;
    this.#at += 1;
  }

  handleReadyForQuery(): void {
    this.callback();
  }

  handleError(error: unknown): void {
    const [failed, ...rest] = this.#statements.slice(this.#at);
    this.#at = this.#statements.length;
    const isAnswer = error instanceof DatabaseError;
    // Errors are logged: the values of the row that broke a rule may be hashes and personal data.
    if (isAnswer) Object.assign(error, { detail: undefined, where: undefined });
    failed?.reject(error);
    for (const { reject } of rest) reject(isAnswer ? new Skipped(error) : error);
    // Late answers of this batch could not be distinguished from those of later batches.
    if (!isAnswer) this.#stream?.destroy();
    this.callback(error);
  }

  handlePortalSuspended(): void {
    this.handleError(new Error('PostgreSQL has not sent all rows'));
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }
}

/**
 * Sends the statements, and resolves when all are answered. Outside of `begin` and `commit` they are one transaction; when one fails,
 * those after it are not run: they reject with Skipped.
 */
export const sendBatch = (
  client: ClientBase,
  statements: readonly SentStatement[],
): Promise<void> =>
  new Promise((resolve) => {
    client.query(new StatementBatch(statements, !isPooled(client), resolve));
  });
