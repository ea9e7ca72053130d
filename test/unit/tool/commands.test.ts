/** The program `spec-first`: its help, its exit codes, its colours, and what shells complete. */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { commands } from '../../../src/tool/commands';
import { useTemporaryFolder } from '../../support/temporary-folder';
import { runTool } from './run-command';

const folder = useTemporaryFolder();

const document = (more = ''): string =>
  `openapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths: {}\n${more}`;

describe('help', () => {
  test.each(Object.keys(commands))('%s says what it does, with examples', async (name) => {
    for (const args of [
      [name, '--help'],
      ['help', name],
    ]) {
      const { exitCode, out, err } = await runTool(args);
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
      expect(out).toMatch(new RegExp(`^Usage: spec-first ${name} `));
      expect(out.match(new RegExp(`^  spec-first ${name} .*$`, 'gm'))?.length).toBeGreaterThan(1);
    }
  });

  test('the program lists its commands', async () => {
    const { exitCode, out } = await runTool(['--help']);
    expect(exitCode).toBe(0);
    for (const name of Object.keys(commands)) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(await runTool(['--version'])).toEqual({ exitCode: 0, out: '1.2.3\n', err: '' });
  });
});

test.each<[args: string, said: string]>([
  ['', 'Usage: spec-first'],
  ['chekc', 'Did you mean check?'],
  ['constructor', 'There is no command constructor.'],
  ['check', "missing required argument 'file'"],
  ['diff one.yaml', 'Name two documents'],
  ['diff --base main', 'Name the documents to compare with those of main.'],
  ['test nowhere.yaml', 'Name the server to test with --url.'],
  ['types nowhere.yaml', 'there is no file nowhere.yaml'],
  ['types nowhere.yaml --check', 'Name the file to check with --out.'],
  ['stubs nowhere.yaml', '--out'],
  ['completion fish', 'Allowed choices are bash, zsh.'],
])('spec-first %s is wrong use', async (args, said) => {
  const { exitCode, out, err } = await runTool(args.split(' ').filter(Boolean));
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(err).toContain(said);
});

test('check takes every scheme that a security handler can verify, and no client certificate', async () => {
  const scheme = (name: string, fields: string) => `    ${name}: { ${fields} }\n`;
  const names = ['a', 'b', 'c', 'd'];
  const security = names.map((name) => `{ ${name}: [] }`).join(', ');
  const text = `openapi: 3.1.0
info: { title: A, version: '1' }
paths: { /a: { get: { security: [${security}], responses: { '200': { description: A } } } } }
components:
  securitySchemes:
${[
  scheme('a', 'type: http, scheme: basic'),
  scheme('b', 'type: http, scheme: Digest'),
  scheme('c', 'type: apiKey, name: k, in: header'),
  scheme('d', 'type: mutualTLS'),
].join('')}`;
  writeFileSync(folder('a.yaml'), text);
  const { exitCode, out } = await runTool(['check', folder('a.yaml')]);
  expect(exitCode).toBe(0);
  expect(out.match(/The scheme \w/g)).toEqual(['The scheme d']);
});

test('a terminal shows severities in colours, in texts alone', async () => {
  writeFileSync(folder('a.yaml'), document('unknown: 1\n'));
  const check = (format: string, hasColours: boolean) =>
    runTool(['check', folder('a.yaml'), '--format', format], { hasColours });
  const { out } = await check('text', true);
  expect(out).toContain(':4:1 \u001B[33mwarning\u001B[39m: ');
  expect((await check('text', false)).out).not.toContain('\u001B');
  expect((await check('json', true)).out).not.toContain('\u001B');
});

describe('completion', () => {
  /** Asks the function of the script as bash does: the words of the line, the last of which is completed. */
  const complete = (script: string, ...words: readonly string[]): readonly string[] => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(spec-first ${line}); COMP_CWORD=${words.length}; _spec_first; echo "\${COMPREPLY[*]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim().split(' ');
  };

  test('bash completes commands, options and their choices, and leaves files to itself', async () => {
    const { out: script } = await runTool(['completion', 'bash']);
    expect(complete(script, '')).toEqual(expect.arrayContaining(Object.keys(commands)));
    expect(complete(script, 'che')).toEqual(['check']);
    expect(complete(script, 'check', '--s')).toEqual(['--strict']);
    expect(complete(script, 'check', '--format', '')).toEqual(['text', 'json', 'sarif']);
    expect(complete(script, 'diff', 'old.yaml', '--fail-on', 'b')).toEqual(['breaking']);
    expect(complete(script, 'completion', '')).toEqual(['bash', 'zsh']);
    expect(complete(script, 'check', '')).toEqual(['']);
    expect(script).toContain('complete -o default -F _spec_first spec-first\n');
  });

  test('zsh runs the same', async () => {
    const { out: script } = await runTool(['completion', 'zsh']);
    const { out: bash } = await runTool(['completion', 'bash']);
    expect(script.endsWith(bash)).toBe(true);
    expect(script).toMatch(/^autoload .*bashcompinit$/m);
  });
});
