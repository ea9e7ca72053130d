/** Loads documents as the server would, and lists what is wrong with each, their examples included. */

import {
  type ApiDocument,
  type Diagnostic,
  documentObjects,
  exampleErrors,
  loadApiDocument,
  schemaContext,
  UnreadableDocument,
} from '../../src/engine';
import type { Report } from './report';

/** How files are checked. */
export interface CheckSettings {
  readonly allowRemote: boolean;
}

/** Examples are looked at here alone: it takes a validator of every schema that has one. */
const exampleFindings = (document: ApiDocument): Diagnostic[] => {
  const { definition, references } = document;
  const tools = schemaContext(document);
  return exampleErrors(documentObjects(definition), references, tools).map((problem) =>
    document.locate({ severity: 'warning', rule: 'example', ...problem }),
  );
};

/** As a reader goes through the files: the document first, each from its top to its end. */
const inOrder = (file: string, problems: readonly Diagnostic[]): readonly Diagnostic[] =>
  problems.toSorted(
    (one, other) =>
      Number(one.file !== file) - Number(other.file !== file) ||
      one.file.localeCompare(other.file) ||
      one.line - other.line ||
      one.column - other.column,
  );

const checkFile = async (file: string, settings: CheckSettings): Promise<readonly Diagnostic[]> => {
  try {
    const document = await loadApiDocument(file, settings);
    return inOrder(file, [...document.diagnostics, ...exampleFindings(document)]);
  } catch (error) {
    if (error instanceof UnreadableDocument) return [error.diagnostic];
    throw error;
  }
};

/** Checks the files one after the other. */
export const checkFiles = async (
  files: readonly string[],
  settings: CheckSettings,
): Promise<Report> => {
  const problems: Diagnostic[] = [];
  for (const file of files) problems.push(...(await checkFile(file, settings)));
  return { files, problems };
};
