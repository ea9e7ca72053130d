/** Folders of small files, for tests about documents of several files; gone when the tests are done. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { LoadOptions } from '../../../../src/document/document';
import { type ApiDocument, loadApiDocument } from '../../../../src/engine/document/api-document';

/** File names, perhaps with folders, to contents. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Writes the files into a new folder; answers its path. */
export const writeFiles = (files: Files): string => {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
};

/** Loads `api.yaml` of the files; reports call it `specs/api.yaml`. */
export const loadFiles = (files: Files, options: LoadOptions = {}): Promise<ApiDocument> =>
  loadApiDocument(join(writeFiles(files), 'api.yaml'), {
    calledAs: 'specs/api.yaml',
    ...options,
  });

/** The first lines of a document; what follows begins on line 3. */
export const head = `openapi: 3.0.3\ninfo: {title: Test, version: '1'}\n`;
