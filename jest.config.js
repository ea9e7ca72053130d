/** How tests are run: all of them on SQLite; those that keep something in a database once more, on PostgreSQL. */

const { Client } = require('pg');

const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

const project = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
};

const onSqlite = {
  ...project,
  displayName: 'sqlite',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['\\.postgres\\.test\\.ts$'],
};

const onPostgres = {
  ...project,
  displayName: 'postgres',
  globals: { postgresUrl },
  testMatch: [
    '<rootDir>/test/contract/{petstore,ads}.test.ts',
    '<rootDir>/test/end-to-end/**/*.test.ts',
    '<rootDir>/test/unit/{admin,auth,handlers,storage}/**/*.test.ts',
  ],
  testPathIgnorePatterns: [
    '\\.sqlite\\.test\\.ts$',
    // These keep nothing in a database, or bring databases of both kinds themselves.
    'end-to-end/(cors|docs|mount-engine|streamed-lists|third-service|worker-processes)\\.test',
    'end-to-end/database-trouble.*\\.test',
    'unit/auth/(admission|password|same-origin|session-cookie|token)\\.test',
    'unit/handlers/ads/ad\\.test',
    'unit/storage/(copy|group-commit|list-statement|pages|query-plans|search-key|statement)\\.test',
    'unit/storage/(transact|trouble|unique-violation)\\.test',
  ],
};

/** Schemas that tests left behind when they were killed; see test/support/new-database.ts. */
const dropLeftovers = async (client) => {
  const { rows } = await client.query(
    `select nspname from pg_namespace where nspname ~ '^test_[0-9]+_'
      and split_part(nspname, '_', 2)::bigint < extract(epoch from now()) - 3600`,
  );
  for (const { nspname } of rows) await client.query(`drop schema if exists "${nspname}" cascade`);
};

/** Undefined where PostgreSQL can be used. */
const postgresProblem = async () => {
  const client = new Client({ connectionString: postgresUrl, connectionTimeoutMillis: 3000 });
  // Without this, a connection that ends later would end the run.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await dropLeftovers(client);
  } catch (error) {
    return error.code ?? error.message;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** The URL without its password. */
const place = () => {
  const { host, pathname } = new URL(postgresUrl);
  return `${host}${pathname}`;
};

module.exports = async () => {
  const problem = await postgresProblem();
  if (problem !== undefined) {
    const sentence = `PostgreSQL is not reachable at ${place()} (${problem})`;
    if (process.env.REQUIRE_POSTGRES === 'true') throw new Error(sentence);
    process.stderr.write(`${sentence}: its tests are skipped\n`);
  }
  return {
    projects: problem === undefined ? [onSqlite, onPostgres] : [onSqlite],
    testTimeout: 90_000,
    maxWorkers: 2,
    workerIdleMemoryLimit: '768MB',
  };
};
