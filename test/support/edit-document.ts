/** Edits a document at places in it, as an author would in its text. */

import { parseDocument } from 'yaml';

/** A change of one place of a document. */
export interface DocumentEdit {
  readonly at: readonly (string | number)[];
  /** Undefined where the place is removed. */
  readonly to?: unknown;
}

/** The text of the document with all of the edits. */
export const editDocument = (text: string, edits: readonly DocumentEdit[]): string => {
  const document = parseDocument(text);
  for (const { at, to } of edits) {
    if (to === undefined) document.deleteIn(at);
    else document.setIn(at, document.createNode(to));
  }
  return String(document);
};

/** The text of the document with another name for a component schema; what refers to it follows. */
export const renameSchema = (text: string, from: string, to: string): string =>
  text
    .replaceAll(new RegExp(`/schemas/${from}\\b`, 'g'), `/schemas/${to}`)
    .replace(`\n    ${from}:\n`, `\n    ${to}:\n`);

/** The steps of a JSON Pointer. */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
