/** The file that keeps the items of memories: JSON with all digits, by the name of each document, always whole. */

import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorMessage } from '../../base/error-message';
import { inTurn } from '../../base/in-turn';
import { parseJsonStrictly } from '../../base/json/json-parser';
import { writeJson, writeString } from '../../base/json/write-json';
import { memoize } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { readLimits } from '../../base/read-limits';

/** Nothing is bounded but the depth: the file is the user's own. */
const limits = {
  ...readLimits,
  nodes: Number.POSITIVE_INFINITY,
  names: Number.POSITIVE_INFINITY,
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** A file, shared by all documents that keep their items in it. */
export class StateFile {
  readonly path: string;
  readonly #writers = new Map<string, () => string>();
  readonly #inTurn = inTurn();
  #next: Promise<void> | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Makes the error of a file that is not used, and not overwritten either. */
  refusal(reason: string): Error {
    return new Error(
      `The state file ${this.path} cannot be used: ${reason}. Correct it, remove it, or name another one.`,
    );
  }

  #read(): PlainObject {
    try {
      const value = parseJsonStrictly(readFileSync(this.path, 'utf8'), limits);
      if (isPlainObject(value)) return value;
    } catch (error) {
      if (isMissing(error)) return {};
      throw this.refusal(errorMessage(error));
    }
    throw this.refusal('it is no JSON object');
  }

  /**
   * Reads what is kept for a document; undefined where nothing is. Other documents' items stay in the file as they are.
   * @throws Error where the file cannot be read
   */
  open(name: string): unknown {
    const content = this.#read();
    for (const [other, value] of Object.entries(content)) {
      if (!this.#writers.has(other)) this.#writers.set(other, () => writeJson(value));
    }
    return content[name];
  }

  /** Writes the file soon, changes that come together at once; resolves when it is there. */
  save(name: string, write: () => string): Promise<void> {
    this.#writers.set(name, write);
    // Those who wait get the error of a write that fails; the next one is tried all the same.
    this.#next ??= this.#inTurn(() => this.#write());
    return this.#next;
  }

  async #write(): Promise<void> {
    this.#next = undefined;
    const sections = [...this.#writers].map(([name, write]) => `${writeString(name)}:${write()}`);
    const temporary = `${this.path}.${process.pid}.tmp`;
    await writeFile(temporary, `{${sections.join(',\n')}}\n`);
    await rename(temporary, this.path);
  }
}

const opened = memoize((path: string) => new StateFile(path), { max: 100 });

/** Returns the file at a path, the same for all documents of the process. */
export const stateFile = (path: string): StateFile => opened(resolve(path));
