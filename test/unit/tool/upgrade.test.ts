/** `npm run contract -- upgrade`: what it reads and writes. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../../scripts/root-folder';
import { valueAt } from '../../../src/base/json-pointer';
import { diffDocuments } from '../../../src/contract';
import { readSwagger } from '../../../src/document/upgrade/upgrade';
import { loadApiDocument, parseApiDocument } from '../../../src/engine';
import { head, writeFiles } from '../document/bundle/source-folder';
import { runCommand } from './run-command';

const swagger = {
  swagger: '2.0',
  info: { title: 'A', version: '1' },
  basePath: '/a',
  parameters: {
    Pet: { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
  },
  paths: {
    '/pets': {
      post: {
        operationId: 'addPet',
        consumes: ['application/json'],
        parameters: [
          { $ref: '#/parameters/Pet' },
          { name: 'tags', in: 'query', type: 'array', items: { type: 'string' } },
        ],
        responses: { 200: { description: 'OK' } },
      },
    },
  },
  definitions: {
    Pet: { type: 'object', properties: { id: { type: 'integer', maximum: 1 } } },
  },
};
// A number that no double holds.
const swaggerText = JSON.stringify(swagger).replace('"maximum":1', '"maximum":9223372036854775807');

/** What OpenAPI 3 has no equal of, and what the converter would lose. */
const lossy = `swagger: '2.0'
info: {title: A, version: '1'}
consumes: []
parameters:
  name: {name: name, in: formData, type: array, items: {type: string}}
paths:
  /a:
    post:
      produces: []
      parameters:
        - {name: d, in: query, type: array, items: {type: string}, collectionFormat: tsv}
        - {name: e, in: query, type: array, items: {type: string}, collectionFormat: pipes}
        - {name: f, in: header, type: array, items: {type: string}, collectionFormat: ssv}
        - {name: g, in: query, type: array, items: {type: array, items: {type: string}, collectionFormat: csv}}
        - {name: b, in: body, schema: {type: integer}}
      responses:
        '200':
          description: Fine
          schema: {type: string}
          headers:
            X-A: {type: array, items: {type: string}, collectionFormat: csv}
            X-B: {type: array, items: {type: string}, collectionFormat: tsv}
  /b:
    post:
      consumes: [application/x-www-form-urlencoded]
      parameters: [{$ref: '#/parameters/name'}]
      responses: {'200': {description: Fine}}
`;

/** Bodies, responses and media types that operations share, and whose owners the converter forgets. */
const sharing = `swagger: '2.0'
info: {title: A, version: '1'}
host: a.test
consumes: [application/json]
produces: [application/json]
parameters:
  Body: {name: b, in: body, required: true, schema: {type: integer}}
responses:
  Text: {description: Fine, schema: {type: string}}
securityDefinitions:
  app: {type: oauth2, flow: application, tokenUrl: 'https://a.test/token'}
paths:
  /form:
    post:
      operationId: form
      consumes: [application/x-www-form-urlencoded]
      schemes: [https]
      parameters:
        - {name: a, in: formData, required: true, type: string, allowEmptyValue: true}
        - {name: l, in: formData, type: array, items: {type: string}, collectionFormat: multi}
      responses: {'200': {description: Fine}}
  /optional:
    post:
      operationId: optional
      consumes: [multipart/form-data]
      parameters: [{name: a, in: formData, type: file}, {name: q, in: query, type: string, x-example: k}]
      responses: {'200': {description: Fine}}
  /file:
    parameters: [{name: f, in: formData, required: true, type: file}, {name: n, in: formData, type: string}]
    post:
      operationId: file
      consumes: [multipart/form-data]
      parameters: [{name: n, in: formData, type: integer}]
      responses: {'200': {description: Fine}}
  /body:
    put:
      operationId: body
      consumes: [text/plain]
      produces: [text/plain]
      responses: {'200': {$ref: '#/responses/Text'}}
    post:
      operationId: own
      parameters: [{name: c, in: body, schema: {type: boolean}}]
      produces: [application/json, application/xml]
      responses: {'200': {description: Fine, schema: {type: object}, examples: {application/json: {a: 1}}}}
    parameters: [{$ref: '#/parameters/Body'}]
`;

const files = {
  'a.yaml': `${head}paths: {}\nx-a: 1 # kept\n`,
  'newer.yaml': `${head.replace('3.0.3', '3.2.0')}$self: https://a.test/api\npaths: {}\n`,
  'several.yaml': `${head}paths: {/a: {$ref: 'part.yaml#/a'}}\n`,
  'part.yaml':
    "a: {get: {responses: {'200': {description: A, content: {a/b: {schema: {type: string, nullable: true}}}}}}}\n",
  'swagger.json': swaggerText,
  'lossy.yaml': lossy,
  'sharing.yaml': sharing,
};

const upgrade = async (name: string, ...args: readonly string[]) => {
  const folder = writeFiles(files);
  const given = args.map((arg) => (arg.startsWith('-') ? arg : join(folder, arg)));
  const { exitCode, out, err } = await runCommand('upgrade', join(folder, name), ...given);
  const written = (file: string): string => readFileSync(join(folder, file), 'utf8');
  return { exitCode, out: out.replaceAll(folder, 'specs'), err, written };
};

test('a document is written in its place', async () => {
  const { exitCode, out, written } = await upgrade('a.yaml');
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: 'specs/a.yaml: written as OpenAPI 3.1.2\n',
  });
  expect(written('a.yaml')).toBe(files['a.yaml'].replace(/openapi: .*/, 'openapi: 3.1.2'));
});

test('as one of 3.2, where that is asked for, and never as an older one', async () => {
  const first = await upgrade('a.yaml', '--to=3.2', '--out', 'b.yaml');
  expect(first).toMatchObject({ exitCode: 0, out: 'specs/b.yaml: written as OpenAPI 3.2.0\n' });
  expect(first.written('b.yaml')).toBe(files['a.yaml'].replace(/openapi: .*/, 'openapi: 3.2.0'));
  const newer = await upgrade('newer.yaml', '--format=json');
  expect(JSON.parse(newer.out)).toEqual({
    file: 'specs/newer.yaml',
    openapi: '3.2.0',
    dropped: [],
  });
  expect(newer.written('newer.yaml')).toBe(files['newer.yaml']);
  expect(await upgrade('a.yaml', '--to=3.3')).toMatchObject({ exitCode: 2 });
});

test('or elsewhere', async () => {
  const { exitCode, written } = await upgrade('a.yaml', '--out', 'b.yaml');
  expect(exitCode).toBe(0);
  expect(written('a.yaml')).toBe(files['a.yaml']);
  expect(written('b.yaml')).toContain('openapi: 3.1.2\n');
});

/** A document whose parts are used in several places, from several files and folders. */
const split = {
  'split.yaml': `${head}# The paths.
paths:
  /a: {$ref: parts/paths.yaml#/a}
  /b: {get: {responses: {'200': {$ref: parts/answers.yaml#/b}, '404': {$ref: parts/answers.yaml#/b}}}}
components:
  schemas:
    Own: {type: string, nullable: true, x-part: {$ref: no.yaml}}
    Other: {$ref: schema.json}
`,
  'parts/paths.yaml': `a: # The first one.
  get:
    parameters: [{name: n, in: query, schema: {type: integer, minimum: 1, exclusiveMinimum: true}}]
    responses: {'200': {$ref: 'answers.yaml#/b'}} # Shared.
`,
  'parts/answers.yaml': `# Answers.
b:
  description: B
  content:
    application/json: {schema: {type: object, nullable: true, properties: {own: {$ref: '../split.yaml#/components/schemas/Own'}, other: {$ref: ../schema.json, nullable: true}}}}
`,
  'schema.json': '{"type": "integer", "nullable": true, "example": 1}',
};

test('each file of a document of several is upgraded in its place, and means the same', async () => {
  const folder = writeFiles(split);
  const load = () => loadApiDocument(join(folder, 'split.yaml'));
  const before = await load();
  const { exitCode, out, err } = await runCommand('upgrade', join(folder, 'split.yaml'));
  const names = ['split.yaml', 'parts/answers.yaml', 'parts/paths.yaml', 'schema.json'];
  const lines = names.map((name) => `${join(folder, name)}: written as OpenAPI 3.1.2\n`);
  expect([exitCode, out.split('\n').sort()]).toEqual([0, lines.join('').split('\n').sort()]);
  expect(err).toMatch(/parts\/answers\.yaml:5:\d+ dropped nullable, which .* ignores\n$/);
  const after = await load();
  expect(diffDocuments(before, after)).toEqual([]);
  expect(after.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  const changed = [
    split['split.yaml']
      .replace('3.0.3', '3.1.2')
      .replace('string, nullable: true', "[string, 'null']"),
    split['parts/answers.yaml']
      .replace('type: object, nullable: true', "type: [object, 'null']")
      .replace('schema.json, nullable: true', 'schema.json'),
    split['parts/paths.yaml'].replace('minimum: 1, exclusiveMinimum: true', 'exclusiveMinimum: 1'),
    '{"type": ["integer", "null"], "examples": [1]}',
  ];
  expect(texts).toEqual(changed);
  const again = await runCommand('upgrade', join(folder, 'split.yaml'));
  expect(again.exitCode).toBe(0);
  expect(names.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(changed);
});

test('a file that is a document of its own is not changed for another one', async () => {
  const folder = writeFiles({
    'a.yaml': `${head}paths: {/a: {$ref: 'b.yaml#/paths/~1b'}}\n`,
    'b.yaml': `${head}paths: {/b: {get: {responses: {'200': {description: B}}}}}\n`,
  });
  const { exitCode, err } = await runCommand('upgrade', join(folder, 'a.yaml'));
  expect([exitCode, err]).toEqual([
    2,
    `${join(folder, 'b.yaml')} is a document of its own. Give --out FILE for one document of all files.\n`,
  ]);
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toContain('3.0.3');
});

test('a document of several files is written into one', async () => {
  const { written } = await upgrade('several.yaml', '--out', 'whole.yaml');
  const { operations } = parseApiDocument('whole.yaml', written('whole.yaml'));
  const [operation] = operations;
  expect(operation?.responses[0]?.content[0]?.schema?.types).toEqual(['string', 'null']);
});

test('a file that is none', async () => {
  const { exitCode, err } = await upgrade('none.yaml');
  expect(exitCode).toBe(2);
  expect(err).toContain('The document cannot be read');
});

/** npm leaves the converter out where Node.js is too old for it. */
describe('the reader of Swagger 2.0', () => {
  const read = () => readSwagger('a.yaml', lossy);

  test('lists what OpenAPI 3 has no equal of, with its place', () => {
    const dropped = read().dropped.map(({ line, name }) => `${line} ${name}`);
    expect(dropped).toEqual([
      '11 collectionFormat: tsv',
      '13 collectionFormat: ssv',
      '14 collectionFormat: csv',
      '22 collectionFormat: tsv',
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
  const { definition, requireForms } = readSwagger('a.yaml', sharing);
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
    const { exitCode, err, written } = await upgrade('lossy.yaml', '--out', 'new.yaml');
    expect(exitCode).toBe(0);
    expect(err.split('\n').map((line) => line.replace(/^.*lossy/, 'lossy'))).toEqual([
      'lossy.yaml:11:68 dropped collectionFormat: tsv, of which OpenAPI 3 has no equal',
      'lossy.yaml:13:69 dropped collectionFormat: ssv, of which OpenAPI 3 has no equal',
      'lossy.yaml:14:89 dropped collectionFormat: csv, of which OpenAPI 3 has no equal',
      'lossy.yaml:22:55 dropped collectionFormat: tsv, of which OpenAPI 3 has no equal',
      '',
    ]);
    const { diagnostics, operations, definition } = parseApiDocument('a', written('new.yaml'));
    expect(diagnostics).toEqual([]);
    expect(definition.components?.requestBodies).toBeUndefined();
    const types = operations.map(({ requestBody }) => requestBody?.content.map(({ key }) => key));
    expect(types).toEqual([['*/*'], ['application/x-www-form-urlencoded']]);
  });

  testConverted(
    'has each body and each response with its own media types, and says which are required',
    async () => {
      const { err, written } = await upgrade('sharing.yaml', '--out', 'new.yaml');
      expect(err.split('\n').map((line) => line.replace(/^.*sharing/, 'sharing'))).toEqual([
        'sharing.yaml:17:7 dropped schemes, of which OpenAPI 3 has no equal',
        'sharing.yaml:19:65 dropped allowEmptyValue, of which OpenAPI 3 has no equal',
        '',
      ]);
      const { diagnostics, operations } = parseApiDocument('a', written('new.yaml'));
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
    const { exitCode, written } = await upgrade('swagger.json');
    expect(exitCode).toBe(0);
    const text = written('swagger.json');
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
