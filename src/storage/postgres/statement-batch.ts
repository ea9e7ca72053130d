/**
 * Prepared statements that are sent together and answered together: one round trip, and one end of the transaction (Sync) for all
 * of them (PostgreSQL, Frontend/Backend Protocol: Pipelining). The driver's own queries each wait for the one before, which
 * takes eight times the processor's time when many arrive at once.
 */

import { type ClientBase, DatabaseError, type Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import { isConnectionError } from '../connections/database-errors';
import { errorFacts } from '../sql/dialect';
import type { Value } from '../sql/statement';
import { isPooled } from './pooler';
import {
  addMessages,
  type Column,
  type DriverConnection,
  noRow,
  preparedOn,
  type ReadRow,
  rowReader,
} from './prepared-statements';

/** What a statement gave. */
export interface StatementResult {
  readonly rows: unknown[];
  /** Rows that were inserted, changed, deleted or read. */
  readonly count: number;
  /** What was done: `INSERT`, `COMMIT` … */
  readonly command: string;
}

/** A statement that waits to be sent. */
export interface SentStatement {
  readonly sql: string;
  readonly values: readonly Value[];
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A statement that was not run, since one before it in the same batch failed. */
export class Skipped extends Error {
  /** The code of a failure that ended the connection, so that this counts as one, too. */
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super('Skipped: an earlier statement of the batch failed', { cause });
    this.code = isConnectionError(cause) ? errorFacts(cause).code : undefined;
  }
}

/** Errors are logged: with the row that broke a rule they would reveal hashes and personal data. */
const withoutValues = (error: unknown): unknown =>
  error instanceof DatabaseError
    ? Object.assign(error, { detail: undefined, where: undefined })
    : error;

/** The driver calls these methods as messages arrive. */
class StatementBatch implements Submittable {
  /** Called at the end; the driver puts a time limit around it. */
  callback: (error?: unknown) => void;
  readonly #statements: readonly SentStatement[];
  #stream: DriverConnection['stream'] | undefined;
  #known: Map<string, ReadRow> = new Map();
  /** The statement whose response is coming. */
  #at = 0;
  #rows: unknown[] = [];
  #readRow: ReadRow | undefined;

  /** Whether statements stay prepared on the connection. */
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
      const { sql } = statement;
      const isNew = !(this.#areKept && (this.#known.has(sql) || sent.has(sql)));
      addMessages(messages, statement, this.#areKept, isNew);
      sent.add(sql);
    }
    messages.push(serialize.sync());
    // In one piece: to write a thousand takes a quarter of the time of adding an item.
    stream.write(Buffer.concat(messages));
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.#readRow = rowReader(fields);
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
    const { sql } = statement;
    if (!this.#known.has(sql)) this.#known.set(sql, this.#readRow ?? noRow);
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
    failed?.reject(withoutValues(error));
    const isAnswer = error instanceof DatabaseError;
    for (const { reject } of rest) reject(isAnswer ? new Skipped(error) : error);
    // The answers of a batch that was given up may still come: those of later batches could not be told from them.
    if (!isAnswer) this.#stream?.destroy();
    this.callback(error);
  }

  handlePortalSuspended(): void {
    this.handleError(new Error('PostgreSQL has not sent all rows'));
  }

  handleEmptyQuery(): void {
    this.handleError(new Error('A statement is empty'));
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
