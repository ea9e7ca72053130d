import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  foldersOf,
  generatedFiles,
  staleFiles,
  writeGenerated,
} from '../../../../scripts/generate/generated-files';

const EMPTY = 'openapi: 3.0.3\ninfo: { title: Small, version: 1.0.0 }\npaths: {}\n';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'generated-files-'));
  mkdirSync(join(root, 'specs'));
  for (const name of ['b.yaml', 'a.yaml', 'notes.txt']) {
    writeFileSync(join(root, 'specs', name), EMPTY);
  }
});

afterEach(() => rmSync(root, { recursive: true }));

describe('generated files', () => {
  test('there is one for each document, in alphabetical order', async () => {
    expect([...(await generatedFiles(foldersOf(root))).files.keys()]).toEqual([
      'handlers/a/types.ts',
      'handlers/b/types.ts',
    ]);
  });

  test('missing ones are stale and get written', async () => {
    expect(await staleFiles(foldersOf(root))).toEqual([
      'handlers/a/types.ts',
      'handlers/b/types.ts',
    ]);
    expect(await writeGenerated(foldersOf(root))).toEqual([
      'handlers/a/types.ts',
      'handlers/b/types.ts',
    ]);
    expect(await staleFiles(foldersOf(root))).toEqual([]);
    expect(readFileSync(join(root, 'handlers/a/types.ts'), 'utf8')).toBe(
      (await generatedFiles(foldersOf(root))).files.get('handlers/a/types.ts'),
    );
  });

  test('only what differs is written again', async () => {
    await writeGenerated(foldersOf(root));
    appendFileSync(join(root, 'handlers/b/types.ts'), '// A line by hand.');
    expect(await writeGenerated(foldersOf(root))).toEqual(['handlers/b/types.ts']);
  });

  test('what has lost its document is stale and gets removed', async () => {
    await writeGenerated(foldersOf(root));
    rmSync(join(root, 'specs/a.yaml'));
    mkdirSync(join(root, 'handlers/own'));
    writeFileSync(join(root, 'handlers/own/types.ts'), '// Written by hand.');
    expect(await staleFiles(foldersOf(root))).toEqual(['handlers/a/types.ts']);
    await writeGenerated(foldersOf(root));
    expect(existsSync(join(root, 'handlers/a/types.ts'))).toBe(false);
    expect(existsSync(join(root, 'handlers/b/types.ts'))).toBe(true);
    expect(existsSync(join(root, 'handlers/own/types.ts'))).toBe(true);
  });

  test.each([
    ['cannot be read', 'openapi: [', 1],
    ['has an error', `${EMPTY}components: { schemas: { A: { type: sting } } }\n`, 4],
  ])(
    'a document that %s is told of, and keeps its types and nothing from the others',
    async (_, text, at) => {
      await writeGenerated(foldersOf(root));
      writeFileSync(join(root, 'specs/a.yaml'), text);
      rmSync(join(root, 'handlers/b/types.ts'));
      const { errors } = await generatedFiles(foldersOf(root));
      const places = [...errors].map(([name, [first]]) => [name, first?.file, first?.line]);
      expect(places).toEqual([['a', 'specs/a.yaml', at]]);
      expect(await staleFiles(foldersOf(root))).toEqual(['handlers/b/types.ts']);
      expect(await writeGenerated(foldersOf(root))).toEqual(['handlers/b/types.ts']);
      expect(existsSync(join(root, 'handlers/a/types.ts'))).toBe(true);
    },
  );

  test('an update writes what is there already, and nothing else', async () => {
    await writeGenerated(foldersOf(root));
    rmSync(join(root, 'handlers/b'), { recursive: true });
    writeFileSync(
      join(root, 'specs/a.yaml'),
      EMPTY.replace(
        'paths: {}',
        'paths: {}\ntags: [{ name: x }]\ncomponents: { schemas: { A: { type: string } } }',
      ),
    );
    expect(await writeGenerated(foldersOf(root), undefined, true)).toEqual(['handlers/a/types.ts']);
    expect(existsSync(join(root, 'handlers/b'))).toBe(false);
  });

  test('the folders are those of the server, and documents end in .yaml, .yml or .json', async () => {
    const environment = { SPECS_DIRECTORY: 'contracts', HANDLERS_DIRECTORY: 'code' };
    mkdirSync(join(root, 'contracts'));
    writeFileSync(join(root, 'contracts/c.yml'), EMPTY);
    writeFileSync(
      join(root, 'contracts/d.json'),
      JSON.stringify({ openapi: '3.0.3', info: { title: 'D', version: '1' }, paths: {} }),
    );
    const touched = await writeGenerated(foldersOf(root, environment));
    expect(touched).toEqual(['code/c/types.ts', 'code/d/types.ts']);
  });

  test('a document of several files is typed as one, and its parts are no documents', async () => {
    const schema = 'components:\n  schemas:\n    Thing: { type: object }\n';
    writeFileSync(join(root, 'specs/b.yaml'), schema);
    const thing = "{ $ref: 'b.yaml#/components/schemas/Thing' }";
    const content = `{ application/json: { schema: ${thing} } }`;
    const paths = `{ /a: { get: { operationId: a, responses: { '200': { description: A, content: ${content} } } } } }`;
    writeFileSync(join(root, 'specs/a.yaml'), `${EMPTY.replace('paths: {}', `paths: ${paths}`)}`);
    const { files } = await generatedFiles(foldersOf(root));
    expect([...files.keys()]).toEqual(['handlers/a/types.ts']);
    expect(files.get('handlers/a/types.ts')).toContain('response: { status: 200; body: Thing };');
  });
});
