/** Generates types again and has the compiler look at the handlers, in processes of their own: serving goes on meanwhile. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { rootFolder } from '../root-folder';

/** Lines beyond these say nothing new. */
const most = 20;

// What the compiler prints: `handlers/box/shelf.ts(12,5): error TS2322: …`.
const compilerLine = /^(\S.*)\((\d+),(\d+)\): error (.*)$/;

/** Checks handlers one time after the other. */
export interface HandlerCheck {
  /** Begins a check; one that is under way is given up. */
  start(): void;
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
  const packages = join(rootFolder, 'node_modules');
  const generator = join(rootFolder, 'scripts', 'generate', 'run.ts');
  const generate = [join(packages, 'tsx/dist/cli.mjs'), generator, '--update'];
  const compile = [join(packages, 'typescript/bin/tsc'), '-p', settings, '--pretty', 'false'];
  let running: ChildProcess | undefined;
  let latest = 0;
  let hadErrors = false;

  /** What a program prints; undefined where it was ended, or another check has begun. */
  const run = async (number: number, args: readonly string[]): Promise<string | undefined> => {
    if (number !== latest) return undefined;
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    running = child;
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return number === latest ? out + err : undefined;
  };

  const report = (compiled: string): void => {
    const errors = compiled.split('\n').filter((line) => /^\S/.test(line));
    for (const line of errors.slice(0, most))
      print(line.replace(compilerLine, '$1:$2:$3 error $4'));
    if (errors.length > most) print(`and ${errors.length - most} more; npm run types shows all`);
    if (errors.length === 0 && hadErrors) print('The handlers fit their documents again');
    hadErrors = errors.length > 0;
  };

  const check = async (number: number): Promise<void> => {
    // All may be mocked.
    if (!existsSync(handlers)) return;
    const generated = await run(number, generate);
    const written = generated?.split('\n').filter((line) => line !== '') ?? [];
    written.forEach(print);
    const compiled = await run(number, compile);
    if (compiled !== undefined) report(compiled);
  };

  return {
    start() {
      running?.kill();
      latest += 1;
      check(latest).catch((error: unknown) => print(String(error)));
    },
    close() {
      latest += 1;
      running?.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
