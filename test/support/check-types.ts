/** Runs the compiler over a copy of the project, for tests about what it says. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootFolder } from '../../scripts/root-folder';

const compiler = join(rootFolder, 'node_modules/typescript/bin/tsc');

/** The parts that the engine is made of, and the face of the package above it. */
export const engineParts = [
  'base',
  'model',
  'schema',
  'document',
  'http',
  'engine',
  'mock',
  'package',
  'requests',
].map((part) => `src/${part}`);

/**
 * Copies the compiler's settings, for compilers that run beside other tests: several checkers of one compiler look at much of the
 * program once each.
 */
const copySettings = (folder: string): void => {
  const settings = JSON.parse(readFileSync(join(rootFolder, 'tsconfig.json'), 'utf8'));
  const compilerOptions = { ...settings.compilerOptions, singleThreaded: true };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ ...settings, compilerOptions }, undefined, 2),
  );
};

/** Copies the named parts into a folder, with the project's compiler settings and packages. */
export const copyProjectTo = (folder: string, parts: readonly string[]): void => {
  for (const part of [...parts, 'package.json']) {
    cpSync(join(rootFolder, part), join(folder, part), { recursive: true });
  }
  copySettings(folder);
  symlinkSync(join(rootFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
};

/** Copies the named parts into a new folder, as `copyProjectTo` does. */
export const copyProject = (parts: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'project-copy-'));
  copyProjectTo(folder, parts);
  return folder;
};

export const removeCopy = (folder: string): void => rmSync(folder, { recursive: true });

/** The compiler's diagnostics of the files below `included`, one per line. */
export const checkTypes = (folder: string, included: readonly string[]): readonly string[] => {
  const project = join(folder, 'tsconfig.copy.json');
  // A second check of the same copy looks again only at what has changed.
  const compilerOptions = { incremental: true, tsBuildInfoFile: './copy.tsbuildinfo' };
  const settings = { extends: './tsconfig.json', compilerOptions, include: included };
  writeFileSync(project, JSON.stringify(settings));
  const { stdout, error } = spawnSync(
    process.execPath,
    [compiler, '-p', project, '--noEmit', '--pretty', 'false'],
    { cwd: folder, encoding: 'utf8' },
  );
  if (error) throw error;
  return stdout.split('\n').filter((line) => line.trim() !== '');
};
