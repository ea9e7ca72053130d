/** Runs the compiler, and reads what it prints. */

import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { CompilerError } from '../../src/host/build-record';

// `handlers/box/shelf.ts(12,5): error TS2322: …`; lines that are indented explain the one before.
const errorLine = /^(\S.*)\((\d+),(\d+)\): error (.*)$/;
// What belongs to no file: `error TS5058: The specified path does not exist: …`.
const bareLine = /^error (.*)$/;

const errorOf = (line: string): CompilerError[] => {
  const [, file, at, column, said] = errorLine.exec(line) ?? [];
  if (file !== undefined && said !== undefined) {
    return [{ file, line: Number(at), column: Number(column), text: said }];
  }
  const [, bare] = bareLine.exec(line) ?? [];
  return bare === undefined ? [] : [{ file: 'tsconfig.json', line: 1, column: 1, text: bare }];
};

/** A run of the compiler. */
export interface Compilation {
  readonly process: ChildProcess;
  /**
   * The errors of the program; empty where all of it compiles.
   * @throws Error with what it printed where it failed for another reason
   */
  readonly errors: Promise<readonly CompilerError[]>;
}

/**
 * Compiles a project.
 *
 * @param root - the folder that it is run in, and whose packages have the compiler
 */
export const compile = (root: string, args: readonly string[]): Compilation => {
  const compiler = `${root}/node_modules/typescript/bin/tsc`;
  const child = spawn(process.execPath, [compiler, ...args, '--pretty', 'false'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const run = async (): Promise<readonly CompilerError[]> => {
    const [printed, failed, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    const errors = printed.split('\n').flatMap(errorOf);
    if (code === 0 || errors.length > 0) return errors;
    throw new Error(`The compiler failed:\n${printed}${failed}`);
  };
  return { process: child, errors: run() };
};
