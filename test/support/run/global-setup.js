/** Runs once, before all tests: makes the folder for what they write, and for what test files share; see once-per-run.ts. */

const { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** A file system in memory, where Linux has it: thousands of commits there wait for no disk. */
const memory = '/dev/shm';
const wantedBytes = 2 ** 30;

const hasRoom = () => {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > wantedBytes;
};

/** Ends the server of postgres-server.ts, where it was started. */
const endPostgres = (folder) => {
  const file = join(folder, 'postgres', 'data', 'postmaster.pid');
  if (existsSync(file)) process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGQUIT');
};

/** Ends PgBouncer, where it was started. */
const endPooler = (folder) => {
  const file = join(folder, 'pgbouncer', 'pid');
  if (!existsSync(file)) return;
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGTERM');
  } catch (error) {
    // It has ended by itself.
    if (error.code !== 'ESRCH') throw error;
  }
};

/** Both names are passed to jest's worker processes by the environment. */
module.exports = () => {
  const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), 'test-run-'));
  // PostgreSQL must pass through it, which runs as a user of its own.
  chmodSync(folder, 0o755);
  process.env.TEST_RUN_FOLDER = folder;
  process.env.TMPDIR = folder;
  process.once('exit', () => {
    endPooler(folder);
    endPostgres(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
};
