/** Which local files a document may be made of. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadApiDocument } from '../../../../../src/engine';
import { head, writeFiles } from './source-folder';

const schemaAt = (reference: string): string =>
  `${head}paths: {/a: {get: {operationId: a, responses: {'200': {description: A}}}}}\ncomponents: {schemas: {A: {$ref: '${reference}'}}}\n`;

const load = (reference: string, allowed?: string) => {
  const folder = writeFiles({
    'specs/api.yaml': schemaAt(reference),
    'specs/below/b.yaml': 'type: string',
    'specs-too/b.yaml': 'type: string',
    'b.yaml': 'type: string',
  });
  const referencesFolder = allowed === undefined ? undefined : join(folder, allowed);
  return loadApiDocument(join(folder, 'specs', 'api.yaml'), { referencesFolder });
};

test.each([
  ['in a folder below', './below/b.yaml', undefined],
  ['by a way that leads out and back', '../specs/below/b.yaml', undefined],
  ['elsewhere, where that is allowed', '../b.yaml', '.'],
  ['beside it, where that is allowed', '../specs-too/b.yaml', '.'],
])('D10 a file is read: %s', async (_, reference, allowed) => {
  const { diagnostics, files } = await load(reference, allowed);
  expect([diagnostics, files.size]).toEqual([[], 1]);
});

test.each([
  ['above', '../b.yaml', undefined],
  ['beside, with a name that begins alike', '../specs-too/b.yaml', undefined],
  ['anywhere', 'file:///etc/hosts', undefined],
  ['above the folder that is allowed', '../b.yaml', 'specs'],
  ['in another folder than is allowed', './below/b.yaml', 'specs-too'],
])('D10 a file is not read: %s', async (_, reference, allowed) => {
  const { diagnostics, definition } = await load(reference, allowed);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The reference \S+ cannot be resolved: it leads out of the folder .*, /),
  ]);
  expect(JSON.stringify(definition)).not.toContain('"type":"string"');
});
