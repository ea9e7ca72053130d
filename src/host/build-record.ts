/** The record of a build, beside the compiled folders: its inputs, and the errors of the compiler. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An error of the compiler; lines and columns are counted from 1. */
export interface CompilerError {
  /** As it is called from the project's folder. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `TS2741: Property 'name' is missing in …`. */
  readonly text: string;
}

/** The state of a build, kept beside the compiled folders. */
export interface BuildRecord {
  readonly inputs: string;
  readonly elsewhere: readonly string[];
  readonly errors: readonly CompilerError[];
}

/** The name of the record in the folder of a build. */
export const recordName = 'build.json';

/** Reads the record of a build; undefined where the folder has none. */
export const readBuildRecord = (folder: string): BuildRecord | undefined => {
  const file = join(folder, recordName);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};
