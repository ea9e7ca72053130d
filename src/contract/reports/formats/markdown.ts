/** Reports in Markdown, for pull requests. */

import { printable } from '../../../base/text/printable';

/** Escapes a text so that it means itself in a table of Markdown, where a bar would end the cell. */
export const escapeMarkdown = (text: string): string =>
  printable(text.replaceAll(/\s+/g, ' ')).replaceAll(/[\\`*_{}[\]<>|#~]/g, '\\$&');

/** Writes rows, of which the first is the head; none where there are no rows. */
export const markdownTable = ([
  head,
  ...rows
]: readonly (readonly string[])[]): readonly string[] =>
  head === undefined
    ? []
    : [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);

/** Writes blocks of lines, with a blank line between them. */
export const markdownReport = (...blocks: readonly (readonly string[])[]): string =>
  blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');
