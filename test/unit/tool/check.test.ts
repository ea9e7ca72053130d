/** `npm run contract -- check`: what it says in each format, and its exit codes. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../../scripts/root-folder';
import { ruleDescriptions } from '../../../src/document/diagnostics/diagnostic';
import { runScript } from '../../support/run-script';
import { type Files, head, writeFiles } from '../document/bundle/source-folder';
import { runCommand } from './run-command';

const good = `${head}paths: {/a: {get: {operationId: a, responses: {'200': {description: A}}}}}\n`;
const warned = `${good}unknown: 1\n`;
const faulty = `${head}paths:\n  /a:\n    get:\n      responses:\n        '200': {}\n      operationId: a\n`;
const files = {
  'good.yaml': good,
  'warned.yaml': warned,
  'faulty.yaml': faulty,
  'bad file.yaml': 'a: [',
};

/** Runs the command in the folder's terms: its path reads as `specs`. */
const check = async (args: readonly string[], contents: Files = files) => {
  const folder = writeFiles(contents);
  const { exitCode, out, err } = await runCommand(
    'check',
    ...args.map((arg) => (arg.startsWith('-') || !arg.includes('.') ? arg : join(folder, arg))),
  );
  const called = (text: string): string =>
    text
      .replaceAll(folder, 'specs')
      .replaceAll(folder.split('/').map(encodeURIComponent).join('/'), 'specs');
  return { exitCode, out: called(out), err: called(err) };
};

describe('exit codes', () => {
  test.each<[title: string, args: string[], exitCode: number]>([
    ['nothing wrong', ['good.yaml'], 0],
    ['a warning', ['warned.yaml'], 0],
    ['a warning, strictly', ['warned.yaml', '--strict'], 1],
    ['an error', ['good.yaml', 'faulty.yaml'], 1],
    ['no YAML', ['bad file.yaml'], 1],
    ['a file that is not there', ['nope.yaml', 'good.yaml'], 2],
    ['a folder', ['./.'], 2],
    ['no file', [], 2],
    ['an unknown format', ['good.yaml', '--format', 'xml'], 2],
    ['an unknown option', ['good.yaml', '--quiet'], 2],
    ['help', ['--help'], 0],
  ])('%s', async (_title, args, exitCode) => {
    expect((await check(args)).exitCode).toBe(exitCode);
  });

  test('a command that is none', async () => {
    expect((await runCommand('chekc')).exitCode).toBe(2);
  });
});

describe('formats', () => {
  test('text: a line for each finding, in the order of the file, and a count', async () => {
    const { out, err } = await check(['good.yaml', 'faulty.yaml', 'warned.yaml']);
    expect(out).toBe(
      [
        'specs/faulty.yaml:7:16 error: Add the required field `description` to this response. (/paths/~1a/get/responses/200)',
        'specs/warned.yaml:4:1 warning: OpenAPI 3.0 has no field `unknown` in this document; it is ignored. Remove it, or begin its name with `x-`. (/unknown)',
        '1 error, 1 warning in 3 files',
        '',
      ].join('\n'),
    );
    expect(err).toBe('');
  });

  test('text: examples are looked at, too', async () => {
    const content = '{application/json: {schema: {type: integer}, example: x}}';
    const text = `${head}paths: {/a: {get: {responses: {'200': {description: A, content: ${content}}}, operationId: a}}}\n`;
    const { out, exitCode } = await check(['a.yaml'], { 'a.yaml': text });
    expect(exitCode).toBe(0);
    expect(out).toMatch(
      /^specs\/a\.yaml:3:119 warning: The example does not fit its schema: must be an integer.*\(\/paths\/~1a\/get\/responses\/200\/content\/application~1json\/example\)\n/,
    );
  });

  test('text: operations without an operationId, once', async () => {
    const texts = [
      "{get: {responses: &r {'200': {description: A}}}}",
      '{get: {responses: *r}, put: {operationId: putB, responses: *r}, post: {responses: *r}}',
    ].map((paths, at) => `  /${'ab'[at]}: ${paths}\n`);
    const said =
      ": its handler is called `'get /a'`, tools and generated clients make up a name, and all of them change with its path. Give each operation one. (/paths/~1a/get)\n";
    const [one, all] = [1, 2].map((count) => `${head}paths:\n${texts.slice(0, count).join('')}`);
    const { out } = await check(['a.yaml', 'b.yaml'], { 'a.yaml': one ?? '', 'b.yaml': all ?? '' });
    expect(out).toBe(
      [
        `specs/a.yaml:4:8 warning: This operation has no \`operationId\`${said}`,
        `specs/b.yaml:4:8 warning: This operation and 2 others have no \`operationId\`${said}`,
        '0 errors, 2 warnings in 2 files\n',
      ].join(''),
    );
  });

  test('text: security schemes that nothing verifies', async () => {
    const text = `${head}paths:
  /a: {get: {security: [{k: []}, {d: [], k: []}, {}], operationId: a, responses: {'200': {description: A}}}}
  /b: {get: {security: [{b: []}, {b: [], k: []}], operationId: b, responses: {'200': {description: A}}}}
components:
  securitySchemes:
    k: {type: apiKey, in: header, name: K}
    b: {type: http, scheme: Hoba}
    c: {type: http, scheme: basic}
    d: {type: http, scheme: digest}
    e: {type: http, scheme: Bearer}
`;
    const { out } = await check(['a.yaml'], { 'a.yaml': text });
    const advice =
      'Use a scheme of a kind that is verified (apiKey, http bearer, oauth2, openIdConnect, http basic), or give the service a security handler for this one.';
    expect(out).toBe(
      [
        `specs/a.yaml:9:8 warning: The scheme b (http Hoba) is not verified: operations that require it always answer 401. ${advice} (/components/securitySchemes/b)`,
        `specs/a.yaml:11:8 warning: The scheme d (http digest) is not verified: it cannot grant access. ${advice} (/components/securitySchemes/d)`,
        '0 errors, 2 warnings in 1 file',
        '',
      ].join('\n'),
    );
  });

  test('json', async () => {
    const { out } = await check(['faulty.yaml', '--format', 'json']);
    expect(JSON.parse(out)).toEqual({
      files: ['specs/faulty.yaml'],
      errors: 1,
      warnings: 0,
      problems: [
        {
          file: 'specs/faulty.yaml',
          line: 7,
          column: 16,
          severity: 'error',
          rule: 'required-field',
          pointer: '/paths/~1a/get/responses/200',
          message: 'Add the required field `description` to this response.',
        },
      ],
    });
  });

  test('sarif', async () => {
    const { out } = await check(['faulty.yaml', 'bad file.yaml', '--format', 'sarif']);
    const [faulty, bad] = ['specs/faulty.yaml', 'specs/bad%20file.yaml'];
    const { runs, ...log } = JSON.parse(out);
    const [{ tool, results, ...run }] = runs;
    expect([log, run]).toEqual([
      { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0' },
      {
        columnKind: 'utf16CodeUnits',
        artifacts: [faulty, bad].map((uri) => ({ location: { uri } })),
      },
    ]);
    const place = (uri: string, startLine: number, startColumn: number) => ({
      artifactLocation: { uri },
      region: { startLine, startColumn },
    });
    const element = { fullyQualifiedName: '/paths/~1a/get/responses/200', kind: 'element' };
    expect(results).toEqual([
      {
        ruleId: 'required-field',
        ruleIndex: expect.any(Number),
        level: 'error',
        message: { text: 'Add the required field `description` to this response.' },
        locations: [{ physicalLocation: place(faulty, 7, 16), logicalLocations: [element] }],
      },
      {
        ruleId: 'yaml',
        ruleIndex: expect.any(Number),
        level: 'error',
        message: { text: 'The [ of line 1 is not closed. Add its ].' },
        locations: [{ physicalLocation: place(bad, 1, 4) }],
      },
    ]);
    const { name, rules } = tool.driver;
    expect(name).toBe('spec-first');
    for (const { ruleId, ruleIndex } of results) {
      expect(rules[ruleIndex]).toEqual({
        id: ruleId,
        shortDescription: { text: expect.stringMatching(/^[A-Z].*\.$/) },
      });
    }
  });
});

test('the documents of the project have no errors', () => {
  const specs = readdirSync(join(rootFolder, 'specs'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join('specs', file));
  const script = join(rootFolder, 'scripts/contract/run.ts');
  const { status, out, err } = runScript(rootFolder, script, 'check', ...specs);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(
    /^specs\/ads\.yaml:\d+:\d+ warning: .*\n0 errors, 2 warnings in \d files\n$/s,
  );
});

test('every rule is used somewhere', () => {
  const sources = readdirSync(join(rootFolder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:document|engine)\b.*\.ts$/.test(name) && !name.endsWith('diagnostic.ts'))
    .map((name) => join('src', name));
  const others = [
    'contract/diff/version-rise.ts',
    'host/document-places.ts',
    'tool/check-command.ts',
  ];
  const text = [...sources, ...others.map((name) => join('src', name))]
    .map((name) => readFileSync(join(rootFolder, name), 'utf8'))
    .join('');
  const unused = Object.keys(ruleDescriptions).filter((rule) => !text.includes(`'${rule}'`));
  expect(unused).toEqual([]);
});
