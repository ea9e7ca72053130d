/** `npm run contract -- upgrade`: what it reads and writes. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../../scripts/root-folder';
import { parseApiDocument } from '../../../src/engine';
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

const files = {
  'a.yaml': `${head}paths: {}\nx-a: 1 # kept\n`,
  'newer.yaml': `${head.replace('3.0.3', '3.2.0')}$self: https://a.test/api\npaths: {}\n`,
  'several.yaml': `${head}paths: {/a: {$ref: 'part.yaml#/a'}}\n`,
  'part.yaml':
    "a: {get: {responses: {'200': {description: A, content: {a/b: {schema: {type: string, nullable: true}}}}}}}\n",
  'swagger.json': swaggerText,
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

test('a document of several files is written into one', async () => {
  expect(await upgrade('several.yaml')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('refers to other files'),
  });
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
const hasConverter = existsSync(join(rootFolder, 'node_modules/@scalar/openapi-upgrader'));

describe('Swagger 2.0', () => {
  const testConverted = hasConverter ? test : test.skip;
  const testMissing = hasConverter ? test.skip : test;

  testMissing('is told what to install', async () => {
    const { err } = await upgrade('swagger.json');
    expect(err).toContain(
      'The package @scalar/openapi-upgrader, which a document of Swagger 2.0 (with Node.js 22 or newer) needs, is not installed.',
    );
  });

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
