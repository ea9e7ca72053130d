/** A driver that tells each statement that it runs, and how long it took: for looking into a request. */

import type { Connection, DatabaseDriver } from './database-driver';

/** Told a statement, without its values, when it has run or failed. */
export type OnStatement = (sql: string, milliseconds: number) => void;

/** Makes the driver tell its prepared statements, and the beginning and the end of its transactions. */
export const watchedDriver = (driver: DatabaseDriver, onStatement: OnStatement): DatabaseDriver => {
  const timed = async <Result>(sql: string, run: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    try {
      return await run();
    } finally {
      onStatement(sql, performance.now() - start);
    }
  };
  const watchedQuery =
    (query: DatabaseDriver['query']): DatabaseDriver['query'] =>
    (statement, parameters) =>
      timed(statement.sql, async () => query(statement, parameters));
  const watchedConnection = (connection: Connection): Connection => ({
    all: (sql, values) => timed(sql, () => connection.all(sql, values)),
    run: (sql, values) => timed(sql, () => connection.run(sql, values)),
    begin: () => timed('BEGIN', () => connection.begin()),
    commit: (last) => timed('COMMIT', () => connection.commit(last)),
    rollback: () => timed('ROLLBACK', () => connection.rollback()),
  });
  const { beginList } = driver;
  return {
    knex: driver.knex,
    transactions: driver.transactions,
    query: watchedQuery(driver.query),
    beginList: beginList && (() => watchedQuery(beginList())),
    withConnection: (work) =>
      driver.withConnection((connection) => work(watchedConnection(connection))),
    withMigrationLock: (work) => driver.withMigrationLock(work),
    close: () => driver.close(),
  };
};
