import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { generatedFiles, staleFiles, writeGenerated } from '../../../scripts/generated-files';

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
  test('there is one for each document, in alphabetical order', () => {
    expect([...generatedFiles(root).keys()]).toEqual(['a.ts', 'b.ts']);
  });

  test('missing ones are stale and get written', () => {
    expect(staleFiles(root)).toEqual(['src/generated/a.ts', 'src/generated/b.ts']);
    expect(writeGenerated(root)).toEqual(['src/generated/a.ts', 'src/generated/b.ts']);
    expect(staleFiles(root)).toEqual([]);
    expect(readFileSync(join(root, 'src/generated/a.ts'), 'utf8')).toBe(
      generatedFiles(root).get('a.ts'),
    );
  });

  test('only what differs is written again', () => {
    writeGenerated(root);
    appendFileSync(join(root, 'src/generated/b.ts'), '// A line by hand.');
    expect(writeGenerated(root)).toEqual(['src/generated/b.ts']);
  });

  test('what has lost its document is stale and gets removed', () => {
    writeGenerated(root);
    rmSync(join(root, 'specs/a.yaml'));
    writeFileSync(join(root, 'src/generated/own.ts'), '// Written by hand.');
    expect(staleFiles(root)).toEqual(['src/generated/a.ts']);
    writeGenerated(root);
    expect(readdirSync(join(root, 'src/generated'))).toEqual(['b.ts', 'own.ts']);
  });

  test('a document that is none stops the generator with its name', () => {
    writeFileSync(join(root, 'specs/a.yaml'), 'openapi: [');
    expect(() => generatedFiles(root)).toThrow(/^specs\/a\.yaml:/);
  });
});
