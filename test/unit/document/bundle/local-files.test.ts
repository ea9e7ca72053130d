/** The local files that a document may be made of. */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { loadApiDocument } from '../../../../src/engine';
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

test('W41 a document that is given with another one is known by its $self wherever it lies', async () => {
  const self = (name: string) => `$self: https://a.test/${name}\n`;
  const folder = writeFiles({
    'specs/api.yaml': `${self('api')}${schemaAt('b#/components/schemas/B')}`.replace(
      '3.0.3',
      '3.2.0',
    ),
    'elsewhere/b.yaml': `${self('b')}${head}components: {schemas: {B: {type: string}}}\n`.replace(
      '3.0.3',
      '3.2.0',
    ),
  });
  const [file, other] = [join(folder, 'specs', 'api.yaml'), join(folder, 'elsewhere', 'b.yaml')];
  const { diagnostics, files } = await loadApiDocument(file, { together: [file, other] });
  expect([diagnostics, [...files]]).toEqual([[], [pathToFileURL(other).href]]);
  const alone = await loadApiDocument(file);
  expect(alone.diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The reference b#\S+ cannot be resolved: it leads to another server, /),
  ]);
});

/** Links are relative to `specs/`. */
const loadLinked = (links: Readonly<Record<string, string>>, reference: string) => {
  const folder = writeFiles({
    'specs/api.yaml': schemaAt(reference),
    'specs/..data/b.yaml': 'type: string',
    'elsewhere/b.yaml': 'type: string',
  });
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(target, join(folder, 'specs', name));
  }
  // As the documents of a folder are read.
  const together = ['api.yaml', ...Object.keys(links)].map((name) => join(folder, 'specs', name));
  return loadApiDocument(join(folder, 'specs', 'api.yaml'), { together });
};

test.each([
  ['of a file', { 'c.yaml': '../elsewhere/b.yaml' }, 'c.yaml'],
  ['of a folder', { dir: '../elsewhere' }, 'dir/b.yaml'],
  ['of a link', { one: '../elsewhere', two: 'one' }, 'two/b.yaml'],
])('D10 a link that leads out of the folder is not followed: %s', async (_, links, reference) => {
  const { diagnostics, definition } = await loadLinked(links, reference);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/cannot be resolved: it leads out of the folder .*, /),
  ]);
  expect(JSON.stringify(definition)).not.toContain('"type":"string"');
});

test.each([
  ['to a file of it', { 'c.yaml': '..data/b.yaml' }, 'c.yaml'],
  ['that leads nowhere', { 'c.yaml': 'gone.yaml' }, 'c.yaml'],
])('D10 a link within the folder is followed: %s', async (_, links, reference) => {
  const { diagnostics } = await loadLinked(links, reference);
  const isThere = links['c.yaml'] !== 'gone.yaml';
  expect(diagnostics.map(({ message }) => message)).toEqual(
    isThere ? [] : [expect.stringMatching(/there is no file .*c\.yaml/)],
  );
});

test.each([
  ['a text', 'root:x:0:0:root', 'the text "root:x:0:0:root"', 'a text'],
  ['a number', '7', 'the number 7', 'a number'],
  ['a field', '{description: 7, nullable: true}', 'the number 7', 'a number'],
])('D10 of a file that is no document a fault shows no value: %s', async (_, text, shown, kind) => {
  const messagesOf = async (content: string, reference: string): Promise<string> => {
    const folder = writeFiles({ 'api.yaml': schemaAt(reference), 'b.yaml': content });
    const { diagnostics } = await loadApiDocument(join(folder, 'api.yaml'));
    return diagnostics.map(({ message }) => message).join('\n');
  };
  const hidden = await messagesOf(text, 'b.yaml');
  expect([hidden.includes(kind), hidden.includes(shown)]).toEqual([true, false]);
  const document = `openapi: 3.0.3\na: ${text}\n`;
  expect(await messagesOf(document, 'b.yaml#/a')).toContain(shown);
});

/** Examples in files beside `api.yaml`, by the media type. */
const examples = (version: string) => `openapi: ${version}
info: { title: Test, version: '1' }
paths:
  /a:
    get:
      operationId: a
      responses:
        '200':
          description: A
          content:
            application/json: { schema: {}, examples: { a: { externalValue: a.txt }, b: { $ref: 'parts/b.yaml#/b' } } }
            application/xml: { schema: {}, examples: { c: { externalValue: ./c.json } } }
`;

test.each([
  ['3.0.3', 'value'],
  ['3.1.0', 'value'],
  ['3.2.0', 'serializedValue'],
])('the file of an example is put in its place in OpenAPI %s', async (version, field) => {
  const folder = writeFiles({
    'specs/api.yaml': examples(version),
    'specs/a.txt': '{"id": 9007199254740993}',
    'specs/parts/b.yaml': 'b: { externalValue: ./b.json }',
    'specs/parts/b.json': '[true]',
    'specs/c.json': '<c/>',
  });
  const { diagnostics, definition, files, operations } = await loadApiDocument(
    join(folder, 'specs', 'api.yaml'),
  );
  expect([diagnostics, files.size]).toEqual([[], 4]);
  expect(definition).toMatchObject({
    paths: {
      '/a': {
        get: {
          responses: {
            200: {
              content: {
                'application/json': { examples: { a: { value: { id: 9007199254740993n } } } },
                'application/xml': { examples: { c: { [field]: '<c/>' } } },
              },
            },
          },
        },
      },
    },
  });
  const named = operations[0]?.responses[0]?.content.flatMap((content) => content.examples);
  expect(named?.map(({ name, value, serialized }) => [name, value ?? serialized])).toEqual([
    ['a', { id: 9007199254740993n }],
    ['b', [true]],
    ['c', '<c/>'],
  ]);
});

test.each([
  ['that is not there', 'gone.json', /gone.json cannot be read: there is no file/],
  ['on another server', 'https://a.test/a.json', /: it leads to another server/],
  ['out of the folder', '../out.json', /: it leads out of the folder/],
  ['by a link', 'link.json', /: it leads out of the folder/],
  ['that is broken', 'broken.json', /: The \{ of line 1 is not closed. Add its \}\. Mocks/],
  ['that is no text', 'a.png', /: The file is not valid UTF-8/],
])('an example in a file is left alone: %s', async (_, named, message) => {
  const folder = writeFiles({
    'specs/api.yaml': examples('3.1.0').replace('a.txt', named),
    'specs/c.json': '1',
    'specs/parts/b.yaml': 'b: { value: 1 }',
    'specs/broken.json': '{"a": 1',
    'specs/a.png': Buffer.from([0x89, 0x50, 0xff]),
    'out.json': '1',
  });
  symlinkSync('../out.json', join(folder, 'specs', 'link.json'));
  const { diagnostics, definition } = await loadApiDocument(join(folder, 'specs', 'api.yaml'));
  expect(diagnostics).toEqual([
    expect.objectContaining({
      severity: 'warning',
      line: 11,
      message: expect.stringMatching(message),
    }),
  ]);
  expect(JSON.stringify(definition)).toContain(`{"externalValue":"${named}"}`);
});
