/**
 * `npm run dev` serves, and follows what is saved: documents and handlers without a restart. Where the program itself (`src/`) is
 * changed, or where it ended, it is started again.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { join, sep } from 'node:path';
import { changedFiles, readContents, watchFiles } from '../../src/host/watched-files';
import { rootFolder } from '../root-folder';

const { SPECS_DIRECTORY = 'specs', HANDLERS_DIRECTORY = 'handlers' } = process.env;
const program = [join(rootFolder, 'src'), __dirname];
const places = { folders: [...program, SPECS_DIRECTORY, HANDLERS_DIRECTORY], files: [] };
const contentsNow = () => readContents(places);
const isOfProgram = (file: string): boolean =>
  program.some((folder) => file.startsWith(folder + sep)) && file.endsWith('.ts');

let contents = contentsNow();
let isStopping = false;
let isChanged = false;
let child: ChildProcess | undefined;

const start = (): void => {
  isChanged = false;
  child = fork(join(__dirname, 'serve.ts'), process.argv.slice(2));
  child.once('exit', (code) => {
    child = undefined;
    if (isChanged && !isStopping) start();
    else if (isStopping) process.exitCode = code ?? 1;
    else process.stderr.write('Waiting for a changed file to start again.\n');
  });
};

const watcher = watchFiles(() => {
  const now = contentsNow();
  const changed = changedFiles(contents, now);
  contents = now;
  watcher.watch(places);
  if (changed.length === 0 || isStopping) return;
  if (child === undefined) start();
  else if (changed.some(isOfProgram)) {
    isChanged = true;
    child.kill('SIGTERM');
  }
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    isStopping = true;
    watcher.close();
    // A terminal sends it to both; a second one changes nothing.
    child?.kill(signal);
  });
}

watcher.watch(places);
start();
