/** Inputs in files: a line each, a JSON string with a character for each byte, so that changes can be read. */

import { existsSync, readFileSync } from 'node:fs';

/** Writes the input as a line of a corpus. */
export const corpusLine = (input: Uint8Array): string =>
  JSON.stringify(Buffer.from(input).toString('latin1')).replaceAll(
    /[\u007f-\u00ff]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );

/** Reads the inputs of a file; none where it does not exist. */
export const readCorpus = (file: string): Uint8Array[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Buffer.from(String(JSON.parse(line)), 'latin1'))
    : [];
