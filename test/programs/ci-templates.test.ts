/** The templates for CI: their scripts are bash, take their inputs as variables alone, and hand them on unchanged. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { rootFolder } from '../../scripts/root-folder';
import { useTemporaryFolder } from '../support/temporary-folder';

interface Step {
  readonly name: string;
  readonly if?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, object>>;
  readonly runs: { readonly steps: readonly Step[] };
}

type Jobs = Readonly<Record<string, { readonly script?: readonly string[] }>>;

const folder = join(rootFolder, 'scripts/ci');
const action: Action = parse(readFileSync(join(folder, 'action.yml'), 'utf8'));
const jobs: Jobs = parse(readFileSync(join(folder, 'gitlab.yml'), 'utf8'));

const scripts = [
  ...action.runs.steps.map(({ name, run }) => ({ name, run })),
  ...Object.entries(jobs).flatMap(([name, { script }]) =>
    script === undefined ? [] : [{ name, run: script.join('\n') }],
  ),
];

test.each(scripts)('$name is a script of bash without expressions', ({ run }) => {
  expect(spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect(run).not.toMatch(/\$\{\{|\$\[\[/);
});

test('the action uses the inputs that it has, each in a variable that a script reads', () => {
  const used = JSON.stringify(action.runs).matchAll(/\binputs\.([\w-]+)/g);
  expect(new Set([...used].map(([, name]) => name))).toEqual(new Set(Object.keys(action.inputs)));
  for (const { env, run } of action.runs.steps) {
    const read = new Set([...run.matchAll(/\$\{?([A-Z_]+)\b/g)].map(([, name]) => name));
    const given = Object.keys(env).filter((name) => name !== 'GH_TOKEN');
    expect([...read].filter((name) => !name?.startsWith('GITHUB_')).sort()).toEqual(given.sort());
  }
});

describe('run with hostile inputs', () => {
  const temporary = useTemporaryFolder();
  const hostile = '$(id>hacked);`id>hacked`"\'';
  const quoted = `books.yaml ${hostile}`;

  /** Runs a step where npx writes down its arguments and fails. */
  const runStep = (name: string, inputs: Readonly<Record<string, string>>) => {
    mkdirSync(temporary('bin'));
    writeFileSync(
      temporary('bin/npx'),
      '#!/bin/sh\nprintf "%s\\n" "$@" > arguments\necho Report\nexit 1\n',
    );
    chmodSync(temporary('bin/npx'), 0o755);
    const run = action.runs.steps.find((step) => step.name === name)?.run ?? '';
    const GITHUB_STEP_SUMMARY = temporary('summary');
    const PATH = `${temporary('bin')}:${process.env['PATH']}`;
    const { status, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
      cwd: temporary(),
      env: { ...process.env, PATH, GITHUB_STEP_SUMMARY, GITHUB_JOB: 'api', ...inputs },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(existsSync(temporary('hacked'))).toBe(false);
    return readFileSync(temporary('arguments'), 'utf8').trimEnd().split('\n').slice(2);
  };

  test.each([
    ['Check the documents', {}, ['check', '--']],
    [
      'Test the server',
      { URL: hostile, CREDENTIALS: `key=${hostile}\n\nlogin=a b\n` },
      ['test', `--url=${hostile}`, `--credential=key=${hostile}`, '--credential=login=a b', '--'],
    ],
  ])('%s', (name, inputs, expected) => {
    const given = runStep(name, { DOCUMENTS: quoted, ...inputs });
    expect(given).toEqual([...expected, 'books.yaml', hostile]);
  });

  test('Compare the documents', () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: temporary() });
    git('init', '--quiet', '--initial-branch=main');
    git(
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '--message=Begin',
    );
    git('remote', 'add', 'origin', '.');
    const inputs = { DOCUMENTS: quoted, BASE: 'main', FAIL_ON: hostile, PULL_REQUEST: '' };
    expect(runStep('Compare the documents', inputs)).toEqual([
      ...['diff', '--base', 'FETCH_HEAD', '--fail-on', hostile, '--format', 'markdown', '--'],
      ...['books.yaml', hostile],
    ]);
    expect(readFileSync(temporary('summary'), 'utf8')).toBe('<!-- spec-first: api -->\nReport\n');
  });
});
