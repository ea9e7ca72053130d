import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  generatedFiles,
  staleFiles,
  writeGenerated,
} from '../../../../scripts/generate/generated-files';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const EMPTY = 'openapi: 3.0.3\ninfo: { title: Small, version: 1.0.0 }\npaths: {}\n';

const fileIn = useTemporaryFolder();
let root = '';

beforeEach(() => {
  root = fileIn();
  mkdirSync(fileIn('specs'));
  for (const name of ['b.yaml', 'a.yaml', 'notes.txt']) writeFileSync(fileIn('specs', name), EMPTY);
});

describe('generated files', () => {
  test('there is one for each document; missing ones are stale and get written', async () => {
    expect(await staleFiles(root)).toEqual(['handlers/a/types.ts', 'handlers/b/types.ts']);
    expect(await writeGenerated(root)).toEqual(['handlers/a/types.ts', 'handlers/b/types.ts']);
    expect(await staleFiles(root)).toEqual([]);
    expect(readFileSync(fileIn('handlers/a/types.ts'), 'utf8')).toBe(
      (await generatedFiles(root)).get('handlers/a/types.ts'),
    );
  });

  test('what has lost its document is stale and gets removed', async () => {
    await writeGenerated(root);
    rmSync(fileIn('specs/a.yaml'));
    mkdirSync(fileIn('handlers/own'));
    writeFileSync(fileIn('handlers/own/types.ts'), '// Written by hand.');
    expect(await staleFiles(root)).toEqual(['handlers/a/types.ts']);
    await writeGenerated(root);
    expect(existsSync(fileIn('handlers/a/types.ts'))).toBe(false);
    expect(existsSync(fileIn('handlers/b/types.ts'))).toBe(true);
    expect(existsSync(fileIn('handlers/own/types.ts'))).toBe(true);
  });

  test('a document that is none stops the generator with its name', async () => {
    writeFileSync(fileIn('specs/a.yaml'), 'openapi: [');
    await expect(generatedFiles(root)).rejects.toThrow(/^specs\/a\.yaml:/);
  });

  test('a document of several files is typed as one, and its parts are no documents', async () => {
    const schema = 'components:\n  schemas:\n    Thing: { type: object }\n';
    writeFileSync(fileIn('specs/b.yaml'), schema);
    const thing = "{ $ref: 'b.yaml#/components/schemas/Thing' }";
    const content = `{ application/json: { schema: ${thing} } }`;
    const paths = `{ /a: { get: { operationId: a, responses: { '200': { description: A, content: ${content} } } } } }`;
    writeFileSync(fileIn('specs/a.yaml'), `${EMPTY.replace('paths: {}', `paths: ${paths}`)}`);
    const files = await generatedFiles(root);
    expect([...files.keys()]).toEqual(['handlers/a/types.ts']);
    expect(files.get('handlers/a/types.ts')).toContain('response: { status: 200; body: Thing;');
  });
});
