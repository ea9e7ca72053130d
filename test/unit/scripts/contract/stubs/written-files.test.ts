/** The refusals of `contract new` and `contract stubs`, which then write nothing. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { addService } from '../../../../../scripts/contract/stubs/add-service';
import { addStubs as writeStubs } from '../../../../../scripts/contract/stubs/add-stubs';
import { foldersOf } from '../../../../../scripts/generate/generated-files';
import { newestVersion } from '../../../../../src/document/versions/versions';
import { parseApiDocument } from '../../../../../src/engine';
import { writeTogether } from '../../../../../src/tool/command/write-together';
import { useTemporaryFolder } from '../../../../support/temporary-folder';
import { valuesOf } from '../../../../support/text-cases';

const cases = join(__dirname, 'written-files.cases.txt');

const root = useTemporaryFolder();
const document = (paths: string, server = '/'): string =>
  `openapi: 3.0.3\ninfo: { title: A, version: '1' }\nservers: [{ url: ${server} }]\npaths:${paths}\n`;
const operation = "{ operationId: a, tags: [thing], responses: { '200': { description: A } } }";
const environment = { SPECS_DIRECTORY: 'contracts', HANDLERS_DIRECTORY: 'code' };
const folders = () => foldersOf(root(), environment);
const addStubs = async (...args: Parameters<typeof writeStubs>) =>
  (await writeStubs(...args)).map(({ file, state }) => `${file}: ${state}`);
const everything = (): readonly string[] =>
  readdirSync(root(), { recursive: true, encoding: 'utf8' }).sort();

describe('a new service', () => {
  beforeEach(() => {
    mkdirSync(root('contracts'));
    writeFileSync(root('contracts', 'shop.yml'), document(' {}', '/market'));
    mkdirSync(root('code', 'left'), { recursive: true });
    writeFileSync(root('code', 'left', 'mine.ts'), '');
    mkdirSync(root('code', 'empty'));
  });

  test.each(valuesOf<[title: string, name: string, said: string]>(cases, 'refused names'))(
    '%s is refused',
    async (_title, name, said) => {
      const before = everything();
      await expect(addService(folders(), name)).rejects.toThrow(said);
      expect(everything()).toEqual(before);
    },
  );

  test.each(['', '  ', 'two\nlines', 'a\u2028b'])('the title %j is refused', async (title) => {
    await expect(addService(folders(), 'fine', { title })).rejects.toThrow('one line of text');
    expect(everything()).not.toContain('code/fine');
  });

  test('begins with a document of the newest version where that is asked for', async () => {
    await addService(folders(), 'newest', { openapi: newestVersion.name });
    const text = readFileSync(root('contracts', 'newest.yaml'), 'utf8');
    const { diagnostics } = parseApiDocument('newest.yaml', text);
    expect(text).toMatch(`openapi: ${newestVersion.newest}\n`);
    expect(diagnostics).toEqual([]);
  });

  test('is written into the folders of the environment', async () => {
    await addService(folders(), 'empty');
    expect(everything().filter((name) => name.includes('empty'))).toEqual([
      'code/empty',
      'code/empty/collections.ts',
      'code/empty/demo.ts',
      'code/empty/item.test.ts',
      'code/empty/item.ts',
      'code/empty/types.ts',
      'contracts/empty.yaml',
    ]);
    expect(readFileSync(root('contracts', 'empty.yaml'), 'utf8')).toContain('title: Empty\n');
  });
});

describe('stubs', () => {
  const write = (contents: string): void => {
    mkdirSync(root('contracts'));
    mkdirSync(root('code', 'box'), { recursive: true });
    writeFileSync(root('contracts', 'box.yaml'), document(` { /a: { get: ${operation} } }`));
    writeFileSync(root('code', 'box', 'thing.ts'), contents);
  };

  test('a module that is not understood stays, and a new one is written beside it', async () => {
    write('export const helper = 1;\n');
    expect(await addStubs(folders(), [])).toEqual([
      'code/box/types.ts: generated',
      'code/box/thing-handlers.ts: new, with a, as code/box/thing.ts exports no function that returns an object literal of the type Handlers<ThingOperations>',
    ]);
    expect(readFileSync(root('code', 'box', 'thing.ts'), 'utf8')).toBe(
      'export const helper = 1;\n',
    );
  });

  test('a module without handlers of its own yet is filled', async () => {
    write('export const thing = (): Handlers<ThingOperations> => ({});\n');
    expect(await addStubs(folders(), ['box'])).toEqual([
      'code/box/types.ts: generated',
      'code/box/thing.ts: added a',
    ]);
  });

  test('only what is missing, where another module has a part of the tag', async () => {
    write('export const handlers = () => ({ a() {} });\n');
    const paths = ` { /a: { get: ${operation}, put: ${operation.replace(': a,', ': b,')} } }`;
    writeFileSync(root('contracts', 'box.yaml'), document(paths));
    await addStubs(folders(), []);
    expect(readFileSync(root('code', 'box', 'thing-handlers.ts'), 'utf8')).toContain(
      "export const thingHandlers = (): Handlers<Pick<ThingOperations, 'b'>> => ({\n  async b(",
    );
  });

  test.each(
    valuesOf<[title: string, file: string, text: string, names: string[], said: string]>(
      cases,
      'files that cannot be read',
    ),
  )('%s that cannot be read: nothing is written', async (_title, file, text, names, said) => {
    write('');
    writeFileSync(root(file), text);
    const before = everything();
    await expect(addStubs(folders(), names)).rejects.toThrow(said);
    expect(everything()).toEqual(before);
  });

  test('a document that cannot be read keeps nothing from the others', async () => {
    write('');
    writeFileSync(root('contracts', 'bad.yaml'), 'openapi: [');
    expect(await addStubs(folders(), ['box'])).toHaveLength(2);
  });
});

test('of several files none is written, where one cannot be', () => {
  writeFileSync(root('old.ts'), 'old');
  const files = [root('old.ts'), root('a', 'b', 'new.ts'), root('old.ts', 'c.ts')];
  expect(() => writeTogether(new Map(files.map((file) => [file, 'new'])))).toThrow(
    /ENOTDIR|EEXIST/,
  );
  expect(everything()).toEqual(['old.ts']);
  expect(readFileSync(root('old.ts'), 'utf8')).toBe('old');
});
