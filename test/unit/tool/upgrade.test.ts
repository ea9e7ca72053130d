/** `npm run contract -- upgrade`: what it reads and writes. */

import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../../scripts/root-folder';
import { valueAt } from '../../../src/base/json-pointer';
import { diffDocuments } from '../../../src/contract';
import { readSwagger } from '../../../src/document/upgrade/upgrade';
import { loadApiDocument, parseApiDocument } from '../../../src/engine';
import { testSessions } from '../../support/sessions';
import { useWorkingFolder } from '../../support/temporary-folder';
import { runCommand, runLine } from './run-command';

useWorkingFolder();

testSessions(join(__dirname, 'upgrade.session.txt'), runLine);

const filesOf = (folder: string) => join(__dirname, 'upgrade', folder);

/** Upgrades a copy of a document from the folder beside this file, in its place or into another file; `read` gives the text. */
const upgrade = async (name: string, out?: string) => {
  cpSync(filesOf(name), name);
  const { exitCode, err } = await runLine(
    `contract upgrade ${name} ${out === undefined ? '' : `--out ${out}`}`,
  );
  return { exitCode, err, read: () => readFileSync(out ?? name, 'utf8') };
};

test('each file of a document of several is upgraded in its place, and means the same', async () => {
  cpSync(filesOf('split'), '.', { recursive: true });
  const names = ['split.yaml', 'parts/answers.yaml', 'parts/paths.yaml', 'schema.json'];
  const read = () => names.map((name) => readFileSync(name, 'utf8'));
  const [split = '', answers = '', paths = ''] = read();
  const before = await loadApiDocument('split.yaml');
  const { exitCode, out, err } = await runCommand('upgrade', 'split.yaml');
  const lines = names.map((name) => `${name}: written as OpenAPI 3.1.2\n`);
  expect([exitCode, out.split('\n').sort()]).toEqual([0, lines.join('').split('\n').sort()]);
  expect(err).toMatch(/parts\/answers\.yaml:5:\d+ dropped nullable, which .* ignores\n$/);
  const after = await loadApiDocument('split.yaml');
  expect(diffDocuments(before, after)).toEqual([]);
  expect(after.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const changed = [
    split.replace('3.0.3', '3.1.2').replace('string, nullable: true', "[string, 'null']"),
    answers
      .replace('type: object, nullable: true', "type: [object, 'null']")
      .replace('schema.json, nullable: true', 'schema.json'),
    paths.replace('minimum: 1, exclusiveMinimum: true', 'exclusiveMinimum: 1'),
    '{ "type": ["integer", "null"], "examples": [1] }\n',
  ];
  expect(read()).toEqual(changed);
  const again = await runCommand('upgrade', 'split.yaml');
  expect(again.exitCode).toBe(0);
  expect(read()).toEqual(changed);
});

/** npm leaves the converter out where Node.js is too old for it. */
describe('the reader of Swagger 2.0', () => {
  const read = () => readSwagger('a.yaml', readFileSync(filesOf('lossy.yaml'), 'utf8'));

  test('lists what OpenAPI 3 has no equal of, with its place', () => {
    const dropped = read().dropped.map(({ line, name }) => `${line} ${name}`);
    expect(dropped).toEqual([
      '12 collectionFormat: tsv',
      '14 collectionFormat: ssv',
      '15 collectionFormat: csv',
      '23 collectionFormat: tsv',
    ]);
  });

  test('keeps schemas without a media type, formats of headers, and shared fields of forms', () => {
    const { definition } = read();
    expect(definition).toMatchObject({ consumes: ['*/*'], parameters: {} });
    expect(valueAt(definition, '/paths/~1a/post/produces')).toEqual(['*/*']);
    const array = { type: 'array', items: { type: 'string' } };
    expect(valueAt(definition, '/paths/~1a/post/responses/200/headers')).toEqual({
      'X-A': { ...array, style: 'simple' },
      'X-B': array,
    });
    expect(valueAt(definition, '/paths/~1b/post/parameters/0')).toEqual({
      name: 'name',
      in: 'formData',
      collectionFormat: 'csv',
      ...array,
    });
  });
});

test('the reader of Swagger 2.0 gives operations the bodies of their paths, and tells which forms are required', () => {
  const { definition, requireForms } = readSwagger(
    'a.yaml',
    readFileSync(filesOf('sharing.yaml'), 'utf8'),
  );
  expect(valueAt(definition, '/paths/~1file')).toMatchObject({
    parameters: [],
    post: { parameters: [{ name: 'n', type: 'integer' }, { name: 'f' }] },
  });
  const converted = {
    paths: { '/form': { post: { requestBody: {} } }, '/optional': { post: { requestBody: {} } } },
  };
  requireForms(converted);
  expect(converted.paths).toEqual({
    '/form': { post: { requestBody: { required: true } } },
    '/optional': { post: { requestBody: {} } },
  });
});

const hasConverter = existsSync(join(rootFolder, 'node_modules/@scalar/openapi-upgrader'));

describe('Swagger 2.0', () => {
  const testConverted = hasConverter ? test : test.skip;
  const testMissing = hasConverter ? test.skip : test;

  testMissing('is told what to install', async () => {
    const { err } = await upgrade('swagger.json');
    expect(err).toContain(
      'The package @scalar/openapi-upgrader, which a document of Swagger 2.0 needs, is not installed.',
    );
  });

  testConverted('loses nothing without a word', async () => {
    const { exitCode, err, read } = await upgrade('lossy.yaml', 'new.yaml');
    expect(exitCode).toBe(0);
    expect(err.split('\n')).toEqual([
      'lossy.yaml:12:68 dropped collectionFormat: tsv, of which OpenAPI 3 has no equal',
      'lossy.yaml:14:69 dropped collectionFormat: ssv, of which OpenAPI 3 has no equal',
      'lossy.yaml:15:89 dropped collectionFormat: csv, of which OpenAPI 3 has no equal',
      'lossy.yaml:23:55 dropped collectionFormat: tsv, of which OpenAPI 3 has no equal',
      '',
    ]);
    const { diagnostics, operations, definition } = parseApiDocument('a', read());
    expect(diagnostics).toEqual([]);
    expect(definition.components?.requestBodies).toBeUndefined();
    const types = operations.map(({ requestBody }) => requestBody?.content.map(({ key }) => key));
    expect(types).toEqual([['*/*'], ['application/x-www-form-urlencoded']]);
  });

  testConverted(
    'has each body and each response with its own media types, and says which are required',
    async () => {
      const { err, read } = await upgrade('sharing.yaml', 'new.yaml');
      expect(err.split('\n')).toEqual([
        'sharing.yaml:18:7 dropped schemes, of which OpenAPI 3 has no equal',
        'sharing.yaml:20:65 dropped allowEmptyValue, of which OpenAPI 3 has no equal',
        '',
      ]);
      const { diagnostics, operations } = parseApiDocument('a', read());
      expect(diagnostics).toEqual([]);
      const shown = operations.map(({ operationId, requestBody, responses }) => {
        const content = requestBody?.content.map(({ key, schema }) => {
          const fields = [...(schema?.properties ?? [])].map(
            ([name, { types }]) => `${name} ${types}`,
          );
          return `${key} ${schema?.types} ${fields.join(', ')}`.trim();
        });
        const answers = responses[0]?.content.map(({ key }) => key).join();
        return `${operationId}: ${content} ${requestBody?.required ?? false} ${answers}`.trim();
      });
      expect(shown).toEqual([
        'form: application/x-www-form-urlencoded object a string, l array true',
        'optional: multipart/form-data object a string false',
        'file: multipart/form-data object n integer, f string true',
        'body: text/plain integer true text/plain',
        'own: application/json boolean false application/json,application/xml',
      ]);
      expect(operations[1]?.parameters[0]?.examples.map(({ value }) => value)).toEqual(['k']);
    },
  );

  testConverted('is converted, bodies that are shared included', async () => {
    const { exitCode, read } = await upgrade('swagger.json');
    expect(exitCode).toBe(0);
    const text = read();
    expect(text).toMatch(/^\{\n {2}"openapi": "3\.1\.2",\n/);
    const { diagnostics, operations, schemas, basePath } = parseApiDocument('a.json', text);
    expect(diagnostics).toEqual([]);
    expect(basePath).toBe('/a');
    const [operation] = operations;
    expect(operation?.parameters.map(({ name }) => name)).toEqual(['tags']);
    expect(operation?.requestBody?.content[0]?.schema).toBe(schemas.get('Pet'));
    expect(schemas.get('Pet')?.properties?.get('id')?.maximum).toBe(9223372036854775807n);
  });
});
