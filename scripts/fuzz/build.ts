/** Compiles the targets twice: as they are, and with counters in the branches of the engine and of the HTTP server. */

import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createInstrumenter } from 'istanbul-lib-instrument';
import { rootFolder } from '../root-folder';

const run = promisify(execFile);

/** The folders of the two programs. */
export interface FuzzBuild {
  readonly plain: string;
  readonly counted: string;
}

const countedFolders = ['src/engine', 'src/server/http'];

const compile = async (): Promise<void> => {
  const compiler = join(rootFolder, 'node_modules/typescript/bin/tsc');
  try {
    await run(process.execPath, [compiler, '-p', join(rootFolder, 'scripts/fuzz/tsconfig.json')]);
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`The targets cannot be compiled:\n${said}`, { cause: error });
  }
};

const addCounters = async (folder: string): Promise<void> => {
  const instrumenter = createInstrumenter({ esModules: false, produceSourceMap: false });
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const file = join(folder, name);
    await writeFile(file, instrumenter.instrumentSync(await readFile(file, 'utf8'), file));
  }
};

/** @throws Error with what the compiler says */
export const buildTargets = async (): Promise<FuzzBuild> => {
  const folder = join(rootFolder, 'scripts/fuzz/build');
  const build = { plain: join(folder, 'plain'), counted: join(folder, 'counted') };
  await rm(folder, { recursive: true, force: true });
  await compile();
  await cp(build.plain, build.counted, { recursive: true });
  for (const counted of countedFolders) await addCounters(join(build.counted, counted));
  return build;
};
