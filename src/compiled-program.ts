/**
 * A program in one file, and beside it what V8 made of that file when it was built (its code cache). Node.js takes 0.3 ms and
 * more to find, read and compile each of the thousand files that the program and its packages consist of.
 */

import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** A program that was read and is not running yet. */
export interface CompiledProgram {
  /** Whether the kept code was taken: it is of this very text, this version of V8 and these settings of it. */
  readonly isKept: boolean;
  run(): void;
  /** Keeps what V8 has compiled of it until now. */
  keep(): void;
}

/** What stands around a CommonJS module (nodejs.org/api/modules.html#the-module-wrapper): to put it there now would take a copy. */
export const programHead = '(function (exports, require, module, __filename, __dirname) {';
export const programEnd = '})';

/** What a CommonJS module is given. */
type Wrapped = (
  exports: object,
  require: NodeJS.Require,
  module: { readonly exports: object },
  filename: string,
  directory: string,
) => void;

/** Where the code of a program is kept. */
export const keptCodePath = (file: string): string => `${file}.code`;

const readIfThere = (path: string): Buffer | undefined =>
  existsSync(path) ? readFileSync(path) : undefined;

/** ASCII is read several times faster than UTF-8. */
const textOf = (octets: Buffer): string => octets.toString(isAscii(octets) ? 'latin1' : 'utf8');

/** V8 looks only at how long the text is. Kept code begins with the digest of the text that it was made of. */
const digestOf = (octets: Buffer): Buffer => createHash('sha256').update(octets).digest();

const codeOf = (digest: Buffer, kept: Buffer | undefined): Buffer | undefined =>
  kept?.subarray(0, digest.length).equals(digest) ? kept.subarray(digest.length) : undefined;

/**
 * Reads a program.
 *
 * @param file - its path; a CommonJS module in UTF-8, between `programHead` and `programEnd`
 * @throws what the file system says; SyntaxError
 */
export const compiledProgram = (file: string): CompiledProgram => {
  const octets = readFileSync(file);
  const digest = digestOf(octets);
  const cachedData = codeOf(digest, readIfThere(keptCodePath(file)));
  const script = new Script(textOf(octets), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  return {
    isKept: script.cachedDataRejected === false,
    run() {
      const module = { exports: {} };
      const start: Wrapped = script.runInThisContext();
      start(module.exports, createRequire(file), module, file, dirname(file));
    },
    keep() {
      writeFileSync(keptCodePath(file), Buffer.concat([digest, script.createCachedData()]));
    },
  };
};
