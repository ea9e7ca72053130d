/** The layers of the program: imports run one way, and `src` knows no resource of the documents it serves. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../scripts/root-folder';

/**
 * The folders of each half, from the ground up. A file may import from its own folder and from those in lines above its own;
 * folders of one line do not know each other. `src/README.md` draws this.
 */
const engineLayers = [
  ['engine/lang'],
  ['engine/http', 'engine/schema', 'engine/document/diagnostics'],
  ['engine/media-types/codec', 'engine/document/references'],
  ['engine/media-types/json', 'engine/media-types/xml/parser', 'engine/schema/validation/checks'],
  ['engine/media-types/forms', 'engine/media-types/xml', 'engine/schema/validation'],
  ['engine/media-types/csv', 'engine/document/source', 'engine/document/structure'],
  ['engine/media-types/yaml'],
  ['engine/media-types'],
  ['engine/document/bundle', 'engine/document/model'],
  ['engine/paths', 'engine/parameters', 'engine/document/rules'],
  ['engine/media-types/multipart', 'engine/security'],
  [
    'engine/document/rules/paths',
    'engine/document/rules/messages',
    'engine/document/rules/schemas',
  ],
  ['engine/document', 'engine/request-body'],
  ['engine/responses', 'engine/mock/samples'],
  ['engine/mock'],
  ['engine/operation'],
  ['engine'],
];

const serverLayers = [
  [
    'server/config',
    'server/html',
    'server/precis',
    'server/storage/sql',
    'server/overload',
    'server/processes',
  ],
  ['server/http'],
  ['server/docs/page', 'server/storage/migrations', 'server/storage/connections'],
  ['server/storage/sqlite', 'server/storage/postgres', 'server/storage/backup'],
  ['server/storage/database', 'server/observability'],
  ['server/storage/collections/lists', 'server/storage/copy'],
  ['server/storage/collections/indexes'],
  ['server/storage/collections'],
  ['server/storage/identity'],
  ['server/storage'],
  ['server/docs/swagger-ui'],
  ['server/docs', 'server/identity/jwt', 'server/oauth/protocol'],
  ['server/identity', 'server/oauth/pages'],
  ['server/oauth'],
  ['server/routes', 'server/services'],
  ['server', 'server/admin'],
];

const contractLayers = [
  ['contract/diff/rules', 'contract/diff/values', 'contract/test'],
  ['contract/diff/schemas'],
  ['contract/diff/messages', 'contract/test/values'],
  ['contract/diff/operations', 'contract/test/requests'],
  ['contract/diff', 'contract/test/exchange'],
  ['contract/diff/allow', 'contract/report', 'contract/test/checks'],
  ['contract/test/reports'],
  ['contract/test/session'],
  ['contract/test/cases'],
  ['contract/test/sequences'],
  ['contract/test/run'],
  ['contract'],
];

/** What reports share with the pages of the server. */
const sharedWithReports = ['server/html', 'server/docs/page'];

const sourceFiles = (folder: string): string[] =>
  readdirSync(join(rootFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(^|\/)(node_modules|build)\//.test(name))
    .map((name) => join(folder, name))
    .sort();

const textOf = (file: string): string => readFileSync(join(rootFolder, file), 'utf8');

const sources = sourceFiles('src');
const files = [...sources, ...['handlers', 'scripts'].flatMap(sourceFiles)];

/** `engine/http` for `src/engine/http/send.ts`. */
const folderOf = (file: string): string => dirname(relative('src', file));

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

/** The files of ours that a file imports. */
const importsOf = (file: string): Import[] =>
  [
    ...textOf(file).matchAll(
      /(?:^(?:import|export) (type )?(?:[^;']*? from )?|\brequire\()'(\.{1,2}\/[^']*)'/gm,
    ),
  ].map((match) => {
    const path = relative(rootFolder, resolve(rootFolder, dirname(file), match[2] ?? ''));
    const from = files.find((name) => name === `${path}.ts` || name === `${path}/index.ts`);
    if (from === undefined) throw new Error(`${file} imports ${path}, which does not exist`);
    return { from, typeOnly: match[1] !== undefined };
  });

describe.each([
  ['engine', engineLayers],
  ['server', serverLayers],
  ['contract', contractLayers],
] as const)('src/%s', (half, layers) => {
  const folders = layers.flat();
  const layerOf = (folder: string): number => layers.findIndex((layer) => layer.includes(folder));
  const mine = sources.filter((file) => file.startsWith(`src/${half}/`));

  test('the table names each folder once, and no other', () => {
    expect([...folders].sort()).toEqual([...new Set(mine.map(folderOf))].sort());
  });

  test.each(folders)('%s imports from the layers below it', (folder) => {
    const wrong = mine
      .filter((file) => folderOf(file) === folder)
      .flatMap((file) => importsOf(file).map(({ from }) => [file, from] as const))
      .filter(([, from]) => from.startsWith(`src/${half}/`) && folderOf(from) !== folder)
      .filter(([, from]) => layerOf(folderOf(from)) >= layerOf(folder));
    expect(wrong).toEqual([]);
  });

  test.each(folders)('%s holds few files', (folder) => {
    expect(mine.filter((file) => folderOf(file) === folder).length).toBeLessThanOrEqual(17);
  });
});

describe('between the parts', () => {
  const importsFrom = (start: RegExp) =>
    files
      .filter((file) => start.test(file))
      .flatMap((file) => importsOf(file).map((one) => ({ file, ...one })));

  test('the engine imports nothing from outside, and reads no environment', () => {
    const outside = importsFrom(/^src\/engine\//).filter(
      ({ from }) => !from.startsWith('src/engine/'),
    );
    expect(outside).toEqual([]);
    const engine = sources.filter((file) => file.startsWith('src/engine/'));
    expect(engine.filter((file) => /\bprocess\.(env|on|exit)\b/.test(textOf(file)))).toEqual([]);
  });

  test('only through src/engine/index.ts does anybody else import from the engine', () => {
    const inner = importsFrom(
      /^(src\/(server\/|contract\/|main|admin)|handlers\/|scripts\/(?!bench\/ablations))/,
    ).filter(({ from }) => from.startsWith('src/engine/') && from !== 'src/engine/index.ts');
    expect(inner).toEqual([]);
  });

  test('what is done with contracts imports the engine alone, and is imported through src/contract/index.ts', () => {
    const outside = importsFrom(/^src\/contract\//)
      .filter(({ from }) => !from.startsWith('src/contract/') && from !== 'src/engine/index.ts')
      .filter(
        ({ file, from }) =>
          folderOf(file) !== 'contract/report' || !sharedWithReports.includes(folderOf(from)),
      );
    expect(outside).toEqual([]);
    const inner = importsFrom(/^(src\/(engine|server|main|admin)|handlers|scripts)/).filter(
      ({ from }) => from.startsWith('src/contract/') && from !== 'src/contract/index.ts',
    );
    expect(inner).toEqual([]);
  });

  test('main.ts and admin.ts alone stand loose', () => {
    expect(sources.filter((file) => folderOf(file) === '.')).toEqual([
      'src/admin.ts',
      'src/main.ts',
    ]);
  });

  test('handlers import types alone, and no package', () => {
    const imports = importsFrom(/^handlers\//);
    expect(imports.filter(({ typeOnly }) => !typeOnly)).toEqual([]);
    const packages = sourceFiles('handlers').filter((file) =>
      / from '[^.][^']*'/.test(textOf(file)),
    );
    expect(packages).toEqual([]);
  });
});

describe('src knows no resource of its documents', () => {
  // Words that are terms of HTTP, OAuth or identity (user, username, password, status, tag, address as in network
  // address) are not the documents' own.
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
  // Migrations tell what tables were like once.
  const known = sources.filter((file) => !file.startsWith('src/server/storage/migrations/'));

  test.each(known)('%s', (file) => {
    const text = textOf(file);
    expect(words.flatMap((word) => text.match(new RegExp(word, `g${word.flags}`)) ?? [])).toEqual(
      [],
    );
  });
});

test('every source file opens with a sentence that says what it is for', () => {
  expect(files.filter((file) => !/^(\/\*\*|\/\/ Generated from)/.test(textOf(file)))).toEqual([]);
});

test('no source file is longer than 400 lines', () => {
  const long = files.filter(
    (file) => !/^handlers\/[^/]+\/types\.ts$/.test(file) && textOf(file).split('\n').length > 401,
  );
  expect(long).toEqual([]);
});
