/** Generates types again and has the compiler look at the handlers, in a process of its own: serving goes on meanwhile. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import type { CompilerError } from '../../src/host/build-record';
import { compilerReport } from '../../src/server/announcement';
import type { ServingApp } from '../../src/server/app';
import { type Compilation, compile } from '../compile/compiler';
import { foldersOf, writeGenerated } from '../generate/generated-files';
import { rootFolder } from '../root-folder';

/** The parts of an application that the report of a check needs. */
type CheckedApp = Pick<ServingApp, 'documents' | 'handlerFindings'>;

/** Checks handlers one time after the other. */
interface HandlerCheck {
  /** Begins a check of the handlers of an application; one that is under way is given up. */
  start(app: CheckedApp): void;
  /** Ends what is under way. */
  close(): void;
}

/** Settings of the compiler for the handlers alone. Each check looks again only at what has changed since the one before. */
const writeSettings = (folder: string, handlers: string): string => {
  const file = join(folder, 'tsconfig.json');
  const compilerOptions = {
    rootDir: parse(rootFolder).root,
    typeRoots: [join(rootFolder, 'node_modules', '@types')],
    incremental: true,
    tsBuildInfoFile: join(folder, 'handlers.tsbuildinfo'),
  };
  const include = [resolve(handlers)];
  const settings = { extends: join(rootFolder, 'tsconfig.json'), compilerOptions, include };
  writeFileSync(file, JSON.stringify(settings));
  return file;
};

/**
 * Makes the check.
 *
 * @param handlers - the folder of all handlers
 * @param print - given what there is to say, a line at a time
 */
export const handlerCheck = (handlers: string, print: (line: string) => void): HandlerCheck => {
  const folder = mkdtempSync(join(tmpdir(), 'handler-check-'));
  const settings = writeSettings(folder, handlers);
  // npm runs its scripts in the package's root.
  const root = process.cwd();
  const folders = foldersOf(root, process.env);
  let running: Compilation | undefined;
  let latest = 0;
  let hadErrors = false;

  const report = (errors: readonly CompilerError[], app: CheckedApp): void => {
    compilerReport(errors, app).forEach(print);
    if (errors.length === 0 && hadErrors) print('The handlers fit their documents again');
    hadErrors = errors.length > 0;
  };

  const check = async (number: number, app: CheckedApp): Promise<void> => {
    // All may be mocked.
    if (!existsSync(handlers)) return;
    for (const file of await writeGenerated(folders, undefined, true)) print(`${file} written`);
    if (number !== latest) return;
    running = compile(root, ['-p', settings]);
    const errors = await running.errors;
    if (number === latest) report(errors, app);
  };

  return {
    start(app) {
      running?.process.kill();
      latest += 1;
      const number = latest;
      check(number, app).catch((error: unknown) => {
        // One that was given up was ended.
        if (number === latest) print(String(error));
      });
    },
    close() {
      latest += 1;
      running?.process.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
