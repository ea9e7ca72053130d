/** Foreign texts in Markdown (CommonMark 0.31): each stays where it is put, and begins and ends nothing around it. */

import { printable } from './printable';

/** Writes a text in one line, as it is; not at the beginning of a line, where it could be a heading. */
export const markdownLine = (text: string): string =>
  printable(text.trim().replaceAll(/\s+/g, ' '));

/** Escapes a text so that it means itself, also in a table, where a bar would end the cell. */
export const escapeMarkdown = (text: string): string =>
  printable(text.replaceAll(/\s+/g, ' ')).replaceAll(/[\\`*_{}[\]<>|#~]/g, '\\$&');

/** Returns more backquotes than the text has in a row (sections 4.5 and 6.1). */
const fenceAround = (text: string, least: number): string =>
  '`'.repeat(
    [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length + 1), least),
  );

/** Writes a text as code, in one line. */
export const markdownCode = (text: string): string => {
  const line = markdownLine(text);
  const fence = fenceAround(line, 1);
  const space = line === '' || /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
};

const linesOf = (text: string): readonly string[] => text.split(/\r\n?|\n/).map(printable);

/** Writes lines of code. */
export const markdownCodeBlock = (text: string, language: string): string => {
  const fence = fenceAround(text, 3);
  return [fence + language, ...linesOf(text), fence].join('\n');
};

/** Writes Markdown of others as a quotation, which ends whatever it leaves open: lists, code and comments (section 5.1). */
export const markdownQuote = (text: string): string =>
  linesOf(text.trim())
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
