/** `types`, `stubs` and `new`: the files that they write, leave, and refuse to write. */

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../../scripts/root-folder';
import { nodeReadsTypeScript } from '../../../src/host/module-loader';
import type { Outcome } from '../../support/sessions';
import { useTemporaryFolder } from '../../support/temporary-folder';
import { runTool } from './run-command';

const folder = useTemporaryFolder();
const before = process.cwd();
beforeEach(() => {
  process.chdir(folder());
  writeFileSync('api.yaml', document(['one', 'two']));
});
afterEach(() => process.chdir(before));

const document = (operationIds: readonly string[]): string => {
  const paths = operationIds.map(
    (id) => `  /${id}: { get: { operationId: ${id}, responses: { '204': { description: A } } } }\n`,
  );
  return `openapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths:\n${paths.join('')}`;
};

const run = (line: string): Promise<Outcome> => runTool(line.split(' '));
const read = (file: string): string => readFileSync(file, 'utf8');
const done = (out: string): Outcome => ({ exitCode: 0, out, err: '' });

describe('types', () => {
  test('are printed, or written where they are stale', async () => {
    const { out } = await run('types api.yaml');
    expect(out).toMatch(/^\/\/ Generated from api\.yaml by spec-first types\. Do not edit\.\n/);
    expect(out).toContain('export interface Operations extends DefaultOperations {}');
    expect(await run('types api.yaml --out src/api.ts')).toEqual(done('src/api.ts: written\n'));
    expect(read('src/api.ts')).toBe(out);
    expect(await run('types api.yaml --out src/api.ts')).toEqual(done('src/api.ts: up to date\n'));
  });

  test('--check says what is missing or stale, and writes nothing', async () => {
    const check = 'types api.yaml --out api.ts --check';
    expect(await run(check)).toEqual({ exitCode: 1, out: 'api.ts: missing\n', err: '' });
    await run('types api.yaml --out api.ts');
    expect(await run(check)).toEqual(done('api.ts: up to date\n'));
    writeFileSync('api.yaml', document(['one']));
    const text = read('api.ts');
    const { exitCode, out } = await run(`${check} --format json`);
    expect([exitCode, JSON.parse(out)]).toEqual([
      1,
      { files: [{ file: 'api.ts', state: 'stale' }] },
    ]);
    expect(read('api.ts')).toBe(text);
  });

  test('are not written over other things, nor of what cannot be read', async () => {
    writeFileSync('mine.ts', 'export const mine = 1;\n');
    expect(await run('types api.yaml --out mine.ts')).toMatchObject({
      exitCode: 2,
      err: 'mine.ts has other things than generated types. Name another file for them.\n',
    });
    writeFileSync('api.yaml', 'openapi: [');
    const { exitCode, err } = await run('types api.yaml --out api.ts');
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/^api\.yaml:1:\d+ error: .*\n$/)]);
    expect(readdirSync('.')).toEqual(['api.yaml', 'mine.ts']);
  });

  test('of a document with errors are those of what is served', async () => {
    const schema = "{ $ref: '#/components/schemas/A' }";
    const broken = `  /three: { get: { operationId: three, responses: { '200': { description: A, content: { a/b: { schema: ${schema} } } } } } }\n`;
    const components = 'components: { schemas: { A: { type: sting } } }\n';
    writeFileSync('api.yaml', `${document(['one'])}${broken}${components}`);
    const { exitCode, out, err } = await run('types api.yaml --out api.ts');
    expect([exitCode, out]).toEqual([1, 'api.ts: written\n']);
    const places = err.split('\n').map((line) => line.replace(/(error: .{20}).*/, '$1'));
    expect(places).toEqual([
      'api.yaml:6:37 error: The type "sting" mus',
      'api.yaml:5:18 error: The operation three ',
      '',
    ]);
    const text = read('api.ts');
    expect(text).toContain('Do not edit.\n// Not served, and without types: GET /three\n\n');
    expect(text).toMatch(/ {2}one: \{/);
    expect(text).not.toMatch(/ {2}three: \{/);
    expect(await run('types api.yaml --out api.ts --check')).toEqual({
      exitCode: 1,
      out: 'api.ts: up to date\n',
      err,
    });
    const stubs = await run('stubs api.yaml --out handlers.ts --types api.ts');
    expect(stubs).toEqual({ exitCode: 1, out: 'handlers.ts: written\n', err });
    expect(read('handlers.ts')).not.toContain('three');
  });

  test('of a document with errors that concern no operation are all of them', async () => {
    writeFileSync(
      'api.yaml',
      `${document(['one'])}components: { schemas: { A: { type: sting } } }\n`,
    );
    const { exitCode, out } = await run('types api.yaml');
    expect([exitCode, out]).toEqual([1, expect.stringMatching(/ {2}one: \{/)]);
    expect(out).not.toContain('Not served');
  });
});

describe('stubs', () => {
  const stub = (id: string): string =>
    `  async ${id}({ notImplemented }) {\n    throw notImplemented();\n  },\n`;

  test('are a new module, with the types that it needs', async () => {
    expect(await run('stubs api.yaml --out src/handlers.ts --types api.ts')).toEqual(
      done('api.ts: written\nsrc/handlers.ts: written\n'),
    );
    expect(read('src/handlers.ts')).toBe(`/** Handlers of the operations of api.yaml. */

import type { Handlers } from 'spec-first';
import type { Operations } from '../api.js';

export const handlers: Handlers<Operations> = {
${stub('one')}
${stub('two')}};
`);
    expect(await run('stubs api.yaml --out src/handlers.ts --types api.ts')).toEqual(
      done('Every operation has a handler\n'),
    );
  });

  const own = `export const handlers: Handlers<Operations> = {\n  ...shared, // has two\n};\n`;

  test('that are missing are printed, where no compiler can insert them', async () => {
    writeFileSync('handlers.ts', own);
    await run('types api.yaml --out api.ts');
    const reason = 'npm install --save-dev typescript@5 has them inserted';
    const err = `Add handlers for one to handlers.ts: ${reason}\n`;
    const line = 'stubs api.yaml --out handlers.ts';
    expect(await run(line)).toEqual({ exitCode: 1, out: `${stub('one')}`, err });
    const { exitCode, out } = await run(`${line} --format json`);
    expect([exitCode, JSON.parse(out)]).toEqual([1, { files: [], missing: ['one'] }]);
    expect(read('handlers.ts')).toBe(own);
  });

  test('that are missing are inserted by the compiler of the project', async () => {
    mkdirSync('node_modules');
    symlinkSync(join(rootFolder, 'node_modules/typescript-5'), 'node_modules/typescript');
    writeFileSync('handlers.ts', own);
    expect(await run('stubs api.yaml --out handlers.ts')).toEqual(
      done('api.ts: written\nhandlers.ts: added one\n'),
    );
    expect(read('handlers.ts')).toBe(own.replace('};\n', `\n${stub('one')}};\n`));
    writeFileSync('other.ts', '');
    expect(await run('stubs api.yaml --out other.ts')).toMatchObject({
      exitCode: 1,
      err: 'Add handlers for one, two to other.ts: it has no object of the type Handlers<Operations>\n',
    });
  });

  test('do not replace the types', async () => {
    expect(await run('stubs api.yaml --out api.ts')).toMatchObject({
      exitCode: 2,
      err: 'api.ts is the file of the types. Name another for the handlers.\n',
    });
  });
});

describe('new', () => {
  test('writes a folder, once', async () => {
    const { exitCode, out } = await run('new book-club --format json');
    const files = ['book-club.yaml', 'book-club.ts', 'handlers.ts', 'server.ts', 'package.json'];
    const written = [...files, 'tsconfig.json'].map((file) => `book-club/${file}`);
    expect([exitCode, JSON.parse(out)]).toEqual([
      0,
      { files: written.map((file) => ({ file, state: 'written' })) },
    ]);
    expect(read('book-club/server.ts').split('\n').length).toBeLessThan(30);
    const again = await run('new book-club');
    expect([again.exitCode, again.err]).toEqual([
      2,
      'The folder book-club is not empty. Use another name.\n',
    ]);
  });

  test('says what starts it and checks its types, with this version of Node.js', async () => {
    const { out } = await run('new shop');
    const [more, runner] = nodeReadsTypeScript() ? ['', 'node'] : [' tsx', 'tsx'];
    expect(out.split('\n').slice(6)).toEqual([
      `Start it: cd shop && npm install spec-first${more} && npm start`,
      'Check its types: npm install --save-dev typescript@5 @types/node && npm run check',
      'After an edit of shop.yaml: npm run types',
      '',
    ]);
    expect(JSON.parse(read('shop/package.json')).scripts).toEqual({
      start: `${runner} server.ts`,
      types: 'spec-first types shop.yaml --out shop.ts',
      check: 'tsc',
    });
  });

  test('what it writes is up to date and complete, and its document has no faults', async () => {
    const names = [['old', '3.0'] as const, ['now', '3.1'] as const, ['newest', '3.2'] as const];
    for (const [name, version] of names) {
      await run(`new ${name} --openapi ${version}`);
      expect(read(`${name}/${name}.yaml`)).toMatch(new RegExp(`^openapi: ${version}`));
      const said = await run(`check --strict ${name}/${name}.yaml`);
      expect(said).toEqual(done('0 errors, 0 warnings in 1 file\n'));
      expect(await run(`stubs ${name}/${name}.yaml --out ${name}/handlers.ts`)).toEqual(
        done('Every operation has a handler\n'),
      );
    }
  });

  test.each(['../x', 'Shop', 'handlers', 'server'])('%s is refused', async (name) => {
    const { exitCode, err } = await run(`new ${name}`);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(' name')]);
    expect(readdirSync('.')).toEqual(['api.yaml']);
  });
});
