/** The package: what is in its tarball, and programs that use it as they would after an installation. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { run } from '../../scripts/machine/run-program';
import { checkConsumer } from '../../scripts/pack/consumer-types';
import { copyPrograms } from '../../scripts/pack/installation';
import { rootFolder } from '../../scripts/root-folder';
import { useInstalledPackage } from '../support/installed-package';

const path = useInstalledPackage();

const inPackage = (...names: string[]): string => path('node_modules', 'spec-first', ...names);
const manifest = () => JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));

describe('the tarball', () => {
  test('has the parts that serve, and those of the tools', () => {
    expect(readdirSync(inPackage()).sort()).toEqual([
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY-LICENSES'],
      ...['dist', 'docs', 'package.json', 'sbom.cdx.json', 'schemas', 'vendor'],
    ]);
    expect(readdirSync(inPackage('dist')).sort()).toEqual([
      ...['base', 'contract', 'document', 'engine', 'host', 'http', 'identity', 'mcp', 'mock'],
      ...['model', 'package', 'requests', 'schema', 'storage', 'tool'],
    ]);
    expect(readdirSync(inPackage('vendor')).sort()).toEqual([
      'eslint-community-regexpp.js',
      'json-p3.js',
      'markdown-it.js',
      'openapi-backend.js',
      're2js.js',
    ]);
  });

  test('depends on few packages, and offers the entry points', () => {
    const { bin, dependencies, exports, version } = manifest();
    expect(Object.keys(dependencies)).toEqual([
      ...['ajv', 'commander', 'content-disposition', 'content-type', 'cookie'],
      ...['fast-check', 'ipaddr.js', 'magic-bytes.js', 'negotiator', 'openapi-types', 'yaml'],
    ]);
    expect(Object.keys(exports)).toEqual([
      ...['.', './fetch', './fastify', './mcp', './test', './package.json'],
    ]);
    expect(Object.keys(bin)).toEqual(['spec-first']);
    expect(readFileSync(inPackage('CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`);
  });

  test('names no path of the machine, and explains what is public', () => {
    const files = readdirSync(inPackage(), { recursive: true, withFileTypes: true });
    const texts = files
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(texts.filter((text) => text.includes(`${rootFolder}/`))).toEqual([]);
    const declarations = readFileSync(inPackage('dist/package/openapi-router.d.ts'), 'utf8');
    expect(declarations).toMatch(/\*\/\nexport declare const openApiRouter:/);
  });

  test('has pages whose links lead to each other', () => {
    const files = readdirSync(inPackage('docs')).map((file) => join('docs', file));
    expect(files).toContain('docs/from-openapi-backend.md');
    expect(files).toContain('docs/mocks.md');
    expect(files).toContain('docs/clients.md');
    expect(files).toContain('docs/from-ts-rest.md');
    for (const file of ['README.md', ...files]) {
      const text = readFileSync(inPackage(file), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
      for (const [, link = ''] of text.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)) {
        expect([file, link, existsSync(inPackage(dirname(file), link))]).toEqual([
          file,
          link,
          true,
        ]);
      }
    }
  });

  test('has the licences of what it bundles', () => {
    const licences = readFileSync(inPackage('THIRD-PARTY-LICENSES'), 'utf8');
    for (const name of ['openapi-backend', 'lodash', 'entities']) expect(licences).toContain(name);
  });
});

describe('a program of a user', () => {
  beforeAll(() => copyPrograms(path()));

  test.each(['program.cjs', 'program.mjs'])('serves and asks: %s', async (program) => {
    expect(await run([process.execPath, program], path())).toMatch(/^(loaded in \d+ ms)?$/);
  });

  test('has the program of the package', async () => {
    const program = path('node_modules', '.bin', 'spec-first');
    expect(await run([program, 'check', 'items.yaml'], path())).toBe(
      '0 errors, 0 warnings in 1 file',
    );
  });

  test('compiles strictly', async () => {
    expect(await checkConsumer(path(), 'typescript')).toContain('compiles');
  });
});
