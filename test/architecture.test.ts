/** The layers of the program: imports run one way, and `src` knows no resource of the documents it serves. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../scripts/root-folder';
import { groupBy } from '../src/base/group-by';

/**
 * The folders of each part, from the ground up. A file may import from its own folder and from those in lines above its own;
 * folders of one line do not know each other. `src/README.md` draws this.
 */
const layersOfParts = {
  base: [['base'], ['base/text'], ['base/html', 'base/json']],
  model: [['model']],
  schema: [['schema/validation/checks'], ['schema'], ['schema/validation'], ['schema/samples']],
  document: [
    ['document/diagnostics', 'document/references', 'document/resources', 'document/versions'],
    ['document/source', 'document/structure'],
    ['document/bundle', 'document/read'],
    ['document/rules', 'document/upgrade'],
    ['document/overlay'],
    ['document'],
  ],
  http: [['http']],
  engine: [
    ['engine/media-types/codec'],
    ['engine/media-types/json', 'engine/media-types/xml/parser'],
    ['engine/media-types/forms', 'engine/media-types/items', 'engine/media-types/xml'],
    ['engine/media-types/yaml'],
    ['engine/media-types'],
    ['engine/paths', 'engine/parameters'],
    ['engine/media-types/multipart', 'engine/security'],
    ['engine/media-types/sequences'],
    ['engine/request-body', 'engine/responses'],
    ['engine/document'],
    ['engine/operation'],
    ['engine'],
  ],
  requests: [['requests']],
  mock: [['mock/values'], ['mock/samples'], ['mock/memory'], ['mock']],
  package: [['package/docs'], ['package']],
  mcp: [['mcp']],
  storage: [
    ['storage/sql'],
    ['storage/migrations', 'storage/connections'],
    ['storage/sqlite', 'storage/postgres', 'storage/backup'],
    ['storage/database'],
    ['storage/tables'],
    ['storage/collections', 'storage/copy'],
    ['storage/identity'],
    ['storage'],
  ],
  identity: [['identity/jwt'], ['identity'], ['identity/oauth']],
  host: [['host']],
  server: [
    ['server/config'],
    ['server/http', 'server/processes'],
    ['server/observability'],
    ['server/docs/swagger-ui'],
    ['server/docs'],
    ['server/routes'],
    ['server', 'server/admin'],
  ],
  contract: [
    ['contract/diff/rules', 'contract/tester'],
    ['contract/diff/schemas'],
    ['contract/diff/messages', 'contract/tester/values'],
    ['contract/diff/operations'],
    ['contract/diff'],
    ['contract/reports/formats', 'contract/tester/checks'],
    ['contract/tester/session'],
    ['contract/tester/cases'],
    ['contract/tester/sequences'],
    ['contract/tester/run'],
    ['contract/reports'],
    ['contract'],
  ],
  tool: [
    ['tool/command'],
    ['tool/types'],
    ['tool/stubs', 'tool/new', 'tool/diff', 'tool/proxy', 'tool/serve'],
    ['tool'],
  ],
} as const;

type Part = keyof typeof layersOfParts;

/** The parts from which a document is served. */
const serving = ['src/base/', 'src/model/', 'src/schema/', 'src/document/', 'src/http/'];

/** What a part may import of the others: a file alone, or all of a folder. */
const importsOfParts: Record<Part, readonly string[]> = {
  base: [],
  model: ['src/base/'],
  schema: ['src/base/', 'src/model/'],
  document: ['src/base/', 'src/model/', 'src/schema/'],
  http: ['src/base/', 'src/model/'],
  engine: serving,
  requests: [...serving, 'src/engine/index.ts'],
  mock: [...serving, 'src/engine/index.ts', 'src/requests/'],
  package: [...serving, 'src/engine/index.ts', 'src/mock/index.ts', 'src/requests/'],
  mcp: [...serving, 'src/engine/index.ts', 'src/requests/'],
  storage: ['src/base/', 'src/engine/index.ts'],
  identity: [...serving, 'src/engine/index.ts', 'src/storage/'],
  host: [...serving, 'src/engine/index.ts', 'src/requests/', 'src/storage/', 'src/identity/'],
  server: [
    ...serving,
    'src/engine/index.ts',
    'src/mock/index.ts',
    'src/requests/',
    'src/storage/',
    'src/identity/',
    'src/host/',
    'src/contract/index.ts',
    'src/mcp/index.ts',
  ],
  contract: [...serving, 'src/engine/index.ts', 'src/requests/'],
  tool: [
    ...serving,
    'src/engine/index.ts',
    'src/requests/',
    'src/mock/index.ts',
    'src/package/index.ts',
    'src/contract/index.ts',
    'src/mcp/index.ts',
    'src/host/',
  ],
};

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
  /** True where the file is loaded when it is needed. */
  readonly isLate: boolean;
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
    return { from, typeOnly: match[1] !== undefined, isLate: match[0].startsWith('require') };
  });

describe.each(Object.keys(layersOfParts) as Part[])('src/%s', (part) => {
  const layers: readonly (readonly string[])[] = layersOfParts[part];
  const folders = layers.flat();
  const layerOf = (folder: string): number => layers.findIndex((layer) => layer.includes(folder));
  const mine = sources.filter((file) => file.startsWith(`src/${part}/`));

  test('the table names each folder once, and no other', () => {
    expect([...folders].sort()).toEqual([...new Set(mine.map(folderOf))].sort());
  });

  test.each(folders)('%s imports from the layers below it', (folder) => {
    const wrong = mine
      .filter((file) => folderOf(file) === folder)
      .flatMap((file) => importsOf(file).map(({ from }) => [file, from] as const))
      .filter(([, from]) => from.startsWith(`src/${part}/`) && folderOf(from) !== folder)
      .filter(([, from]) => layerOf(folderOf(from)) >= layerOf(folder));
    expect(wrong).toEqual([]);
  });

  test('imports of other parts what it may', () => {
    const outside = mine
      .flatMap((file) => importsOf(file).map(({ from }) => ({ file, from })))
      .filter(({ from }) => !from.startsWith(`src/${part}/`))
      .filter(({ from }) => !importsOfParts[part].some((allowed) => from.startsWith(allowed)));
    expect(outside).toEqual([]);
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

  test('the engine reads no environment', () => {
    const engine = sources.filter((file) => file.startsWith('src/engine/'));
    expect(engine.filter((file) => /\bprocess\.(env|on|exit)\b/.test(textOf(file)))).toEqual([]);
  });

  test.each(['engine', 'mock', 'contract', 'mcp'])(
    'src/%s is imported through its index.ts',
    (part) => {
      const inner = importsFrom(/^(src|handlers|scripts)\//).filter(
        ({ file, from }) =>
          from.startsWith(`src/${part}/`) &&
          !file.startsWith(`src/${part}/`) &&
          from !== `src/${part}/index.ts`,
      );
      expect(inner).toEqual([]);
    },
  );

  test('a server that has all handlers loads no mocks', () => {
    const loaded = new Set(['src/main.ts']);
    // A set also gives what is added while it is read.
    for (const file of loaded) {
      for (const { from, typeOnly, isLate } of importsOf(file)) {
        if (!typeOnly && !isLate) loaded.add(from);
      }
    }
    expect(loaded).toContain('src/server/mounted-service.ts');
    expect([...loaded].filter((file) => file.startsWith('src/mock/'))).toEqual([]);
  });

  test('the engine knows no mocks', () => {
    const engine = sources.filter((file) => file.startsWith('src/engine/'));
    expect(engine.filter((file) => /\bmock/i.test(textOf(file)))).toEqual([]);
  });

  test('the engine shows 26 names at most, each with an example', () => {
    const shown = [
      ...textOf('src/engine/index.ts').matchAll(/^export (?:type )?\{([^}]*)\} from '(.*)';$/gm),
    ].flatMap(([, names = '', from = '']) =>
      names.split(',').map((name) => ({
        name: name.replace('type ', '').trim(),
        file: `${join('src/engine', from)}.ts`,
      })),
    );
    expect(shown.length).toBeLessThanOrEqual(26);
    const hasExample = ({ name, file }: (typeof shown)[number]): boolean =>
      new RegExp(`@example\\s(?:(?!\\*/)[^])+\\*/\\nexport (?:[a-z]+\\*? )+${name}\\b`).test(
        textOf(file),
      );
    expect(shown.filter((one) => !hasExample(one))).toEqual([]);
  });

  test('src/document alone knows how documents are written', () => {
    // The terms of raw documents; all others read the model.
    const raw = /'openapi-types'|\$ref\b|\ballOf\b|'3\.[012](?:\.\d)?'|OpenAPI 3\./;
    /** Files that write documents for others, and read none. */
    const writers = ['src/tool/new/new-document.ts'];
    const code = (file: string): string =>
      textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
    const reading = files
      .filter((file) => /^(src|scripts)\//.test(file) && !file.startsWith('src/document/'))
      .filter((file) => raw.test(code(file)));
    expect(reading).toEqual(writers);
  });

  test('main.ts, admin.ts and testing.ts alone stand loose', () => {
    expect(sources.filter((file) => folderOf(file) === '.')).toEqual([
      'src/admin.ts',
      'src/main.ts',
      'src/testing.ts',
    ]);
  });

  test('what other projects install needs no package of the server, and no compiler', () => {
    const packages =
      /^(?:(?:import|export) (?!type )[^;']*? from |.*\brequire\()'(?!node:)([^.'$][^']*)'/gm;
    const needed = sources
      .filter((file) => /^src\/(?!server|storage|[a-z]+\.ts)/.test(file))
      .flatMap((file) => [...textOf(file).matchAll(packages)].map(([, name = '']) => name));
    const server =
      /^(express|knex|pino|prom-client|pg|better-sqlite3|sqlite3|swagger-ui|typescript)/;
    expect(needed).toContain('ajv');
    expect(needed.filter((name) => server.test(name))).toEqual([]);
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

describe('src/schema/schema-view.ts alone merges what schemas say', () => {
  const reading = (...words: readonly RegExp[]): string[] =>
    sources.filter((file) => words.every((word) => word.test(textOf(file))));

  test('of properties by patterns of their names', () => {
    expect(reading(/\bpatternProperties\b/, /\b(?:matches|patternTest)\(/)).toEqual([
      // Keeps the tests of patterns, since each message asks for them.
      'src/schema/compile-shapes.ts',
      'src/schema/schema-view.ts',
      'src/schema/validation/checks-of.ts',
      // Validators tell what is evaluated, and what a direction drops, of schemas that may hold.
      'src/schema/validation/evaluation.ts',
      'src/schema/validation/keyword-tests.ts',
      'src/schema/validation/schema-info.ts',
    ]);
  });

  test('of items by their index', () => {
    const merging = /prefixItems\[\w+\] \?\? |prefixItems\.at\(/;
    // A shape is what was merged.
    expect(reading(merging)).toEqual(['src/schema/schema-view.ts', 'src/schema/shape.ts']);
  });

  test('of all that holds together', () => {
    expect(reading(/\baddMembers\(/)).toEqual([
      // The choices that are left are followed differently: by values to compare, to read and to make.
      'src/contract/diff/schemas/merged-schema.ts',
      'src/schema/compile-shapes.ts',
      'src/schema/samples/sample-plan.ts',
      'src/schema/schema-parts.ts',
      'src/schema/schema-view.ts',
      'src/schema/validation/schema-info.ts',
    ]);
  });
});

test('a name that is exported is declared once', () => {
  const declaration =
    /^export (?:abstract )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;
  const declared = sources.flatMap((file) => {
    // Templates hold the beginnings of other programs.
    const text = textOf(file).replaceAll(/`[^`]*`/g, '');
    const names = [...text.matchAll(declaration)].map(([, name = '']) => name);
    return [...new Set(names)].map((name) => ({ name, file }));
  });
  const byName = groupBy(declared, ({ name }) => name);
  const twice = [...byName].filter(([, places]) => places.length > 1);
  expect(twice.map(([name, places]) => [name, ...places.map(({ file }) => file)])).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
  const importsOfFiles = new Map(
    files.map((file) => [file, importsOf(file).map(({ from }) => from)]),
  );
  const done = new Set<string>();
  const circleFrom = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const from of importsOfFiles.get(file) ?? []) {
      const circle = circleFrom(from, [...path, file]);
      if (circle !== undefined) return circle;
    }
    done.add(file);
    return undefined;
  };
  expect(
    files.map((file) => circleFrom(file, [])).filter((circle) => circle !== undefined),
  ).toEqual([]);
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
  const known = sources.filter((file) => !file.startsWith('src/storage/migrations/'));

  test.each(known)('%s', (file) => {
    const text = textOf(file);
    expect(words.flatMap((word) => text.match(new RegExp(word, `g${word.flags}`)) ?? [])).toEqual(
      [],
    );
  });
});

test('every source file opens with a sentence that says what it is for', () => {
  expect(
    files.filter((file) => !/^(#!.*\n)?(\/\*\*|\/\/ Generated from)/.test(textOf(file))),
  ).toEqual([]);
});

test('no source file is longer than 400 lines', () => {
  const long = files.filter(
    (file) => !/^handlers\/[^/]+\/types\.ts$/.test(file) && textOf(file).split('\n').length > 401,
  );
  expect(long).toEqual([]);
});
