/** Builds the program beside the one that is there, and puts it in its place when it is whole. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type BuildRecord,
  type CompilerError,
  readBuildRecord,
  recordName,
} from '../../src/host/build-record';
import { rootFolder } from '../root-folder';
import { compile } from './compiler';
import { buildFolder, hashInputs } from './is-fresh';

/** The file in which the compiler keeps what it has seen, so that it looks again only at what has changed. */
const compilerState = 'tsconfig.tsbuildinfo';

/** Compiles `src` and `handlers` into folders of their names, also where types do not fit; gives what does not. */
const compileProgram = (root: string, folder: string): Promise<readonly CompilerError[]> =>
  compile(root, [
    '-p',
    join(root, 'tsconfig.build.json'),
    '--outDir',
    folder,
    '--incremental',
    '--tsBuildInfoFile',
    join(folder, compilerState),
    '--noEmitOnError',
    'false',
  ]).errors;

/**
 * Compiles `src` and `handlers` of a checkout into a folder that no other build changes, for running them there.
 *
 * @throws Error with what the compiler says
 */
export const buildProgram = async (folder: string, root = rootFolder): Promise<void> => {
  const errors = await compileProgram(root, folder);
  const lines = errors.map(({ file, line, text }) => `${file}:${line} ${text}`);
  if (lines.length > 0) throw new Error(`The program cannot be compiled:\n${lines.join('\n')}`);
  for (const name of ['node_modules', 'package.json']) {
    symlinkSync(join(root, name), join(folder, name));
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Puts back or removes what builds left that were killed. */
const clearLeftovers = (root: string): void => {
  const pattern = new RegExp(`^${buildFolder}\\.(?:next|old)\\.(\\d+)$`);
  const left = readdirSync(root).filter((name) => {
    const [, pid] = pattern.exec(name) ?? [];
    return pid !== undefined && !isRunning(Number(pid));
  });
  for (const name of left) {
    const isLast = name.includes('.old.') && !existsSync(join(root, buildFolder));
    if (isLast) renameSync(join(root, name), join(root, buildFolder));
    else rmSync(join(root, name), { recursive: true });
  }
};

/** Removes compiled modules whose sources are gone. */
const removeOrphans = (root: string, folder: string, part: string): void => {
  for (const entry of readdirSync(join(folder, part), { withFileTypes: true })) {
    const path = join(part, entry.name);
    const source = entry.isDirectory() ? path : path.replace(/\.js(\.map)?$/, '.ts');
    if (!existsSync(join(root, source))) rmSync(join(folder, path), { recursive: true });
    else if (entry.isDirectory()) removeOrphans(root, folder, path);
  }
};

const replaceBuild = (root: string, next: string): void => {
  const current = join(root, buildFolder);
  const old = join(root, `${buildFolder}.old.${process.pid}`);
  if (existsSync(current)) renameSync(current, old);
  renameSync(next, current);
  rmSync(old, { recursive: true, force: true });
};

/** The settings of a build. */
export interface BuildOptions {
  /** The folder of the project. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Files outside of the project's folders that its documents refer to. */
  readonly elsewhere: readonly string[];
  /** True to keep the previous build where the program does not compile. */
  readonly isStrict: boolean;
}

/**
 * Makes the build; the one that is there stays whole until the new one takes its place, and stays where that does not compile
 * and has to. Gives what does not compile.
 */
export const build = async ({
  root,
  environment,
  elsewhere,
  isStrict,
}: BuildOptions): Promise<readonly CompilerError[]> => {
  clearLeftovers(root);
  const next = resolve(root, `${buildFolder}.next.${process.pid}`);
  try {
    // Before anything is read: what changes meanwhile is built the next time.
    const inputs = hashInputs(root, environment, elsewhere);
    const current = join(root, buildFolder);
    // One without a record was made in another way, and may lack what the compiler believes to be there.
    if (readBuildRecord(current) === undefined) mkdirSync(next);
    else cpSync(current, next, { recursive: true, preserveTimestamps: true });
    const errors = await compileProgram(root, next);
    if (isStrict && errors.length > 0) return errors;
    for (const part of ['src', 'handlers']) {
      if (existsSync(join(next, part))) removeOrphans(root, next, part);
    }
    const record: BuildRecord = { inputs, elsewhere, errors };
    writeFileSync(join(next, recordName), JSON.stringify(record));
    replaceBuild(root, next);
    return errors;
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
};
