/** Editing a contract stops the compiler in the handler concerned. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { foldersOf, writeGenerated } from '../scripts/generate/generated-files';
import { checkTypes, copyProject, removeCopy } from './support/check-types';

const pet = ['paths', '/pet/{petId}', 'get'];

/** A change of one place of a document, and what the compiler must then name in which handler file. */
const edits: readonly {
  readonly title: string;
  readonly spec: 'petstore' | 'ads';
  readonly at: readonly (string | number)[];
  /** Undefined where the place is removed. */
  readonly to?: unknown;
  readonly file: string;
  readonly names: string;
}[] = [
  {
    title: 'adding an operation to a tag',
    spec: 'petstore',
    at: ['paths', '/pet/{petId}/vaccination'],
    to: { post: { tags: ['pet'], operationId: 'vaccinatePet', responses: { 200: {} } } },
    file: 'handlers/petstore/pet.ts',
    names: 'vaccinatePet',
  },
  {
    title: 'removing a schema field that a handler reads',
    spec: 'petstore',
    at: ['components', 'schemas', 'User', 'properties', 'password'],
    file: 'handlers/petstore/user.ts',
    names: 'password',
  },
  {
    title: 'dropping a status that a handler fails with',
    spec: 'petstore',
    at: [...pet, 'responses', '404'],
    file: 'handlers/petstore/pet.ts',
    names: "'404'",
  },
  {
    title: 'retyping a parameter',
    spec: 'petstore',
    at: [...pet, 'parameters', 0, 'schema'],
    to: { type: 'string' },
    file: 'handlers/petstore/pet.ts',
    names: 'petId',
  },
  {
    title: 'changing the schema of a reply',
    spec: 'petstore',
    at: ['components', 'schemas', 'Inventory'],
    to: { type: 'array', items: { type: 'integer' } },
    file: 'handlers/petstore/store.ts',
    names: 'getInventory',
  },
  {
    title: 'renaming an operationId',
    spec: 'petstore',
    at: ['paths', '/user/{username}', 'get', 'operationId'],
    to: 'findUser',
    file: 'handlers/petstore/user.ts',
    names: 'getUserByName',
  },
  {
    title: 'adding an operation to the ads',
    spec: 'ads',
    at: ['paths', '/ad', 'get'],
    to: { tags: ['ad'], operationId: 'listAds', responses: { 200: {} } },
    file: 'handlers/ads/ad.ts',
    names: 'listAds',
  },
];

const parts = ['src', 'handlers'];
let folder = '';

beforeAll(() => {
  folder = copyProject(['specs', ...parts]);
});
afterAll(() => removeCopy(folder));

const editDocument = (spec: string): void => {
  const file = join(folder, `specs/${spec}.yaml`);
  const document = parseDocument(readFileSync(file, 'utf8'));
  for (const { at, to } of edits.filter((edit) => edit.spec === spec)) {
    if (to === undefined) document.deleteIn(at);
    else document.setIn(at, document.createNode(to));
  }
  writeFileSync(file, String(document));
};

/** What the compiler says of one file: each diagnostic with the line that it points at. */
const toldOf = (file: string, diagnostics: readonly string[]): readonly string[] => {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  return diagnostics
    .filter((diagnostic) => diagnostic.startsWith(`${file}(`))
    .map((diagnostic) => {
      const [, line] = /\((\d+),\d+\)/.exec(diagnostic) ?? [];
      return `${diagnostic}\n${lines[Number(line) - 1]}`;
    });
};

test('without an edit the compiler is content, and it tells each edit in its handler', async () => {
  expect(await writeGenerated(foldersOf(folder))).toEqual([]);
  expect(checkTypes(folder, parts)).toEqual([]);
  for (const spec of ['petstore', 'ads']) editDocument(spec);
  await writeGenerated(foldersOf(folder));
  const diagnostics = checkTypes(folder, parts);
  const untold = edits.filter(
    ({ file, names }) => !toldOf(file, diagnostics).some((text) => text.includes(names)),
  );
  expect(untold.map(({ title }) => title)).toEqual([]);
});
