/** A driver that reports each statement that it runs, and how long it took: for looking into a request. */

import type { Connection, DatabaseDriver } from './database-driver';

/** Takes a statement, without its values, when it has run or failed. */
export type OnStatement = (sql: string, milliseconds: number) => void;

/** Makes the driver report its prepared statements, and the beginning and the end of its transactions. */
export const watchedDriver = (driver: DatabaseDriver, onStatement: OnStatement): DatabaseDriver => {
  const timed = async <Result>(sql: string, run: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    try {
      return await run();
    } finally {
      onStatement(sql, performance.now() - start);
    }
  };
  const watchedConnection = (connection: Connection): Connection => ({
    all: (statement, values) => timed(statement.sql, () => connection.all(statement, values)),
    run: (statement, values) => timed(statement.sql, () => connection.run(statement, values)),
    send: (statement, values, failureOf) =>
      timed(statement.sql, () => connection.send(statement, values, failureOf)),
    begin: () => timed('BEGIN', () => connection.begin()),
    commit: () => timed('COMMIT', () => connection.commit()),
    rollback: () => timed('ROLLBACK', () => connection.rollback()),
  });
  return {
    ...driver,
    query: (statement, parameters) =>
      timed(statement.sql, async () => driver.query(statement, parameters)),
    withConnection: (work) =>
      driver.withConnection((connection) => work(watchedConnection(connection))),
  };
};
