import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  foldersOf,
  generatedFiles,
  staleFiles,
  writeGenerated,
} from '../../../../scripts/generate/generated-files';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const EMPTY = 'openapi: 3.0.3\ninfo: { title: Small, version: 1.0.0 }\npaths: {}\n';

const root = useTemporaryFolder();
const folders = () => foldersOf(root());

beforeEach(() => {
  mkdirSync(root('specs'));
  for (const name of ['b.yaml', 'a.yaml', 'notes.txt']) {
    writeFileSync(root('specs', name), EMPTY);
  }
});

describe('generated files', () => {
  test('there is one for each document, in alphabetical order', async () => {
    expect([...(await generatedFiles(folders())).files.keys()]).toEqual([
      'handlers/a/types.ts',
      'handlers/b/types.ts',
    ]);
  });

  test('missing ones are stale and get written', async () => {
    expect(await staleFiles(folders())).toEqual(['handlers/a/types.ts', 'handlers/b/types.ts']);
    expect(await writeGenerated(folders())).toEqual(['handlers/a/types.ts', 'handlers/b/types.ts']);
    expect(await staleFiles(folders())).toEqual([]);
    expect(readFileSync(root('handlers/a/types.ts'), 'utf8')).toBe(
      (await generatedFiles(folders())).files.get('handlers/a/types.ts'),
    );
  });

  test('only what differs is written again', async () => {
    await writeGenerated(folders());
    appendFileSync(root('handlers/b/types.ts'), '// A line by hand.');
    expect(await writeGenerated(folders())).toEqual(['handlers/b/types.ts']);
  });

  test('what has lost its document is stale and gets removed', async () => {
    await writeGenerated(folders());
    rmSync(root('specs/a.yaml'));
    mkdirSync(root('handlers/own'));
    writeFileSync(root('handlers/own/types.ts'), '// Written by hand.');
    expect(await staleFiles(folders())).toEqual(['handlers/a/types.ts']);
    await writeGenerated(folders());
    expect(existsSync(root('handlers/a/types.ts'))).toBe(false);
    expect(existsSync(root('handlers/b/types.ts'))).toBe(true);
    expect(existsSync(root('handlers/own/types.ts'))).toBe(true);
  });

  test.each([
    ['cannot be read', 'openapi: [', 1],
    ['has an error', `${EMPTY}components: { schemas: { A: { type: sting } } }\n`, 4],
  ])(
    'a document that %s is told of, and keeps its types and nothing from the others',
    async (_, text, at) => {
      await writeGenerated(folders());
      writeFileSync(root('specs/a.yaml'), text);
      rmSync(root('handlers/b/types.ts'));
      const { errors } = await generatedFiles(folders());
      const places = [...errors].map(([name, [first]]) => [name, first?.file, first?.line]);
      expect(places).toEqual([['a', 'specs/a.yaml', at]]);
      expect(await staleFiles(folders())).toEqual(['handlers/b/types.ts']);
      expect(await writeGenerated(folders())).toEqual(['handlers/b/types.ts']);
      expect(existsSync(root('handlers/a/types.ts'))).toBe(true);
    },
  );

  test('an update writes what is there already, and nothing else', async () => {
    await writeGenerated(folders());
    rmSync(root('handlers/b'), { recursive: true });
    writeFileSync(
      root('specs/a.yaml'),
      EMPTY.replace(
        'paths: {}',
        'paths: {}\ntags: [{ name: x }]\ncomponents: { schemas: { A: { type: string } } }',
      ),
    );
    expect(await writeGenerated(folders(), undefined, true)).toEqual(['handlers/a/types.ts']);
    expect(existsSync(root('handlers/b'))).toBe(false);
  });

  test('the folders are those of the server, and documents end in .yaml, .yml or .json', async () => {
    const environment = { SPECS_DIRECTORY: 'contracts', HANDLERS_DIRECTORY: 'code' };
    mkdirSync(root('contracts'));
    writeFileSync(root('contracts/c.yml'), EMPTY);
    writeFileSync(
      root('contracts/d.json'),
      JSON.stringify({ openapi: '3.0.3', info: { title: 'D', version: '1' }, paths: {} }),
    );
    const touched = await writeGenerated(foldersOf(root(), environment));
    expect(touched).toEqual(['code/c/types.ts', 'code/d/types.ts']);
  });

  test('a document of several files is typed as one, and its parts are no documents', async () => {
    const schema = 'components:\n  schemas:\n    Thing: { type: object }\n';
    writeFileSync(root('specs/b.yaml'), schema);
    const thing = "{ $ref: 'b.yaml#/components/schemas/Thing' }";
    const content = `{ application/json: { schema: ${thing} } }`;
    const paths = `{ /a: { get: { operationId: a, responses: { '200': { description: A, content: ${content} } } } } }`;
    writeFileSync(root('specs/a.yaml'), `${EMPTY.replace('paths: {}', `paths: ${paths}`)}`);
    const { files } = await generatedFiles(folders());
    expect([...files.keys()]).toEqual(['handlers/a/types.ts']);
    expect(files.get('handlers/a/types.ts')).toContain('response: { status: 200; body: Thing };');
  });
});
