/** The file that keeps the items of memories: JSON with all digits, by the name of each document, always whole. */

import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { errorMessage } from '../../base/error-message';
import { parseJsonStrictly } from '../../base/json/json-parser';
import { writeJson, writeString } from '../../base/json/write-json';
import { memoize } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { readLimits } from '../../base/read-limits';
import { attempt } from '../../base/recover';
import { decodeText } from '../../document/source/source-text';

/** Nothing is bounded but the depth: the file is the user's own. */
const limits = {
  keepsDigits: true,
  ...readLimits,
  nodes: Number.POSITIVE_INFINITY,
  names: Number.POSITIVE_INFINITY,
};

const codeOf = (error: unknown): unknown => Reflect.get(Object(error), 'code');

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
};

/** Milliseconds of a write that answers wait for; after a longer one they do not, and the next one is so many times as far away. */
const shortWrite = 50;
const pauseFactor = 10;

/** A file, shared by all documents that keep their items in it, and by no other process: a lock file beside it names this one. */
export class StateFile {
  readonly path: string;
  readonly #writers = new Map<string, () => string>();
  readonly #owner = `${process.pid} ${randomUUID()}`;
  #isLocked = false;
  #isChanged = false;
  #next: Promise<void> | undefined;
  #ended = 0;
  #took = 0;

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
      const value = parseJsonStrictly(decodeText(this.path, readFileSync(this.path)), limits);
      if (isPlainObject(value)) return value;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return {};
      throw this.refusal(errorMessage(error));
    }
    throw this.refusal('it is no JSON object');
  }

  /**
   * Reads what is kept for a document; undefined where nothing is. Other documents' items stay in the file as they are.
   * @throws Error where the file cannot be read
   */
  open(name: string): unknown {
    if (!this.#isLocked) this.#lock();
    if (this.#isChanged) this.#write();
    const content = this.#read();
    for (const [other, value] of Object.entries(content)) {
      if (!this.#writers.has(other)) this.#writers.set(other, () => writeJson(value));
    }
    return content[name];
  }

  /** Writes the file soon, changes that come together at once; resolves when it is there, or at once where that takes long. */
  async save(name: string, write: () => string): Promise<void> {
    this.#writers.set(name, write);
    this.#isChanged = true;
    const isShort = this.#took < shortWrite;
    const pause = isShort ? 0 : this.#ended + pauseFactor * this.#took - performance.now();
    this.#next ??= setTimeout(Math.max(pause, 0), undefined, { ref: false }).then(() =>
      this.#write(),
    );
    if (isShort) await this.#next;
    // Where it fails, the next change tries again and tells, or the end of the process.
    else this.#next.catch(() => undefined);
  }

  #write(): void {
    this.#next = undefined;
    // Answers wait again where it fails.
    this.#took = 0;
    if (this.#ownerNow() !== this.#owner) throw this.refusal('another process has taken it');
    const start = performance.now();
    const sections = [...this.#writers].map(([name, write]) => `${writeString(name)}:${write()}`);
    const temporary = `${this.path}.${randomUUID()}.tmp`;
    try {
      writeFileSync(temporary, `{${sections.join(',\n')}}\n`, { flag: 'wx' });
      renameSync(temporary, this.path);
    } finally {
      rmSync(temporary, { force: true });
    }
    this.#isChanged = false;
    this.#ended = performance.now();
    this.#took = this.#ended - start;
  }

  get #lockFile(): string {
    return `${this.path}.lock`;
  }

  #ownerNow(): string | undefined {
    return attempt(() => readFileSync(this.#lockFile, 'utf8'));
  }

  /** Keeps other processes off the file until this one ends, which writes what is not written yet. */
  #lock(): void {
    const owner = this.#ownerNow();
    const holder = Number.parseInt(owner ?? '', 10);
    if (holder > 0 && holder !== process.pid && isRunning(holder)) {
      throw this.refusal(`the process ${holder} keeps its items there, as ${this.#lockFile} says`);
    }
    try {
      // One that has been killed has left it.
      if (owner !== undefined) rmSync(this.#lockFile);
      writeFileSync(this.#lockFile, this.#owner, { flag: 'wx' });
    } catch (error) {
      throw this.refusal(errorMessage(error));
    }
    this.#isLocked = true;
    process.once('exit', () => {
      try {
        if (this.#isChanged) this.#write();
      } catch (error) {
        console.error(errorMessage(error));
      }
      if (this.#ownerNow() === this.#owner) rmSync(this.#lockFile);
    });
  }
}

const opened = memoize((path: string) => new StateFile(path), { max: 100 });

/** Returns the file at a path, the same for all documents of the process. */
export const stateFile = (path: string): StateFile => opened(resolve(path));
