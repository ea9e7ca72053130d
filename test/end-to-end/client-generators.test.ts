/** The documents that are served suit generators of typed clients, and what these write compiles strictly. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { rootFolder } from '../../scripts/root-folder';
import { ask } from '../conformance/ask';
import { serveDocument } from '../support/serve-document';
import { useServices } from '../support/services';

const folder = mkdtempSync(join(tmpdir(), 'clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

const preload = pathToFileURL(join(rootFolder, 'test/support/serve-typescript-5.mjs')).href;

const run = (program: string, ...args: readonly string[]): void => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(rootFolder, 'node_modules', program), ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: `--import ${preload}` },
    },
  );
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
};

const uses = `
import { findPetsByStatus } from './hey-petstore';
import type { Ad } from './hey-ads';
import type { components as Ads } from './types-ads';
import type { components, operations } from './types-petstore';

export const several: operations['findPetsByStatus']['parameters']['query'] = { status: ['sold', 'pending'] };
export const faults = (body: components['schemas']['ApiResponse']) => body.errors?.map(({ in: part }) => part);
export const call = () => findPetsByStatus({ query: { status: ['sold', 'pending'] } });
export const titleOf = (ad: Ad, same: Ads['schemas']['Ad']): string[] => [ad.title, same.title];
`;

describe('clients of the services', () => {
  const services = useServices();

  test('are written by openapi-typescript and openapi-ts, and compile', async () => {
    for (const name of ['petstore', 'ads']) {
      for (const ending of ['json', 'yaml']) {
        const { text } = await services().ask(`GET /${name}/openapi.${ending}`);
        writeFileSync(join(folder, `${name}.${ending}`), text);
      }
      run('openapi-typescript/bin/cli.js', `${name}.json`, '-o', `types-${name}.ts`);
      run(
        '@hey-api/openapi-ts/bin/run.js',
        ...['-i', `${name}.yaml`, '-o', `hey-${name}`, '--no-log-file'],
      );
    }
    writeFileSync(join(folder, 'uses.ts'), uses);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', types: [] },
      ...{ lib: ['es2023', 'dom', 'dom.iterable'], moduleResolution: 'bundler' },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    run('typescript/bin/tsc', '-p', '.');
  }, 60_000);

  test('send several statuses as these clients write them', async () => {
    const { ask: askService, petToken: token } = services();
    const ids = async (query: string) =>
      JSON.parse((await askService(`GET /petstore/pet/findByStatus?${query}`, { token })).text)
        .length;
    const one = await ids('status=sold');
    expect(await ids('status=sold,pending')).toBe(one + (await ids('status=pending')));
  });
});

describe('what is served of a document that generators cannot use', () => {
  const missing = (section: string) => ({ $ref: `#/components/${section}/Gone` });
  const told = (section: string) => ({
    description: `The document refers to #/components/${section}/Gone, which does not exist.`,
    'x-broken-reference': `#/components/${section}/Gone`,
  });
  const list = { name: 'l', in: 'query', 'x-comma-separated': true };
  const get = (parameters: object[], requestBody: object, response: object) => ({
    get: { operationId: 'a', parameters, requestBody, responses: { 200: response } },
  });
  const document = {
    paths: {
      '/a': get(
        [missing('parameters'), { ...list, schema: { type: 'integer', default: 1 }, example: 2 }],
        missing('requestBodies'),
        missing('responses'),
      ),
    },
    components: {
      schemas: {
        A: { properties: { a: missing('schemas'), b: { $ref: '#/components/schemas/B' } } },
        B: {},
      },
      headers: { H: missing('headers') },
      examples: { E: missing('examples') },
    },
  };
  const usable = {
    paths: {
      '/a': get(
        [
          { name: 'Gone', in: 'query', schema: {}, ...told('parameters') },
          {
            ...list,
            ...{ style: 'form', explode: false, example: [2] },
            schema: { type: 'array', items: { type: 'integer' }, minItems: 1, default: [1] },
          },
        ],
        { content: {}, ...told('requestBodies') },
        told('responses'),
      ),
    },
    components: {
      schemas: {
        A: { properties: { a: told('schemas'), b: { $ref: '#/components/schemas/B' } } },
        B: {},
      },
      headers: { H: { schema: {}, ...told('headers') } },
      examples: { E: told('examples') },
    },
  };

  test.each([
    ['openapi.json', usable],
    ['openapi.yaml', usable],
    ['openapi.json?original', document],
    ['openapi.yaml?original', document],
  ])('%s', async (path, want) => {
    const { url } = await serveDocument({ document });
    expect(parse((await ask(url, `/${path}`)).body)).toMatchObject(want);
  });

  test('is the text itself where nothing stands in the way', async () => {
    const text = "# Ours\nopenapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths: {}\n";
    const { url } = await serveDocument({ document: text });
    for (const query of ['', '?original', '?other']) {
      expect((await ask(url, `/openapi.yaml${query}`)).body).toBe(text);
    }
  });
});
