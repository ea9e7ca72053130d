/**
 * How tests are run. A file's name says on which database: NAME.test.ts runs once (on SQLite, where it needs a database),
 * NAME.db.test.ts on SQLite and on PostgreSQL, NAME.sqlite.test.ts and NAME.postgres.test.ts on that one. Tests that start programs
 * are projects of their own, which `npm test` leaves out.
 */

const { accessSync, constants } = require('node:fs');
const { Client } = require('pg');
const { register } = require('tsx/cjs/api');

const tsx = register({ namespace: 'config' });
const { findPostgres } = tsx.require('./scripts/machine/postgres-cluster.ts', __filename);
tsx.unregister();

/** Undefined where the run starts a server of its own; see test/support/run/postgres-server.ts. */
const postgresUrl = process.env.TEST_POSTGRES_URL;

const swc = [
  '@swc/jest',
  {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    // What is imported at run time are ES modules, which require() does not load before Node.js 20.19.
    module: { type: 'commonjs', ignoreDynamic: true },
  },
];

const project = {
  testEnvironment: '<rootDir>/test/support/run/environment.js',
  runtime: '<rootDir>/test/support/run/runtime.js',
  injectGlobals: false,
  transform: { '^.+\\.ts$': swc },
};

const onSqlite = {
  ...project,
  displayName: 'sqlite',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['\\.postgres\\.test\\.ts$', '/test/browser/', '/test/programs/'],
};

const onPostgres = {
  ...project,
  displayName: 'postgres',
  globals: { isPostgres: true },
  testMatch: ['<rootDir>/test/**/*.{db,postgres}.test.ts'],
  testPathIgnorePatterns: [
    '/test/programs/',
    // How statements are planned is seen in one session, and a pooler wants some more in each transaction.
    ...(process.env.TEST_PGBOUNCER === 'true' ? ['/query-plans\\.', '/round-trips\\.'] : []),
  ],
};

/** Tests of handlers, which stand beside them. */
const ofHandlers = {
  ...project,
  displayName: 'handlers',
  injectGlobals: true,
  testMatch: ['<rootDir>/handlers/**/*.test.ts'],
};

/** Tests that start programs: the compiled server, npm, compilers, database servers of their own. */
const ofPrograms = {
  ...onSqlite,
  displayName: 'programs',
  testMatch: ['<rootDir>/test/programs/*.test.ts'],
  testPathIgnorePatterns: ['\\.postgres\\.test\\.ts$'],
};

const ofProgramsOnPostgres = {
  ...onPostgres,
  displayName: 'programs-postgres',
  testMatch: ['<rootDir>/test/programs/*.{db,postgres}.test.ts'],
  testPathIgnorePatterns: [],
};

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

const inBrowser = {
  ...project,
  displayName: 'browser',
  globals: { chromium },
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
};

/** Undefined where Chromium can be run. */
const chromiumProblem = () => {
  try {
    accessSync(chromium, constants.X_OK);
    return undefined;
  } catch (error) {
    return error.code;
  }
};

/** Schemas that tests left behind when they were killed; see test/support/new-database.ts. */
const dropLeftovers = async (client) => {
  const { rows } = await client.query(
    `select nspname from pg_namespace where nspname ~ '^test_[0-9]+_'
      and split_part(nspname, '_', 2)::bigint < extract(epoch from now()) - 3600`,
  );
  for (const { nspname } of rows) await client.query(`drop schema if exists "${nspname}" cascade`);
};

/** Undefined where the server can be used that is named. */
const serverProblem = async () => {
  const client = new Client({ connectionString: postgresUrl, connectionTimeoutMillis: 3000 });
  // Without this, a connection that ends later would end the run.
  client.on('error', () => undefined);
  const { host, pathname } = new URL(postgresUrl);
  try {
    await client.connect();
    await dropLeftovers(client);
  } catch (error) {
    return `PostgreSQL is not reachable at ${host}${pathname} (${error.code ?? error.message})`;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Undefined where tests can run on PostgreSQL. */
const postgresProblem = async () => {
  if (postgresUrl !== undefined) return serverProblem();
  return findPostgres() === undefined ? 'PostgreSQL is not installed' : undefined;
};

/** Says what is unavailable and so is not tested, or ends the run where it is required. */
const skip = (sentence, isRequired) => {
  if (isRequired === 'true') throw new Error(sentence);
  process.stderr.write(`${sentence}: its tests are skipped\n`);
};

module.exports = async () => {
  const projects = [onSqlite, ofHandlers, ofPrograms];
  const { REQUIRE_POSTGRES, REQUIRE_CHROMIUM } = process.env;
  const noPostgres = await postgresProblem();
  if (noPostgres === undefined) projects.push(onPostgres, ofProgramsOnPostgres);
  else skip(noPostgres, REQUIRE_POSTGRES);
  const noChromium = chromiumProblem();
  if (noChromium === undefined) projects.push(inBrowser);
  else skip(`Chromium cannot be run at ${chromium} (${noChromium})`, REQUIRE_CHROMIUM);
  return {
    projects,
    globalSetup: '<rootDir>/test/support/run/global-setup.js',
    testTimeout: 90_000,
    // What the tests run in processes of their own (main.ts, admin.ts, workers) does not count.
    collectCoverageFrom: ['src/**/*.ts', 'handlers/**/*.ts'],
    coverageReporters: ['text-summary', 'html'],
    coverageThreshold: { global: { lines: 97, branches: 92 } },
    maxWorkers: 3,
    workerIdleMemoryLimit: '1GB',
  };
};
