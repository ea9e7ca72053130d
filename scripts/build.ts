/** `npm run build`: compiles the program into `dist`, puts it into one file, and keeps what V8 makes of that. */

// V8 takes kept code only under the settings under which it was kept.
import '../src/runtime-settings';

import { join } from 'node:path';
import { compiledProgram } from '../src/compiled-program';
import { bundle, programFile } from './build/bundle';
import { compile } from './build/compile';
import { keepCodeOf } from './build/kept-code';
import { rootFolder } from './root-folder';

/** Only the start suffers from it: there may be nothing to serve yet where the program is built. */
const warn = (error: unknown): void => {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The program will start more slowly than it could: ${reason}\n`);
};

const build = async (): Promise<void> => {
  const folder = join(rootFolder, 'dist');
  await compile(folder);
  await bundle(folder);
  const file = programFile(folder);
  if (!compiledProgram(file).isKept) await keepCodeOf(file).catch(warn);
};

build().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
