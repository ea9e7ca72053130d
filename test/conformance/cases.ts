/** Cases that are written as text: each has a title and, below it, indented, what belongs to it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A case, its lines without the two blanks before them. */
export type TextCase = [title: string, lines: readonly string[]];

/** The cases of a file in this folder. */
export const casesOf = (file: string): TextCase[] =>
  readFileSync(join(__dirname, file), 'utf8')
    .trimEnd()
    .split(/\n(?=\S)/)
    .map((text) => {
      const [title = '', ...lines] = text.split(/\n {2}/);
      return [title, lines];
    });
