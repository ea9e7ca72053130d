/** `spec-first new`, `types` and `stubs` as programs run them: what they write compiles, and the new server answers. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../scripts/machine/free-port';
import { rootFolder } from '../../scripts/root-folder';
import { type Ask, type Asked, askAt } from '../support/ask';
import { copyProject, engineParts, removeCopy } from '../support/check-types';
import { startNode } from '../support/process';
import { runScript, tsxOptions } from '../support/run-script';

const compiler = join(rootFolder, 'node_modules/typescript/bin/tsc');

const moreOperations = `  /count:
    get:
      operationId: countItems
      responses: { '200': { description: How many } }
`;

let copy = '';
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
  const { printed } = startNode([...tsxOptions, join(copy, 'shop/server.ts')], {
    cwd: copy,
    env: { ...process.env, TSX_TSCONFIG_PATH, PORT: String(port), PASSWORD: 'p' },
  });
  await printed(/./);
  ask = askAt(`http://127.0.0.1:${port}`);
});

afterAll(() => removeCopy(copy));

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

test('its test passes', () => {
  const args = [...tsxOptions, '--test', join(copy, 'shop/handlers.test.ts')];
  const env = { ...process.env, TSX_TSCONFIG_PATH: join(copy, 'tsconfig.shop.json') };
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    env,
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/pass 1\n[\s\S]*fail 0\n/)]);
});

describe('the new server', () => {
  const id = '9007199254740993';
  const emma = `{"id":${id},"name":"Emma","createdBy":"demo"}`;
  const first = '{"id":1,"name":"A first item","createdBy":"demo"}';
  const picture = 'data:image/png;base64,iVBORw==';
  const demo = `Basic ${Buffer.from('demo:p').toString('base64')}`;
  const signedIn = { headers: { Authorization: demo } };
  const wrong = { headers: { Authorization: 'Basic ZGVtbzpx' } };
  const png = { ...signedIn, type: 'image/png', body: Buffer.from('iVBORw==', 'base64') };
  const json = { ...signedIn, type: 'application/json' };

  test.each<[target: string, asked: Asked, status: number, text: string | undefined]>([
    ['GET /docs/', {}, 200, undefined],
    ['GET /items', {}, 401, undefined],
    ['GET /items', wrong, 401, undefined],
    ['GET /items', signedIn, 200, `{"items":[${first}]}`],
    ['POST /items', { ...json, body: `{"id":${id},"name":"Emma"}` }, 201, emma],
    [`GET /items/${id}`, signedIn, 200, emma],
    ['POST /items', { ...json, body: '{"id":1,"name":"Ulysses"}' }, 409, undefined],
    ['POST /items', { ...json, body: '{}' }, 400, undefined],
    ['GET /items', signedIn, 200, `{"items":[${first},${emma}]}`],
    ['GET /items?limit=1', signedIn, 200, `{"items":[${first}],"next":"1"}`],
    ['GET /items?limit=1&after=1', signedIn, 200, `{"items":[${emma}]}`],
    ['GET /items?after=forged', signedIn, 400, undefined],
    ['PUT /items/1/picture', png, 200, first.replace('}', `,"picture":"${picture}"}`)],
    ['PUT /items/2/picture', png, 404, undefined],
    [`DELETE /items/${id}`, signedIn, 204, ''],
    [`DELETE /items/${id}`, signedIn, 404, undefined],
  ])('%s %j -> %i', async (target, asked, status, text) => {
    const answer = await ask(target, asked);
    expect([answer.status, text === undefined ? text : answer.text]).toEqual([status, text]);
  });
});
