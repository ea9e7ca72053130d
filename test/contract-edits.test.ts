/** Editing a contract changes no code where no handler is concerned; else the compiler stops in the handler, and nowhere else. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { foldersOf, generatedFiles, writeGenerated } from '../scripts/generate/generated-files';
import { checkTypes, copyProject, removeCopy } from './support/check-types';
import { type DocumentEdit, editDocument, renameSchema } from './support/edit-document';

const pet = ['paths', '/pet/{petId}', 'get'];
const schemas = ['components', 'schemas'];

interface Edit extends DocumentEdit {
  readonly title: string;
  readonly spec: 'petstore' | 'ads';
}

/** A change that needs no code: a title stands for all places of one kind. */
const freeEdits: readonly Edit[] = [
  ...[
    [...schemas, 'Pet', 'properties', 'status', 'enum', 3],
    ['paths', '/pet/findByStatus', 'get', 'parameters', 0, 'schema', 'enum', 3],
    ['paths', '/pet/{petId}', 'post', 'parameters', 2, 'schema', 'enum', 3],
  ].map((at): Edit => ({ title: 'a new value of an enum', spec: 'petstore', at, to: 'adopted' })),
  {
    title: 'a new value of another enum',
    spec: 'petstore',
    at: [...schemas, 'Order', 'properties', 'status', 'enum', 3],
    to: 'returned',
  },
  {
    title: 'a new status',
    spec: 'petstore',
    at: [...pet, 'responses', '410'],
    to: { description: 'The pet has moved' },
  },
  {
    title: 'another text',
    spec: 'petstore',
    at: [...schemas, 'Pet', 'properties', 'name', 'description'],
    to: 'What it listens to',
  },
  {
    title: 'a new limit',
    spec: 'petstore',
    at: [...schemas, 'Pet', 'properties', 'name', 'maxLength'],
    to: 80,
  },
  {
    title: 'a new limit of a parameter',
    spec: 'petstore',
    at: [...pet, 'parameters', 0, 'schema', 'minimum'],
    to: 1,
  },
  {
    title: 'a new media type of a response',
    spec: 'petstore',
    at: ['paths', '/store/inventory', 'get', 'responses', '200', 'content', 'application/xml'],
    to: { schema: { $ref: '#/components/schemas/Inventory' } },
  },
  {
    title: 'a new media type of a request',
    spec: 'ads',
    at: ['paths', '/ad', 'post', 'requestBody', 'content', 'application/xml'],
    to: { schema: { $ref: '#/components/schemas/Ad' } },
  },
  {
    title: 'a new optional property',
    spec: 'petstore',
    at: [...schemas, 'Pet', 'properties', 'birthday'],
    to: { type: 'string', format: 'date' },
  },
  ...[
    { at: [...schemas, 'Order', 'properties', 'gift'], to: { type: 'boolean', default: false } },
    { at: [...schemas, 'Order', 'required'], to: ['gift'] },
  ].map(
    (edit): Edit => ({ title: 'a required property with a default', spec: 'petstore', ...edit }),
  ),
  {
    title: 'a new optional property of users',
    spec: 'ads',
    at: [...schemas, 'User', 'properties', 'agency'],
    to: { type: 'string' },
  },
  {
    title: 'a new header of a response',
    spec: 'petstore',
    at: [...pet, 'responses', '200', 'headers'],
    to: { 'X-Seen': { schema: { type: 'integer' } } },
  },
  {
    title: 'a new header of a request',
    spec: 'petstore',
    at: [...pet, 'parameters', 1],
    to: { name: 'X-Reason', in: 'header', schema: { type: 'string' } },
  },
  {
    title: 'a new scope',
    spec: 'petstore',
    at: [
      ...['components', 'securitySchemes', 'petstore_auth'],
      ...['flows', 'implicit', 'scopes', 'adopt:pets'],
    ],
    to: 'adopt pets',
  },
  {
    title: 'a new scope that is required',
    spec: 'petstore',
    at: [...pet, 'security', 1, 'petstore_auth', 2],
    to: 'adopt:pets',
  },
];

const responses = { 200: { description: 'Done' } };

/** A change, and what the compiler must then name in which handler file. */
const edits: readonly (Edit & { readonly file: string; readonly names: string })[] = [
  {
    title: 'adding an operation to a tag',
    spec: 'petstore',
    at: ['paths', '/pet/{petId}/vaccination'],
    to: {
      post: {
        ...{ tags: ['pet'], operationId: 'vaccinatePet', responses },
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
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
    names: 'fail(404)',
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
    to: { tags: ['ad'], operationId: 'listAds', responses },
    file: 'handlers/ads/ad.ts',
    names: 'listAds',
  },
  {
    title: 'adding a required property',
    spec: 'petstore',
    at: [...schemas, 'Pet', 'required', 2],
    to: 'birthday',
    file: 'handlers/petstore/demo.ts',
    names: 'Bello',
  },
  {
    title: 'adding a required property of users',
    spec: 'ads',
    at: [...schemas, 'User', 'required', 3],
    to: 'agency',
    file: 'handlers/ads/demo.ts',
    names: "username: 'user1'",
  },
];

/** A component that gets another name; what refers to it follows. */
const renamed = {
  ...{ spec: 'petstore', from: 'Order', to: 'Purchase' },
  ...{ file: 'handlers/petstore/collections.ts', names: "schema: 'Order'" },
};

const parts = ['src', 'handlers', 'test', 'scripts'];
let folder = '';

beforeAll(() => {
  folder = copyProject(['specs', ...parts]);
});
afterAll(() => removeCopy(folder));

const specs = ['petstore', 'ads'];

const changeDocument = (spec: string, change: (text: string) => string): void => {
  const file = join(folder, `specs/${spec}.yaml`);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
};

const apply =
  (spec: string, given: readonly Edit[]) =>
  (text: string): string =>
    editDocument(
      text,
      given.filter((edit) => edit.spec === spec),
    );

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

test('edits that concern no handler need no code; others are told in the handlers alone', async () => {
  expect(await writeGenerated(foldersOf(folder))).toEqual([]);
  for (const spec of specs) changeDocument(spec, apply(spec, freeEdits));
  expect(await writeGenerated(foldersOf(folder))).not.toEqual([]);
  expect(checkTypes(folder, parts)).toEqual([]);

  for (const spec of specs) changeDocument(spec, apply(spec, edits));
  changeDocument(renamed.spec, (text) => renameSchema(text, renamed.from, renamed.to));
  expect((await generatedFiles(foldersOf(folder))).errors).toEqual(new Map());
  expect(await writeGenerated(foldersOf(folder))).not.toEqual([]);
  const diagnostics = checkTypes(folder, parts);
  const untold = [...edits, { title: 'renaming a schema', ...renamed }].filter(
    ({ file, names }) => !toldOf(file, diagnostics).some((text) => text.includes(names)),
  );
  expect(untold.map(({ title }) => title)).toEqual([]);
  const elsewhere = diagnostics.filter(
    (line) => /^\S+\(/.test(line) && !line.startsWith('handlers/'),
  );
  expect(elsewhere).toEqual([]);
});
