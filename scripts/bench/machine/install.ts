/** Makes the contestants ready to start: their packages, installed once, and everybody's build. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../../root-folder';
import { benchFolder } from './places';

const run = (command: string, args: readonly string[], folder: string): void => {
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
};

const compile = (project: string): void =>
  run(
    process.execPath,
    [join(rootFolder, 'node_modules/typescript/bin/tsc'), '-p', project],
    rootFolder,
  );

/** Installs the packages of the contestants where the lock file is another than the one last installed. */
export const installPeers = (say: (line: string) => void): void => {
  const lock = readFileSync(join(benchFolder, 'package-lock.json'), 'utf8');
  const mark = join(benchFolder, 'node_modules', '.installed-lock.json');
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== lock) {
    say('Installing the packages of the other contestants (once; SQLite may have to be compiled)');
    run('npm', ['ci', '--no-audit', '--no-fund'], benchFolder);
    writeFileSync(mark, lock);
  }
};

/** Compiles the contestants. */
export const buildPeers = (): void => compile(join(benchFolder, 'servers/tsconfig.json'));

/** Compiles what switches the product's techniques off. */
export const buildAblations = (): void => compile(join(benchFolder, 'ablations/tsconfig.json'));

/** Builds the product as `npm start` does. */
export const buildOurs = (): void => run('npm', ['run', '--silent', 'build'], rootFolder);
