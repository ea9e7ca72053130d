/** Gives every operation of the documents a handler, and says what it wrote. */

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ApiDocument, describeDiagnostic, nearestName } from '../../../src/engine';
import { type Folders, generatedFiles, typesFile } from '../../generate/generated-files';
import { stubFiles } from './stub-files';
import { writeTogether } from './write-together';

const requireKnown = (names: readonly string[], known: readonly string[]): void => {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = nearestName(unknown, known);
  const advice = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new Error(`There is no document called ${unknown}.${advice}`);
};

/** Of documents with one name the first is served. */
const firstOfEach = (documents: readonly ApiDocument[]): readonly ApiDocument[] =>
  [...new Map(documents.toReversed().map((one) => [one.name, one])).values()].reverse();

/**
 * Writes what is missing, all or nothing.
 * @param names the services; all, where none is named
 * @returns a line for each file, empty where every operation has a handler
 * @throws Error in one sentence: a document or module cannot be read, or a file cannot be written
 */
export const addStubs = async (
  folders: Folders,
  names: readonly string[],
): Promise<readonly string[]> => {
  const { documents, files: types, errors } = await generatedFiles(folders);
  const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);
  const [broken] = [...errors].flatMap(([name, found]) => (isWanted(name) ? found : []));
  if (broken !== undefined) throw new Error(describeDiagnostic(broken));
  requireKnown(
    names,
    documents.map(({ name }) => name),
  );
  const files = new Map<string, string>();
  const lines: string[] = [];
  const add = (file: string, text: string, said: string): void => {
    files.set(file, text);
    lines.push(said);
  };
  for (const document of firstOfEach(documents.filter(({ name }) => isWanted(name)))) {
    const stubs = await stubFiles(document, folders);
    if (stubs.length === 0) continue;
    const typed = typesFile(folders, document.name);
    const text = types.get(typed) ?? '';
    const present = resolve(folders.root, typed);
    // The handlers compile with the types of today's document alone.
    if (!existsSync(present) || readFileSync(present, 'utf8') !== text) {
      add(present, text, `${typed}: generated`);
    }
    for (const stub of stubs) add(stub.file, stub.text, stub.said);
  }
  writeTogether(files);
  return lines;
};
