/** A transaction as those who share it see it: they run statements, and save up what is written once for all. */

import type { Connection } from '../connections/database-driver';
import type { Statement, Values } from '../sql/statement';

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
   * What the owner remembers during this transaction, made when it is first asked for.
   *
   * @param owner - whose it is
   * @param make - is given the list of what runs before the commit
   */
  memory<Memory>(owner: object, make: (beforeCommit: BeforeCommit[]) => Memory): Memory;
  /** Does a part of the work, all of it or nothing: the transaction goes on where the part fails. */
  savepoint<Result>(part: (trx: Transaction) => Promise<Result>): Promise<Result>;
}

/** Statements on a connection. */
const runnerOver = (connection: Connection): Runner => ({
  // A statement's type says what its rows are; the drivers do not know.
  all: <Row>({ sql, bind }: Statement<Values, Row>, parameters: Values) =>
    connection.all(sql, bind(parameters)) as Promise<Row[]>,
});

/** Does the work between a savepoint and its release (SQL: SAVEPOINT). */
const runInSavepoint = async <Result>(
  connection: Connection,
  work: (trx: Transaction) => Promise<Result>,
): Promise<Result> => {
  await connection.run('savepoint part', []);
  try {
    const result = await runInTransaction(connection, work);
    await connection.run('release savepoint part', []);
    return result;
  } catch (error) {
    await connection.run('rollback to savepoint part', []);
    throw error;
  }
};

/** Does the work in the transaction of a connection, and then what was saved up. */
export const runInTransaction = async <Result>(
  connection: Connection,
  work: (trx: Transaction) => Promise<Result>,
): Promise<Result> => {
  const memories = new Map<object, unknown>();
  const beforeCommit: BeforeCommit[] = [];
  const { all } = runnerOver(connection);
  const result = await work({
    all,
    run: ({ sql, bind }, parameters) => connection.run(sql, bind(parameters)),
    memory<Memory>(owner: object, make: (list: BeforeCommit[]) => Memory): Memory {
      if (!memories.has(owner)) memories.set(owner, make(beforeCommit));
      return memories.get(owner) as Memory;
    },
    savepoint: (part) => runInSavepoint(connection, part),
  });
  for (const write of beforeCommit) await write();
  return result;
};
