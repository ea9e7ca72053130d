/** Overlays as the commands take them: `overlay`, and the option of the others. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Files, head, writeFiles } from '../document/bundle/source-folder';
import { runCommand, runTool } from './run-command';

const overlay = (actions: string): string =>
  `overlay: 1.1.0\ninfo: {title: O, version: '1'}\nactions:\n${actions}\n`;

const api = `# The shop.\n${head}\npaths:\n  # All of them.\n  /a: {get: {operationId: getA, responses: {'200': {description: A}}}}\n`;
const files = {
  'api.yaml': api,
  'more.yaml': overlay(
    `  - target: $.paths\n    update: {/b: {get: {operationId: getB, responses: {'200': {description: B}}}}}`,
  ),
  'less.yaml': overlay(`  - {target: "$.paths['/a']", remove: true}`),
  'vain.yaml': overlay('  - {target: $.no, remove: true}'),
  'bad.yaml': overlay('  - {target: $.no[, remove: true}').replace('$.no[', '"$.no["'),
  'faulty.yaml': overlay('  - {target: $.paths.*.get, update: {summary: 5}}'),
};

/** Runs a command with paths of the files, which reads as `specs`. */
const run = async (args: readonly string[], contents: Files = files) => {
  const folder = writeFiles(contents);
  const given = args.map((arg) =>
    /^\w[\w.]*\.(?:yaml|json|ts)$/.test(arg) ? join(folder, arg) : arg,
  );
  const { exitCode, out, err } = await runTool(given);
  const called = (text: string): string => text.replaceAll(folder, 'specs');
  return { exitCode, out: called(out), err: called(err), folder };
};

describe('overlay FILE OVERLAY…', () => {
  test('writes to standard output, and warnings elsewhere', async () => {
    const { exitCode, out, err } = await run(['overlay', 'api.yaml', 'more.yaml', 'vain.yaml']);
    expect([exitCode, err]).toEqual([
      0,
      'specs/vain.yaml:4:14 warning: The target matches nothing in the document. Correct or remove the action. (/actions/0/target)\n',
    ]);
    expect(out).toBe(
      `${api}  /b: { get: { operationId: getB, responses: { '200': { description: B } } } }\n`
        .replace(/ \/b.*\n/, (line) => line)
        .replace(
          / {2}\/b.*\n$/,
          "  /b:\n    get:\n      operationId: getB\n      responses:\n        '200':\n          description: B\n",
        ),
    );
  });

  test('writes a file', async () => {
    const { exitCode, out, folder } = await run([
      'overlay',
      'api.yaml',
      'less.yaml',
      '--out',
      'out.yaml',
    ]);
    expect([exitCode, out]).toEqual([0, 'specs/out.yaml: written\n']);
    expect(readFileSync(join(folder, 'out.yaml'), 'utf8')).not.toContain('/a');
  });

  test.each([
    [
      'an overlay with a fault',
      ['api.yaml', 'bad.yaml'],
      /^specs\/bad.yaml:4:14 error: This is no JSONPath/,
    ],
    ['no overlay', ['api.yaml', 'api.yaml'], /^specs\/api.yaml:2:1 error: This is no overlay/],
    ['a file that is not there', ['api.yaml', 'none.yaml'], /^there is no file specs\/none.yaml/],
    ['no overlay named', ['api.yaml'], /missing required argument/],
  ])('%s', async (_title, args, said) => {
    const { exitCode, err, folder } = await run(['overlay', ...args, '--out', 'out.yaml']);
    expect(err).toMatch(said);
    expect([exitCode, existsSync(join(folder, 'out.yaml'))]).toEqual([2, false]);
  });

  test.each([
    ['api.yaml', 'o.yaml'],
    ['api.yaml', 'o.json'],
    ['api.json', 'o.yaml'],
    ['api.json', 'o.json'],
  ])('%s with %s', async (document, given) => {
    const { exitCode, out } = await run(['overlay', document, given], {
      'api.yaml': 'openapi: 3.1.0\ninfo: {title: Harbour, version: "1"} # kept\npaths: {}\n',
      'api.json': '{"openapi": "3.1.0", "info": {"title": "Harbour", "version": "1"}, "paths": {}}',
      'o.yaml': overlay('  - {target: $.info.title, update: Pier}'),
      'o.json':
        '{"overlay": "1.1.0", "info": {"title": "O", "version": "1"}, "actions": [{"target": "$.info.title", "update": "Pier"}]}',
    });
    const json = { openapi: '3.1.0', info: { title: 'Pier', version: '1' }, paths: {} };
    expect([exitCode, out]).toEqual([
      0,
      document === 'api.json'
        ? `${JSON.stringify(json, undefined, 2)}\n`
        : 'openapi: 3.1.0\ninfo: {title: Pier, version: "1"} # kept\npaths: {}\n',
    ]);
  });

  test('documents of Swagger 2.0, and others that are no OpenAPI', async () => {
    const swagger = '{"swagger": "2.0", "info": {"title": "A"}, "paths": {}}';
    const { out } = await run(['overlay', 'api.json', 'o.yaml'], {
      'api.json': swagger,
      'o.yaml': overlay('  - {target: $.info, update: {title: B}}'),
    });
    expect(JSON.parse(out)).toEqual({ swagger: '2.0', info: { title: 'B' }, paths: {} });
  });
});

describe('the option --overlay', () => {
  test('check: faults have their places in the overlay', async () => {
    const args = ['check', 'api.yaml', '--overlay', 'more.yaml', '--overlay', 'faulty.yaml'];
    const { exitCode, out } = await run(args);
    expect(exitCode).toBe(1);
    expect(out.match(/^specs\/faulty.yaml:4:47 error: .*\/summary\)$/gm)).toHaveLength(1);
  });

  test('check: an overlay that cannot be applied', async () => {
    const { exitCode, out } = await run(['check', 'api.yaml', '--overlay', 'bad.yaml']);
    expect([exitCode, out]).toEqual([1, expect.stringMatching(/^specs\/bad.yaml:4:14 error: /)]);
    expect((await run(['check', 'api.yaml', '--overlay', 'none.yaml'])).exitCode).toBe(2);
  });

  test.each([
    ['more.yaml', 'This is an overlay, which changes a document.'],
    ['flows.yaml', 'This is an Arazzo description, whose workflows'],
  ])('check of %s says what it is', async (file, said) => {
    const { exitCode, out } = await run(['check', file], {
      ...files,
      'flows.yaml': 'arazzo: 1.0.1\n',
    });
    expect([exitCode, out]).toEqual([1, expect.stringContaining(said)]);
  });

  test('diff: both documents have it, and changes have their places in it', async () => {
    const old = api.replace('/a: {', '/a: {x-old: true, ');
    const given = { ...files, 'old.yaml': old.replace('200', '201') };
    const none = await run(['diff', 'old.yaml', 'api.yaml', '--overlay', 'less.yaml'], given);
    expect(none.out).toBe('0 breaking changes, 0 warnings, 0 compatible changes\n');
    const parameter = '{name: q, in: query, required: true, schema: {type: string}}';
    const { out } = await run(['diff', 'old.yaml', 'api.yaml', '--overlay', 'o.yaml'], {
      'old.yaml': old,
      'api.yaml': api,
      'o.yaml': overlay(
        `  - {target: "$.paths[?!@['x-old']].get", update: {parameters: [${parameter}]}}`,
      ),
    });
    expect(out).toMatch(/^specs\/o.yaml:4:65 breaking /m);
  });

  test('types and stubs', async () => {
    const { out } = await run([
      'types',
      'api.yaml',
      '--overlay',
      'more.yaml',
      '--overlay',
      'less.yaml',
    ]);
    expect(out).toContain('getB');
    expect(out).not.toContain('getA');
    const { folder } = await run(['stubs', 'api.yaml', '--overlay', 'more.yaml', '--out', 'h.ts']);
    expect(readFileSync(join(folder, 'h.ts'), 'utf8')).toContain('getB');
  });

  test('commands that load no document of a user have none', async () => {
    for (const command of ['check', 'diff', 'test', 'types', 'stubs', 'serve', 'proxy']) {
      expect([command, (await runTool([command, '--help'])).out]).toEqual([
        command,
        expect.stringContaining('--overlay <file>'),
      ]);
    }
  });
});

describe('overlays beside the documents of a project', () => {
  test('check and diff take them by their names, also of a revision', async () => {
    const folder = writeFiles({
      'specs/api.yaml': api,
      'specs/api.overlay.yaml': files['less.yaml'],
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: folder,
      });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'One');
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect((await runCommand('check', 'specs/api.yaml')).out).toContain(
        'The document has no operation',
      );
      expect((await runCommand('diff', '--base', 'HEAD')).out).toMatch(/^0 breaking changes/);
      renameSync('specs/api.overlay.yaml', 'specs/other.overlay.yaml');
      expect((await runCommand('diff', '--base', 'HEAD')).out).toMatch(
        /api.yaml:7:8 compatible .*Operation added/,
      );
      writeFileSync('specs/api.overlay.yaml', files['more.yaml']);
      expect((await runCommand('diff', '--base', 'HEAD')).out).toMatch(
        /^specs\/api.overlay.yaml:5:/m,
      );
    } finally {
      process.chdir(before);
    }
  });
});
