/** `npm run contract -- diff`: what it says in each format, what it accepts, and its exit codes. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseStringPromise } from 'xml2js';
import { readText, tableOf } from '../../../support/text-cases';
import { type Files, head, writeFiles } from '../../document/bundle/source-folder';
import { runCommand } from '../run-command';

const cases = join(__dirname, 'diff.cases.txt');

const document = (parameter: string): string => `${head}paths:
  /a:
    get:
      operationId: list
      parameters:
        - {name: q, in: query, schema: {type: string${parameter}}}
      responses: {'200': {description: A}}
`;

const files = {
  'old.yaml': document(', maxLength: 5'),
  'same.yaml': `# The same\n${document(', maxLength: 5')}`,
  'breaking.yaml': document(', maxLength: 4'),
  'default.yaml': document(', maxLength: 5, default: b'),
  'warning.yaml': document(', maxLength: 5, default: a|<b>'),
  'compatible.yaml': document(', maxLength: 6'),
  'bad file.yaml': 'a: [',
  'faulty.yaml': document(', maxLength: 5').replace('description', 'x-description'),
  'worse.yaml': document(', maxLength: 4').replace('description', 'x-description'),
};

const fault =
  'faulty.yaml:9:26 error: Add the required field `description` to this response. (/paths/~1a/get/responses/200)';

const before = process.cwd();
afterEach(() => process.chdir(before));

const run = (...args: readonly string[]) => runCommand('diff', ...args);

/** Runs the command in a folder with these files. */
const diff = async (args: readonly string[], contents: Files = files) => {
  process.chdir(writeFiles(contents));
  return run(...args);
};

const line = 'old.yaml breaking.yaml';
describe('exit codes', () => {
  test.each<[args: string, exitCode: number]>([
    ['old.yaml same.yaml', 0],
    ['old.yaml same.yaml --fail-on any', 0],
    ['old.yaml compatible.yaml', 0],
    ['old.yaml compatible.yaml --fail-on warning', 0],
    ['old.yaml compatible.yaml --fail-on any', 1],
    ['default.yaml warning.yaml', 0],
    ['default.yaml warning.yaml --fail-on warning', 1],
    [line, 1],
    [`${line} --fail-on none`, 0],
    ['old.yaml', 2],
    ['', 2],
    ['old.yaml same.yaml compatible.yaml', 2],
    [`${line} --fail-on nothing`, 2],
    [`${line} --format xml`, 2],
    [`${line} --allow nope.yaml`, 2],
    ['--help', 0],
  ])('%s', async (args, exitCode) => {
    const outcome = await diff(args.split(' ').filter(Boolean));
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.err === '').toBe(exitCode !== 2);
  });

  test('each document that cannot be read is named', async () => {
    expect(await diff(['nope.yaml', 'bad file.yaml'])).toEqual({
      exitCode: 2,
      out: expect.stringMatching(
        /^nope\.yaml:1:1 error: The document cannot be read: .*\nbad file\.yaml:\d+:\d+ error: The \[ of line 1 is not closed. .*\n2 errors, 0 breaking changes, 0 warnings, 0 compatible changes\n$/,
      ),
      err: '',
    });
  });

  test.each(['breaking', 'none'])('documents with errors fail (--fail-on %s)', async (failOn) => {
    const args = ['faulty.yaml', 'old.yaml', '--fail-on', failOn];
    expect(await diff(args)).toMatchObject({ exitCode: 1, err: '' });
  });
});

/** The change from old.yaml to breaking.yaml. */
const lowered =
  'breaking.yaml:8:55 breaking (request) max-length-lowered: The parameter q: maxLength lowered (was 5, now 4).\n  GET /a (list)\n';

describe('formats', () => {
  test.each<[args: string, out: string]>([
    [line, `${lowered}1 breaking change, 0 warnings, 0 compatible changes\n`],
    [
      'faulty.yaml breaking.yaml',
      `${fault}\n${lowered}1 error, 1 breaking change, 0 warnings, 0 compatible changes\n`,
    ],
    [
      'old.yaml same.yaml --format json',
      '{\n  "breaking": false,\n  "problems": [],\n  "changes": []\n}\n',
    ],
    [
      'default.yaml warning.yaml --format markdown',
      `## Changes of the contract

0 breaking changes, 1 warning, 0 compatible changes.

| Severity | Side | Change | Operations | Rule | Place |
| --- | --- | --- | --- | --- | --- |
| warning | request | The parameter q: default changed; requests without the value change their meaning (was "b", now "a\\|\\<b\\>"). | GET /a (list) | default-changed | warning.yaml:8 |
`,
    ],
  ])('%s', async (args, out) => {
    expect((await diff(args.split(' '))).out).toBe(out);
  });

  test('json: the errors of both documents, and what changed all the same', async () => {
    const { out } = await diff('faulty.yaml worse.yaml --format json'.split(' '));
    const problem = {
      line: 9,
      column: 26,
      severity: 'error',
      rule: 'required-field',
      pointer: '/paths/~1a/get/responses/200',
      message: 'Add the required field `description` to this response.',
    };
    const change = {
      rule: 'max-length-lowered',
      severity: 'breaking',
      side: 'request',
      operation: 'list',
      method: 'get',
      path: '/a',
      pointer: '/paths/~1a/get/parameters/0/schema/maxLength',
      file: 'worse.yaml',
      line: 8,
      column: 55,
      was: 5,
      now: 4,
      message: 'The parameter q: maxLength lowered (was 5, now 4).',
    };
    expect(JSON.parse(out)).toEqual({
      breaking: true,
      problems: ['faulty.yaml', 'worse.yaml'].map((file) => ({ file, ...problem })),
      changes: [change],
    });
  });

  test('markdown: the errors of both documents', async () => {
    const { out } = await diff('old.yaml faulty.yaml --format markdown'.split(' '));
    expect(out).toMatch(
      /^## Changes of the contract\n\n1 error, 0 .*\.\n\n### Errors of the documents\n\n- faulty\.yaml:9:26 error: /,
    );
  });

  test('json: values stand as in the documents, with all their digits', async () => {
    const { out } = await diff(['a.yaml', 'b.yaml', '--format', 'json'], {
      'a.yaml': document(', default: [1, a], maximum: 1'),
      'b.yaml': document(', default: 9223372036854775807'),
    });
    expect(out).toContain('"was": [1,"a"],\n      "now": 9223372036854775807\n');
    expect(JSON.parse(out).changes).toHaveLength(1);
  });

  const junit = async (args: string) =>
    (await parseStringPromise((await diff([...args.split(' '), '--format', 'junit'])).out))
      .testsuites;

  test('junit: the errors of both documents', async () => {
    const suites = await junit('old.yaml faulty.yaml');
    expect(suites.$).toMatchObject({ tests: '1', failures: '0', errors: '1' });
    const [{ $: error, _: text }] = suites.testsuite[0].testcase[0].error;
    expect([error.type, text]).toEqual(['required-field', fault]);
  });

  test('junit', async () => {
    const suites = await junit('default.yaml warning.yaml --fail-on warning');
    expect(suites.$).toEqual({ name: 'spec-first diff', tests: '1', failures: '1', errors: '0' });
    const [suite] = suites.testsuite;
    expect(suite.$).toMatchObject({ name: 'GET /a (list)', tests: '1', failures: '1' });
    const [{ $: failure, _: text }] = suite.testcase[0].failure;
    expect(failure.type).toBe('default-changed');
    expect(text).toMatch(/^warning\.yaml:8:\d+ warning: The parameter q: .*"a\|<b>"\)\.$/);
  });

  test.each([
    ['old.yaml same.yaml', 'no changes'],
    ['old.yaml compatible.yaml', 'max-length-raised'],
  ])('junit: %s pass', async (args, name) => {
    const suites = await junit(args);
    expect(suites.$).toMatchObject({ tests: '1', failures: '0' });
    const [test] = suites.testsuite[0].testcase;
    expect([test.$.name, test.failure]).toEqual([expect.stringContaining(name), undefined]);
  });

  test('sarif: the errors of both documents, and what changed all the same', async () => {
    const { out } = await diff('faulty.yaml worse.yaml --format sarif'.split(' '));
    const [{ tool, artifacts, results }] = JSON.parse(out).runs;
    expect(artifacts).toEqual(['faulty.yaml', 'worse.yaml'].map((uri) => ({ location: { uri } })));
    const text = expect.stringContaining('GET /a (list), request: ');
    expect(results).toMatchObject([
      { ruleId: 'required-field', level: 'error' },
      { ruleId: 'required-field', level: 'error' },
      { ruleId: 'max-length-lowered', level: 'error', message: { text } },
    ]);
    expect(tool.driver.rules[results[2].ruleIndex]).toEqual({
      id: 'max-length-lowered',
      shortDescription: { text: 'maxLength lowered.' },
    });
  });
});

describe('many changes', () => {
  /** Five operations that share a schema, whose requests take each of the properties, and whose responses give them. */
  const sharing = (maximum: number, count: number): string => {
    const properties = Array.from({ length: count }, (_, at) => [
      `p${at}`,
      { type: 'integer', maximum },
    ]);
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Shared' } } };
    const responses = { 200: { description: 'A', content } };
    const paths = ['a', 'b', 'c', 'd', 'e'].map((operationId) => [
      `/${operationId}`,
      { put: { operationId, requestBody: { content }, responses } },
    ]);
    const Shared = { type: 'object', properties: Object.fromEntries(properties) };
    return JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'A', version: '1' },
      paths: Object.fromEntries(paths),
      components: { schemas: { Shared } },
    });
  };

  const diffShared = (count: number, ...args: readonly string[]) =>
    diff(['old.json', 'new.json', ...args], {
      'old.json': sharing(10, count),
      'new.json': sharing(5, count),
    });

  test('text: a cause is told once, with the first of its operations', async () => {
    const { out } = await diffShared(1);
    expect(out).toMatch(
      /^new\.json:\d+:\d+ breaking \(request\) maximum-lowered: .*\n {2}PUT \/a \(a\), PUT \/b \(b\), PUT \/c \(c\), PUT \/d \(d\) and 1 more\n1 breaking change, 0 warnings, 0 compatible changes\n$/,
    );
  });

  test('json: every operation and side has its own', async () => {
    const { out } = await diffShared(1, '--format', 'json');
    expect(JSON.parse(out).changes).toHaveLength(10);
  });

  test('sarif: a cause is one result', async () => {
    const { out } = await diffShared(1, '--format', 'sarif');
    const [{ results }] = JSON.parse(out).runs;
    expect(results).toHaveLength(1);
    expect(results[0].message.text).toMatch(/^PUT \/a .* and 1 more, request: /);
  });

  test('text: a table counts many by their rules', async () => {
    const { out } = await diffShared(21);
    expect(out.split('\n').slice(-4, -1)).toEqual([
      'rule             breaking  warning  compatible',
      'maximum-lowered        21        0           0',
      '21 breaking changes, 0 warnings, 0 compatible changes',
    ]);
    expect((await diffShared(20)).out).not.toContain('\nrule ');
  });

  test('markdown: a table counts many by their rules', async () => {
    const { out } = await diffShared(21, '--format', 'markdown');
    expect(out).toMatch(
      /\n\n\| rule \| breaking \| warning \| compatible \|\n\| --- .*\n\| maximum-lowered \| 21 \| 0 \| 0 \|\n$/,
    );
  });
});

describe('accepted changes', () => {
  const diffAllowing = (text: string) =>
    diff([...line.split(' '), '--allow', 'allow.yaml'], { ...files, 'allow.yaml': text });

  test.each(tableOf(cases, 'accepted'))(
    '%s',
    async (_title, more = '', exitCode = '', err = '') => {
      const entry = `{rule: max-length-lowered, reason: agreed${readText(more)}}`;
      const outcome = await diffAllowing(`allow: [${entry}]`);
      expect(outcome).toMatchObject({ exitCode: Number(exitCode), err: readText(err) });
      expect(outcome.out.includes('max-length-lowered')).toBe(exitCode === '1');
    },
  );

  test.each(tableOf(cases, 'files that cannot be used'))(
    '%s',
    async (_title, text = '', sentence = '') => {
      const outcome = await diffAllowing(text);
      expect(outcome).toMatchObject({ exitCode: 2, out: '' });
      expect(outcome.err).toMatch(/^The file allow\.yaml cannot be used: [^\n]*\n$/);
      expect(outcome.err).toContain(readText(sentence));
    },
  );
});

describe('--base', () => {
  const git = (...args: readonly string[]): void => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@a.example', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...who, ...args], { stdio: 'ignore' });
  };

  /** A repository whose first commit holds the documents. */
  const commit = (specs: Files): void => {
    process.chdir(writeFiles({ 'readme.md': 'A' }));
    mkdirSync('specs');
    for (const [name, text] of Object.entries(specs))
      writeFileSync(join('specs', name), String(text));
    git('init', '--initial-branch=first');
    git('add', '.');
    git('commit', '-m', 'A');
  };

  const parts = `${head}paths: {/a: {$ref: 'part.yaml#/a'}}\n`;
  const part = (type: string): string =>
    `a: {get: {parameters: [{name: q, in: query, schema: {type: ${type}}}], responses: {'200': {description: A}}}}\n`;

  test('every document of the folder, and what they refer to', async () => {
    commit({ 'main.yaml': parts, 'part.yaml': part('string'), 'gone.yaml': files['old.yaml'] });
    writeFileSync('specs/part.yaml', part('boolean'));
    rmSync('specs/gone.yaml');
    const info = { title: 'Fresh', version: '1' };
    writeFileSync('specs/fresh.json', JSON.stringify({ openapi: '3.0.3', info, paths: {} }));
    const { exitCode, out, err } = await run('--base', 'first');
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: '' });
    expect(out).toMatch(
      /^first:specs\/gone\.yaml:\d+:\d+ breaking \(document\) operation-removed/m,
    );
    expect(out).toMatch(/^specs\/part\.yaml:\d+:\d+ breaking \(request\) type-changed/m);
    expect(out).toMatch(/^2 breaking changes, 0 warnings, 0 compatible changes\n$/m);
  });

  test('the files that are named, from a folder below', async () => {
    commit({ 'a.yaml': files['old.yaml'], 'b.yaml': files['old.yaml'] });
    writeFileSync('specs/a.yaml', files['breaking.yaml']);
    process.chdir('specs');
    expect(await run('--base', 'HEAD', 'b.yaml')).toMatchObject({ exitCode: 0 });
    expect(await run('--base', 'HEAD', 'a.yaml')).toMatchObject({ exitCode: 1 });
  });

  test('a revision that is not there is wrong use', async () => {
    commit({ 'a.yaml': files['old.yaml'] });
    const err = 'The revision cannot be read: git knows no revision nope.\n';
    expect(await run('--base', 'nope')).toEqual({ exitCode: 2, out: '', err });
  });

  test.each<[title: string, args: readonly string[]]>([
    ['of the folder', []],
    ['that is named', ['specs/a.yaml', 'specs/other.yaml']],
  ])('a document %s that cannot be read hides no other', async (_title, args) => {
    commit({ 'a.yaml': files['old.yaml'] });
    writeFileSync('specs/a.yaml', files['breaking.yaml']);
    writeFileSync('specs/other.yaml', 'openapi: 4.0.0\n');
    const { exitCode, out, err } = await run('--base', 'first', ...args);
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: '' });
    expect(out).toMatch(/^specs\/other\.yaml:1:10 error: /m);
    expect(out).toMatch(/^1 error, 1 breaking change, /m);
  });

  test('a document that is neither here nor there is looked for here', async () => {
    commit({ 'a.yaml': files['old.yaml'] });
    const { exitCode, out } = await run('--base', 'first', 'specs/nope.yaml');
    expect(exitCode).toBe(2);
    expect(out).toMatch(/^specs\/nope\.yaml:1:1 error: The document cannot/);
  });
});
