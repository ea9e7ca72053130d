/** A transaction as those who share it see it: they run statements, and save up what is written once for all. */

import type { Connection } from '../connections/database-driver';
import type { Statement, Values } from '../sql/statement';
import type { Done } from './run-transaction';

/** Runs statements that give rows: outside of any transaction, or inside of one. */
export interface Runner {
  all<Parameters extends Values, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<Row[]>;
}

/** What runs when a transaction has done its work and before it is committed. */
export type BeforeCommit = () => Promise<void>;

export interface Transaction extends Runner {
  /**
   * Runs a statement that gives no rows; how many it inserted, changed or deleted. In SQLite this takes half the time of
   * `returning`, which writes a table of its own for the rows.
   */
  run<Parameters extends Values>(
    statement: Statement<Parameters, never>,
    parameters: Parameters,
  ): Promise<number>;
  /**
   * Runs a statement whose outcome nobody waits for: at once, or together with the commit. Where it fails, so does the work.
   *
   * @returns how many rows it inserted, changed or deleted, if that is known by now
   */
  send<Parameters extends Values>(
    statement: Statement<Parameters, never>,
    parameters: Parameters,
  ): Promise<number | undefined>;
  /** Runs what was left for later. */
  flush(): Promise<void>;
  /**
   * The same transaction for one of several that share it: what it leaves for later is its own.
   *
   * @param failure - makes what is thrown of what its later statements throw
   */
  part(failure: (error: unknown) => unknown): Transaction;
  /**
   * What the owner remembers during this transaction, made when it is first asked for.
   *
   * @param owner - whose it is
   * @param make - is given the list of what runs before the commit
   */
  memory<Memory>(owner: object, make: (beforeCommit: BeforeCommit[]) => Memory): Memory;
}

/** Statements on a connection. */
const runnerOver = (connection: Connection): Runner => ({
  // A statement's type says what its rows are; the drivers do not know.
  all: <Row>({ sql, bind }: Statement<Values, Row>, parameters: Values) =>
    connection.all(sql, bind(parameters)) as Promise<Row[]>,
});

/** Keeps statements for later, or runs them at once where that costs no way to another host. */
const laterOver = (
  { run }: Pick<Connection, 'run'>,
  isKept: boolean,
  failure: (error: unknown) => unknown,
) => {
  let kept: (() => Promise<number>)[] = [];
  return {
    async send<Parameters extends Values>(
      { sql, bind }: Statement<Parameters, never>,
      parameters: Parameters,
    ): Promise<number | undefined> {
      const values = bind(parameters);
      if (!isKept) return run(sql, values);
      kept.push(() => run(sql, values));
      return undefined;
    },
    async flush(): Promise<void> {
      const statements = kept;
      kept = [];
      await Promise.all(statements.map((send) => send())).catch((error: unknown) => {
        throw failure(error);
      });
    },
  };
};

/**
 * Does the work in the transaction of a connection, and then what was saved up.
 *
 * @param keeps - whether what can be done later is done with the commit
 */
export const runInTransaction = async <Result>(
  connection: Connection,
  work: (trx: Transaction) => Promise<Result>,
  keeps: boolean,
): Promise<Done<Result>> => {
  const memories = new Map<object, unknown>();
  const beforeCommit: BeforeCommit[] = [];
  const parts: Transaction[] = [];
  const { all } = runnerOver(connection);
  const part = (failure: (error: unknown) => unknown): Transaction => {
    const trx: Transaction = {
      all,
      run: ({ sql, bind }, parameters) => connection.run(sql, bind(parameters)),
      ...laterOver(connection, keeps, failure),
      part,
      memory<Memory>(owner: object, make: (list: BeforeCommit[]) => Memory): Memory {
        if (!memories.has(owner)) memories.set(owner, make(beforeCommit));
        return memories.get(owner) as Memory;
      },
    };
    parts.push(trx);
    return trx;
  };
  const result = await work(part((error) => error));
  for (const write of beforeCommit) await write();
  return {
    result,
    async last() {
      await Promise.all(parts.map(({ flush }) => flush()));
    },
  };
};
