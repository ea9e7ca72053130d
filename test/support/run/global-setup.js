/** Runs once, before all tests: makes the folder for what test files share; see once-per-run.ts. */

const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Its name is passed to jest's worker processes by the environment. */
module.exports = () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-run-'));
  process.env.TEST_RUN_FOLDER = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
};
