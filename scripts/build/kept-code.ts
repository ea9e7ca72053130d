/** Has the code that V8 makes of a program kept beside it, for the starts that follow. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port';
import { rootFolder } from '../root-folder';

/**
 * Starts the program once, on a new database, which goes again.
 *
 * @param file - the program
 * @throws Error with what the program says, where it does not start
 */
export const keepCodeOf = async (file: string): Promise<void> => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'first-start-'));
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(__dirname, 'keep-code.ts'), file],
    {
      cwd: rootFolder,
      env: {
        PATH: process.env['PATH'],
        PORT: String(port),
        DATABASE_URL: `sqlite:${join(folder, 'services.sqlite')}`,
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(stderr.trim());
};
