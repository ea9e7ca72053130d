/** `spec-first new`, `types` and `stubs` as programs run them: what they write compiles, and the new server answers. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../scripts/machine/free-port';
import { rootFolder } from '../../scripts/root-folder';
import { type Ask, askAt } from '../support/ask';
import { copyProject, engineParts, removeCopy } from '../support/check-types';
import { runScript, tsxOptions } from '../support/run-script';

const compiler = join(rootFolder, 'node_modules/typescript/bin/tsc');

const moreOperations = `  /count:
    get:
      operationId: countItems
      responses: { '200': { description: How many } }
`;

let copy = '';
let server: ChildProcess;
let ask: Ask;

const run = (...args: readonly string[]) =>
  runScript(copy, join(rootFolder, 'src/tool/main.ts'), ...args);

beforeAll(async () => {
  copy = copyProject(engineParts);
  expect(run('new', 'shop')).toMatchObject({ status: 0, err: '' });
  // The package as programs import it, and its own settings where they are stricter.
  const paths = { 'spec-first': ['./src/package/index.ts'] };
  const settings = {
    extends: ['./tsconfig.json', './shop/tsconfig.json'],
    // A second check looks again only at what has changed.
    compilerOptions: { paths, incremental: true, tsBuildInfoFile: './shop.tsbuildinfo' },
    include: ['shop'],
  };
  writeFileSync(join(copy, 'tsconfig.shop.json'), JSON.stringify(settings));
  const port = await freePort();
  const TSX_TSCONFIG_PATH = join(copy, 'tsconfig.shop.json');
  server = spawn(process.execPath, [...tsxOptions, join(copy, 'shop/server.ts')], {
    cwd: copy,
    env: { ...process.env, TSX_TSCONFIG_PATH, PORT: String(port), API_KEY: 'k' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (server.stdout !== null) await once(server.stdout, 'data');
  ask = askAt(`http://127.0.0.1:${port}`);
});

afterAll(async () => {
  if (server.exitCode === null && server.kill()) await once(server, 'exit');
  removeCopy(copy);
});

test('the new service compiles, and so it does with stubs for new operations', () => {
  const check = () =>
    spawnSync(process.execPath, [compiler, '-p', 'tsconfig.shop.json'], {
      ...{ cwd: copy, encoding: 'utf8' },
    }).stdout;
  expect(check()).toBe('');
  const file = join(copy, 'shop/shop.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('\npaths:\n', `\npaths:\n${moreOperations}`),
  );
  expect(run('types', 'shop/shop.yaml', '--out', 'shop/shop.ts').status).toBe(0);
  expect(check()).toContain("Property 'countItems' is missing");
  const missing = run('stubs', 'shop/shop.yaml', '--out', 'shop/handlers.ts');
  expect([missing.status, missing.out]).toEqual([1, expect.stringContaining('async countItems(')]);
  const handlers = join(copy, 'shop/handlers.ts');
  writeFileSync(handlers, readFileSync(handlers, 'utf8').replace(/\};\n$/, `\n${missing.out}};\n`));
  expect(check()).toBe('');
});

describe('the new server', () => {
  test('lists, creates, reads and deletes items, with all digits of their ids', async () => {
    const answers: (readonly [string, number, string])[] = [];
    const step = async (target: string, asked = {}) => {
      const { status, text } = await ask(target, asked);
      answers.push([target, status, status < 300 ? text : '']);
    };
    const id = '9007199254740993';
    await step('GET /items');
    const emma = `{"id":${id},"name":"Emma"}`;
    await step('POST /items', { key: 'k', type: 'application/json', body: emma });
    await step(`GET /items/${id}`);
    await step('POST /items', { key: 'k', body: { id: 1, name: 'Ulysses' } });
    await step('POST /items', { key: 'k', body: {} });
    await step('POST /items', { body: { name: 'Emma' } });
    await step('GET /items');
    await step(`DELETE /items/${id}`, { key: 'k' });
    await step(`DELETE /items/${id}`, { key: 'k' });
    const first = '{"id":1,"name":"A first item"}';
    expect(answers).toEqual([
      ['GET /items', 200, `[${first}]`],
      ['POST /items', 201, emma],
      [`GET /items/${id}`, 200, emma],
      ['POST /items', 409, ''],
      ['POST /items', 400, ''],
      ['POST /items', 401, ''],
      ['GET /items', 200, `[${first},${emma}]`],
      [`DELETE /items/${id}`, 204, ''],
      [`DELETE /items/${id}`, 404, ''],
    ]);
  });
});
