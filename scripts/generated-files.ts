/** Which generated files a checkout should have, and which of those it has are stale. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseApiDocument } from '../src/openapi/document';
import { GENERATED_MARK, printTypes } from './print-types';

const GENERATED = join('src', 'generated');

/** What specs/*.yaml give now: file name to text, in alphabetical order. */
export const generatedFiles = (root: string): ReadonlyMap<string, string> => {
  const specs = join(root, 'specs');
  const names = readdirSync(specs)
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  return new Map(
    names.map((file) => {
      const text = readFileSync(join(specs, file), 'utf8');
      const name = basename(file, '.yaml');
      return [`${name}.ts`, printTypes(parseApiDocument(`specs/${file}`, text))];
    }),
  );
};

/** The generated files that are missing, differ, or have lost their document. */
export const staleFiles = (root: string): readonly string[] => {
  const wanted = generatedFiles(root);
  const present = presentFiles(root);
  return [...new Set([...wanted.keys(), ...present.keys()])]
    .filter((file) => wanted.get(file) !== present.get(file))
    .sort()
    .map((file) => `src/generated/${file}`);
};

/** Writes what is stale and removes what has lost its document; answers the names of the files it touched. */
export const writeGenerated = (root: string): readonly string[] => {
  const wanted = generatedFiles(root);
  const stale = staleFiles(root);
  mkdirSync(join(root, GENERATED), { recursive: true });
  for (const file of stale) {
    const text = wanted.get(basename(file));
    if (text === undefined) rmSync(join(root, file));
    else writeFileSync(join(root, file), text);
  }
  return stale;
};

/** Files that this generator once wrote; others are none of its business. */
const presentFiles = (root: string): ReadonlyMap<string, string> => {
  const folder = join(root, GENERATED);
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.ts'))
    : [];
  return new Map(
    names
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
      .filter(([, text]) => text.startsWith(GENERATED_MARK)),
  );
};
