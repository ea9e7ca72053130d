/** The words of comments and messages: sentences that are read once. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../scripts/root-folder';

const sourceFiles = ['src', 'scripts', 'handlers'].flatMap((folder) =>
  readdirSync(join(rootFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => name.endsWith('.ts') && !/(^|\/)(node_modules|build)\/|\/types\.ts$/.test(name),
    )
    .map((name) => join(folder, name)),
);

/** The pages, but for the lists of changes. */
const pages = readdirSync(rootFolder, { recursive: true, encoding: 'utf8' }).filter(
  (name) =>
    name.endsWith('.md') && !/(^|\/)(node_modules|build|dist|coverage)\/|CHANGELOG\.md$/.test(name),
);

/** A sentence about a function begins with a verb, one about a type or a value with a noun. */
const questionWord = /^(What|Whether|How|Which|Who|Whose|Where|Why|When|Whoever|Whatever|That)\b/;

/** Constructions that take a second reading, and persons where things are meant. */
const hardWords =
  /\b(nobody|anybody|somebody|everybody|whoever|whomever|anew|who (has|have)|(is|was|be) told|of before|misfits?)\b/i;

/** The docstrings of a text, each as one line. */
const docstringsOf = (text: string): string[] =>
  [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, inner = '']) =>
    inner.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim(),
  );

/** Comments and sentences in quotation marks, line by line; a single word is data. */
const proseOf = (text: string): string[] =>
  text.split('\n').filter((line) => /\/\/|^\s*\/?\*|['"`]\w[^'"`]* [^'"`]*['"`]/.test(line));

describe('words', () => {
  test('docstrings begin with a verb or a noun', () => {
    const found = sourceFiles.flatMap((file) =>
      docstringsOf(readFileSync(join(rootFolder, file), 'utf8'))
        .filter((docstring) => questionWord.test(docstring))
        .map((docstring) => `${file}: ${docstring.slice(0, 60)}`),
    );
    expect(found).toEqual([]);
  });

  test('comments and messages say things, not persons', () => {
    const found = sourceFiles.flatMap((file) =>
      proseOf(readFileSync(join(rootFolder, file), 'utf8'))
        .filter((line) => hardWords.test(line))
        .map((line) => `${file}: ${line.trim().slice(0, 80)}`),
    );
    expect(found).toEqual([]);
  });

  test('pages do so, too, and none has more than 3,000 words', () => {
    const found = pages.flatMap((page) => {
      const text = readFileSync(join(rootFolder, page), 'utf8');
      const hard = text.split('\n').filter((line) => hardWords.test(line));
      const words = text.split(/\s+/).length;
      return [...hard, ...(words > 3000 ? [`${words} words`] : [])].map(
        (line) => `${page}: ${line}`,
      );
    });
    expect(found).toEqual([]);
  });
});
