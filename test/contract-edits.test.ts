import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Document, parseDocument } from 'yaml';
import { foldersOf, writeGenerated } from '../scripts/generate/generated-files';
import { checkTypes, copyProject, removeCopy } from './support/check-types';

interface Edit {
  readonly title: string;
  readonly spec: 'petstore' | 'ads';
  readonly edit: (document: Document) => void;
  /** The handler file that must stop compiling. */
  readonly file: string;
  /** What the compiler must name there. */
  readonly names: string;
}

const PET = ['paths', '/pet/{petId}'];
const USER = ['paths', '/user/{username}'];
const INVENTORY = ['paths', '/store/inventory', 'get'];
const SCHEMAS = ['components', 'schemas'];

const edits: readonly Edit[] = [
  {
    title: 'adding an operation to a tag',
    spec: 'petstore',
    edit: (document) =>
      document.setIn(
        ['paths', '/pet/{petId}/vaccination'],
        document.createNode({
          post: {
            tags: ['pet'],
            operationId: 'vaccinatePet',
            responses: { '200': { description: 'The pet is vaccinated' } },
          },
        }),
      ),
    file: 'handlers/petstore/pet.ts',
    names: 'vaccinatePet',
  },
  {
    title: 'removing a schema field that a handler reads',
    spec: 'petstore',
    edit: (document) => document.deleteIn([...SCHEMAS, 'User', 'properties', 'password']),
    file: 'handlers/petstore/user.ts',
    names: 'password',
  },
  {
    title: 'dropping a status that a handler fails with',
    spec: 'petstore',
    edit: (document) => document.deleteIn([...PET, 'get', 'responses', '404']),
    file: 'handlers/petstore/pet.ts',
    names: "'404'",
  },
  {
    title: 'retyping a parameter',
    spec: 'petstore',
    edit: (document) =>
      document.setIn(
        [...PET, 'get', 'parameters', 0, 'schema'],
        document.createNode({ type: 'string' }),
      ),
    file: 'handlers/petstore/pet.ts',
    names: 'petId',
  },
  {
    title: 'changing the schema of a reply',
    spec: 'petstore',
    edit: (document) =>
      document.setIn(
        [...INVENTORY, 'responses', '200', 'content', 'application/json', 'schema'],
        document.createNode({ type: 'array', items: { type: 'integer' } }),
      ),
    file: 'handlers/petstore/store.ts',
    names: 'getInventory',
  },
  {
    title: 'renaming an operationId',
    spec: 'petstore',
    edit: (document) => document.setIn([...USER, 'get', 'operationId'], 'findUser'),
    file: 'handlers/petstore/user.ts',
    names: 'getUserByName',
  },
  {
    title: 'adding an operation to the ads',
    spec: 'ads',
    edit: (document) =>
      document.setIn(
        ['paths', '/ad', 'get'],
        document.createNode({
          tags: ['ad'],
          operationId: 'listAds',
          responses: { '200': { description: 'The ads' } },
        }),
      ),
    file: 'handlers/ads/ad.ts',
    names: 'listAds',
  },
];

describe('editing a contract stops the compiler in the handler concerned', () => {
  let folder = '';

  /** Changes a document of the copy for as long as `act` runs. */
  const whileEdited = async <Result>(
    { spec, edit }: Edit,
    act: () => Promise<Result>,
  ): Promise<Result> => {
    const file = join(folder, `specs/${spec}.yaml`);
    const text = readFileSync(file, 'utf8');
    const document = parseDocument(text);
    edit(document);
    writeFileSync(file, String(document));
    try {
      return await act();
    } finally {
      writeFileSync(file, text);
    }
  };

  /** What the compiler says about one file, each diagnostic with the line it points at. */
  const diagnosticsIn = (file: string): string => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    return checkTypes(folder, ['src', 'handlers'])
      .filter((diagnostic) => diagnostic.startsWith(`${file}(`))
      .map((diagnostic) => `${diagnostic}\n${lines[lineOf(diagnostic) - 1]}`)
      .join('\n');
  };

  beforeAll(() => {
    folder = copyProject(['specs', 'handlers', 'src']);
  });

  afterAll(() => removeCopy(folder));

  test('without an edit it is content', async () => {
    expect(await writeGenerated(foldersOf(folder))).toEqual([]);
    expect(checkTypes(folder, ['src', 'handlers'])).toEqual([]);
  });

  test.each(edits)('$title', async (edit) => {
    const diagnostics = await whileEdited(edit, async () => {
      await writeGenerated(foldersOf(folder));
      return diagnosticsIn(edit.file);
    });
    expect(diagnostics).toContain(edit.names);
  });
});

function lineOf(diagnostic: string): number {
  return Number(/\((\d+),\d+\)/.exec(diagnostic)?.[1]);
}
