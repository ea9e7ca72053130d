/** `spec-first serve` and `proxy` as processes of their own: handlers in TypeScript, exit codes, and their end by signals. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { rootFolder } from '../../scripts/root-folder';
import { askAt } from '../support/ask';
import { listen } from '../support/listen';
import { startProcess } from '../support/process';
import { builtProgram } from '../support/program';
import { useTemporaryFolder } from '../support/temporary-folder';

let build = '';
beforeAll(async () => {
  build = await builtProgram();
}, 180_000);

const folder = useTemporaryFolder();

const write = (name: string, text: string): void => {
  mkdirSync(join(folder(name), '..'), { recursive: true });
  writeFileSync(folder(name), text);
};

const operation = (id: string): string => `
  /${id}:
    get: { operationId: ${id}, responses: { '200': { description: Done, content: { text/plain: { schema: { type: string, example: mock } } } } } }`;

const document = `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:${['one', 'two', 'slow', 'other'].map(operation).join('')}
`;

/** Runs a command that starts the program; it has printed its address when `origin` is asked for. */
const run = (command: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}) => {
  const env = { ...process.env, npm_lifecycle_event: undefined, ...variables };
  const started = startProcess(command, args, { cwd: folder(), env });
  return { ...started, origin: () => started.printed(/http:\/\/[\d.]+:\d+/) };
};

const runTool = (...args: readonly string[]) =>
  run(process.execPath, [join(build, 'src/tool/main.js'), ...args]);

const start = (...args: readonly string[]) => runTool('serve', ...args);

test('handlers in TypeScript run without a build', async () => {
  write('api.yaml', document);
  write('handlers/words.ts', 'export const word = (text: string): string => text.toUpperCase();');
  write(
    'handlers/things.ts',
    `import { word } from './words.ts';
     export const one = (): object => ({ status: 200, body: word('one') });
     export default { two: async () => ({ status: 200, body: word('two') }) };`,
  );
  write('handlers/broken.ts', 'export const slow = () => {\n  return 1 +;\n};\n');
  const { origin, err } = start('api.yaml', '--port', '0', '--handlers', 'handlers', '--watch');
  const ask = askAt(await origin());
  for (const [path, text] of [
    ['/one', 'ONE'],
    ['/two', 'TWO'],
    ['/other', 'mock'],
  ]) {
    expect([path, (await ask(`GET ${path}`)).text]).toEqual([path, text]);
  }
  expect((await ask('GET /slow')).status).toBe(501);
  expect(err()).toMatch(/^handlers\/broken\.ts:2(:\d+)? cannot be loaded: /m);
  expect(err()).toContain('handlers/words.ts: word is no factory of handlers: ');
  write('handlers/words.ts', "export const word = (text: string): string => text + '!';");
  await until('the saved module is used', async () =>
    (await ask('GET /two')).text === 'two!' ? true : undefined,
  );
});

test('a document that cannot be read ends it with exit code 2 and a sentence', async () => {
  const { ended, err, out } = start('missing.yaml');
  expect(await ended).toBe(2);
  expect(err()).toMatch(
    /missing\.yaml:1:1 error: .*\nmissing\.yaml has no OpenAPI document to serve\n$/,
  );
  expect(out()).toBe('');
});

test('it serves on where a handler fails, also after its request, and where nobody reads its output', async () => {
  write('api.yaml', document);
  write(
    'handlers/a.mjs',
    `export const one = () => { setImmediate(() => { throw new Error('late'); }); return { status: 200, body: 'early' }; };
     export const two = () => undefined;
     export const slow = () => { throw 'a text'; };`,
  );
  const { child, origin, err } = start('api.yaml', '--port=0', '--handlers=handlers');
  const ask = askAt(await origin());
  expect((await ask('GET /one')).text).toBe('early');
  await until('the failure is told', () => (err().includes('Error: late') ? true : undefined));
  expect(err()).toContain('A handler failed outside of a request: Error: late');
  child.stdout?.destroy();
  expect([(await ask('GET /two')).status, (await ask('GET /slow')).status]).toEqual([500, 500]);
  expect((await ask('GET /other')).status).toBe(200);
  expect(err()).toContain('two answered without a status: return an object');
  expect(err()).toContain('The server failed to answer this request\na text\n');
});

test('the modules of the server run as they are, and keep what they store', async () => {
  const args = [join(rootFolder, 'specs'), '--handlers', join(rootFolder, 'handlers')];
  const { child, origin, ended, out } = start(...args, '--port=0', '--database=sqlite:kept.sqlite');
  const address = await origin();
  const served = [/\/petstore \(19 operations[,)]/, /\/ads \(4 operations[,)]/];
  await until('both are served', () => served.every((line) => line.test(out())));
  const asked = { key: 'any', body: { petId: 1, quantity: 2 } };
  const placed = await askAt(address)('POST /petstore/store/order', asked);
  expect(JSON.parse(placed.text)).toMatchObject({ petId: 1, quantity: 2 });
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  const again = start(...args, '--port=0', '--database=sqlite:kept.sqlite');
  const ask = askAt(await again.origin());
  const { id } = JSON.parse(placed.text);
  expect(await ask(`GET /petstore/store/order/${id}`, { key: 'any' })).toMatchObject({
    status: 200,
    text: placed.text,
  });
  expect(await ask('GET /petstore/store/order/1000', { key: 'any' })).toMatchObject({
    status: 404,
  });
});

describe('a signal', () => {
  const slow = `let finish;
    export const slow = () => new Promise((resolve) => {
      finish = () => resolve({ status: 200, body: 'finished' });
      console.log('BEGUN');
    });
    process.on('SIGUSR2', () => finish());
    setInterval(() => undefined, 1000);`;

  test.each(['SIGTERM', 'SIGINT'] as const)('%s lets requests under way end', async (signal) => {
    write('api.yaml', document);
    write('handlers/a.mjs', slow);
    const { child, origin, ended, out } = start('api.yaml', '--port=0', '--handlers=handlers');
    const address = await origin();
    const answer = askAt(address)('GET /slow');
    await until('the request has begun', () => (out().includes('BEGUN') ? true : undefined));
    child.kill(signal);
    await until('nothing listens', () =>
      askAt(address)('GET /one').then(
        () => undefined,
        () => true,
      ),
    );
    child.kill('SIGUSR2');
    expect((await answer).text).toBe('finished');
    expect(await ended).toBe(0);
  });

  test('that ends the shell in which npx runs it ends it, too', async () => {
    write('api.yaml', document);
    const program = join(build, 'src/tool/main.js');
    // As npm writes the command; what follows keeps a shell from becoming the program.
    const line = `"${process.execPath}" "${program}" serve api.yaml --port=0; exit $?`;
    const { child, origin, ended } = run('sh', ['-c', line], { npm_lifecycle_event: 'npx' });
    const address = await origin();
    child.kill('SIGTERM');
    await ended;
    await expect(askAt(address)('GET /one')).rejects.toThrow('ECONNREFUSED');
  });

  test('that comes twice ends it at once', async () => {
    write('api.yaml', document);
    write('handlers/a.mjs', slow);
    const { child, origin, ended, out } = start('api.yaml', '--port=0', '--handlers=handlers');
    const lost = expect(askAt(await origin())('GET /slow')).rejects.toThrow();
    await until('the request has begun', () => (out().includes('BEGUN') ? true : undefined));
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await ended).toBe(1);
    await lost;
  });
});

describe('the proxy', () => {
  beforeEach(() =>
    write('api.yaml', document.replace('paths:', 'servers: [{ url: /v1 }]\npaths:')),
  );

  test('checks what passes, and writes its report when a signal ends it', async () => {
    const behind = createServer((_request, response) => response.writeHead(201).end());
    const url = `${await listen(behind)}/v1`;
    const { child, ended, origin, out, err } = runTool(
      ...['proxy', 'api.yaml', '--upstream', url, '--port', '0', '--report', 'seen.json'],
    );
    const address = await origin();
    expect(out()).toBe(`${address}/v1 passes requests to ${url}\n`);
    const { headers } = await askAt(address)('GET /v1/one');
    expect(headers['x-spec-first-violations']).toBe('1');
    child.kill('SIGTERM');
    expect([await ended, err()]).toEqual([0, '']);
    const report = JSON.parse(readFileSync(folder('seen.json'), 'utf8'));
    expect(report).toMatchObject({ violations: 1 });
  });

  test('ends with exit code 2 and a sentence where it is used wrongly', async () => {
    const { ended, err } = runTool('proxy', 'api.yaml', '--upstream', 'ftp://a');
    expect([await ended, err()]).toEqual([2, expect.stringContaining('It must be a URL such as')]);
  });
});
