/** Inputs in files: a line each, a JSON string with a character for each byte, so that changes can be read. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const lineOf = (input: Uint8Array): string =>
  JSON.stringify(Buffer.from(input).toString('latin1')).replaceAll(
    /[\u007f-\u00ff]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );

/** The inputs of a file; none where it does not exist. */
export const readCorpus = (file: string): Uint8Array[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Buffer.from(String(JSON.parse(line)), 'latin1'))
    : [];

/** Writes the inputs sorted, each once. */
export const writeCorpus = (file: string, inputs: readonly Uint8Array[]): void => {
  const lines = [...new Set(inputs.map(lineOf))].sort();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
};
