/**
 * Compares what a build was made of with what there is: as a program, ends with 0 where `dist` is up to date. It is compiled
 * into `dist`, since it runs before each start.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBuildRecord } from '../../src/host/build-record';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the build. */
export const buildFolder = 'dist';

const inputs = (environment: Environment): readonly string[] => [
  'src',
  'handlers',
  'scripts/compile',
  'scripts/generate',
  ...[environment['SPECS_DIRECTORY'] ?? 'specs', environment['HANDLERS_DIRECTORY'] ?? 'handlers'],
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'node_modules/.package-lock.json',
];

const filesIn = (path: string): string[] => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return [path];
  if (!found?.isDirectory()) return [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
};

/**
 * Hashes all that a build depends on: sources, documents, settings, packages.
 *
 * @param elsewhere - files beside those of the project
 */
export const hashInputs = (
  root: string,
  environment: Environment,
  elsewhere: readonly string[] = [],
): string => {
  const hash = createHash('sha256').update(process.version);
  for (const input of new Set([...inputs(environment), ...elsewhere])) {
    for (const file of filesIn(resolve(root, input))) {
      const content = createHash('sha256').update(readFileSync(file)).digest('hex');
      hash.update(JSON.stringify([file, content]));
    }
  }
  return hash.digest('hex');
};

/** Tells whether the build was made of what there is now. */
export const isFresh = (root: string, environment: Environment): boolean => {
  const folder = join(root, buildFolder);
  const record = readBuildRecord(folder);
  return (
    record !== undefined &&
    existsSync(join(folder, 'src', 'main.js')) &&
    record.inputs === hashInputs(root, environment, record.elsewhere)
  );
};

// npm runs its scripts in the package's root.
if (require.main === module) process.exitCode = isFresh(process.cwd(), process.env) ? 0 : 1;
