/** The house's floors: imports run one way, and the engine knows no resource of the documents it serves. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = resolve(__dirname, '..');

/** A floor, and what its files may import of ours; types alone where the name stands in `typesOf`. */
interface Floor {
  readonly name: string;
  readonly holds: RegExp;
  readonly imports: readonly string[];
  readonly typesOf?: readonly string[];
}

// Ground to top. A file belongs to the first floor that holds it, and may always import from its own folder.
const floors: readonly Floor[] = [
  { name: 'generated', holds: /^src\/generated\//, imports: [] },
  { name: 'awaitable', holds: /^src\/awaitable\.ts$/, imports: [] },
  { name: 'config', holds: /^src\/config(-values)?\.ts$/, imports: [] },
  { name: 'launch', holds: /^src\/(compiled-program|runtime-settings)\.ts$/, imports: [] },
  { name: 'http', holds: /^src\/http\//, imports: [] },
  { name: 'media', holds: /^src\/media\//, imports: [] },
  { name: 'codecs', holds: /^src\/codecs\//, imports: ['http'] },
  {
    name: 'storage',
    holds: /^src\/storage\//,
    imports: ['awaitable'],
    typesOf: ['generated', 'codecs'],
  },
  { name: 'openapi', holds: /^src\/openapi\//, imports: ['awaitable', 'codecs', 'http'] },
  {
    name: 'auth',
    holds: /^src\/auth\//,
    imports: ['awaitable', 'http', 'storage'],
    typesOf: ['openapi'],
  },
  { name: 'docs', holds: /^src\/docs\//, imports: ['http'], typesOf: ['openapi', 'codecs'] },
  {
    name: 'resources',
    holds: /^src\/resources\.ts$/,
    imports: [],
    typesOf: ['storage', 'auth', 'media'],
  },
  {
    name: 'handlers',
    holds: /^handlers\//,
    imports: [],
    typesOf: ['generated', 'openapi', 'storage', 'auth', 'resources'],
  },
  {
    name: 'app',
    holds: /^src\/(?!(?:main|start|admin)\.ts|admin\/)[a-z-]+\.ts$/,
    imports: [
      'config',
      'http',
      'media',
      'codecs',
      'storage',
      'openapi',
      'auth',
      'docs',
      'resources',
    ],
  },
  {
    name: 'programs',
    holds: /^src\/(main|start|admin)\.ts$|^src\/admin\//,
    imports: ['app', 'launch', 'config', 'http', 'codecs', 'storage', 'openapi', 'auth'],
  },
  {
    name: 'ablations',
    holds: /^scripts\/bench\/ablations\//,
    imports: [],
    // They are loaded into the built program, and replace parts of any floor.
    typesOf: ['awaitable', 'http', 'codecs', 'storage', 'openapi', 'auth', 'app'],
  },
  { name: 'scripts', holds: /^scripts\//, imports: ['launch', 'openapi', 'codecs', 'http'] },
];

const sourceFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name))
    .sort();

const files = ['src', 'handlers', 'scripts'].flatMap(sourceFiles);

const floorOf = (file: string): Floor | undefined => floors.find(({ holds }) => holds.test(file));

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

const importPattern = /^(?:import|export) (type )?(?:[^;]*? from )?'(\.[^']+)';$/gms;

/** The files of ours that a file imports. */
const importsOf = (file: string): Import[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(importPattern)].map((match) => {
    const path = relative(root, resolve(root, dirname(file), match[2] ?? ''));
    const from = files.find((name) => name === `${path}.ts` || name === `${path}/index.ts`);
    if (from === undefined) throw new Error(`${file} imports ${path}, which does not exist`);
    return { from, typeOnly: match[1] !== undefined };
  });

const mayImport = (floor: Floor, target: Floor, typeOnly: boolean): boolean =>
  floor === target ||
  floor.imports.includes(target.name) ||
  (typeOnly && (floor.typesOf ?? []).includes(target.name));

describe('floors', () => {
  test.each(files)('%s stands on a floor and imports from below', (file) => {
    const floor = floorOf(file);
    expect(floor).toBeDefined();
    const wrong = importsOf(file).filter(({ from, typeOnly }) => {
      const target = floorOf(from);
      return floor === undefined || target === undefined || !mayImport(floor, target, typeOnly);
    });
    expect(wrong).toEqual([]);
  });

  test('handlers import types alone, and no package', () => {
    for (const file of sourceFiles('handlers')) {
      const text = readFileSync(join(root, file), 'utf8');
      expect([file, text.match(/^import (?!type )/gm)]).toEqual([file, null]);
      expect([file, text.match(/ from '[^.][^']*'/g)]).toEqual([file, null]);
    }
  });
});

describe('the engine knows no resource of its documents', () => {
  // Storage and generated types name them; everything else under src must not. Words that are terms of HTTP, OAuth or
  // identity (user, username, password, status, tag, address as in network address) are not the documents' own.
  const words = [
    /\bpets?\b/i,
    /pet(store|Id|s)\b/i,
    /\b(photo|photoUrls?|shipDate|placeOrder|inventory|category|categories)\b/i,
    /\b(ads?|advertisements?)\b/i,
    /\b(addPet|updatePet|findPets\w*|uploadFile|getOrderById|deleteOrder|getInventory|addAd)\b/,
    /\b(createUser\w*|loginUser|logoutUser|getUserByName|updateUser|deleteUser)\b/,
    /\b(orderId|customer|propertyType|publicationStatus|availabilityDate|isAgent|firstName|userStatus)\b/,
    /\b(available|pending|sold|placed|approved|delivered)\b'/,
  ];
  const engine = sourceFiles('src').filter((file) => !/^src\/(storage|generated)\//.test(file));

  test.each(engine)('%s', (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    expect(words.flatMap((word) => text.match(new RegExp(word, `g${word.flags}`)) ?? [])).toEqual(
      [],
    );
  });
});

test('every source file opens with a sentence that says what it is for', () => {
  const silent = files.filter(
    (file) => !/^(\/\*\*|\/\/ Generated from)/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(silent).toEqual([]);
});

test('no source file is longer than 200 lines', () => {
  const long = files.filter(
    (file) =>
      !file.startsWith('src/generated/') &&
      readFileSync(join(root, file), 'utf8').split('\n').length > 201,
  );
  expect(long).toEqual([]);
});
