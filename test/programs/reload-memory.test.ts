/** Memory after reloads: the previous applications are not kept. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { useNewDatabases } from '../support/new-database';
import { useProgram } from '../support/program';

const program = useProgram();
const newDatabase = useNewDatabases();

test('six reloads leave one application, and the heap as it was', async () => {
  const script = join(rootFolder, 'test', 'support', 'reload-often.js');
  const args = ['--expose-gc', script, program().build, '6'];
  const DATABASE_URL = await newDatabase();
  const env = { ...process.env, PORT: '0', PASSWORD_COST: '10', DATABASE_URL };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: rootFolder, env });
  const { kept, grown } = JSON.parse(stdout);
  // What goes on beside the requests of the latest ones may still be coming to its end.
  expect(kept).toBeLessThanOrEqual(2);
  // One application takes some five megabytes.
  expect(grown).toBeLessThan(15_000_000);
});
