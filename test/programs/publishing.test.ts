/** What is published with the package: the list of what is in it, schemas for editors, and the files for the root of a repository. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { rootFolder } from '../../scripts/root-folder';
import { readAllowFile } from '../../src/contract';
import { installedPackage, useInstalledPackage } from '../support/installed-package';

const path = useInstalledPackage();
const textOf = (...names: string[]): string =>
  readFileSync(path('node_modules', 'spec-first', ...names), 'utf8');

describe('sbom.cdx.json', () => {
  interface Component {
    readonly 'bom-ref': string;
    readonly name: string;
    readonly version: string;
    readonly licenses: readonly { license?: { id: string }; expression?: string }[];
    readonly evidence?: { readonly occurrences: readonly { readonly location: string }[] };
  }
  interface Bom {
    readonly bomFormat: string;
    readonly specVersion: string;
    readonly components: readonly Component[];
  }
  const bom = (): Bom => JSON.parse(textOf('sbom.cdx.json'));
  const filesOf = ({ evidence }: Component) =>
    evidence?.occurrences.map(({ location }) => location) ?? [];

  test('lists each bundled package with its version, licence and file', () => {
    const bundled = bom().components.filter((component) => filesOf(component).length > 0);
    const licences = textOf('THIRD-PARTY-LICENSES').split(`\n${'-'.repeat(72)}\n\n`);
    expect(bundled.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(
      licences.map((licence) => licence.split('\n')[0]).sort(),
    );
    for (const { name, licenses } of bundled) {
      const installed = join(rootFolder, 'node_modules', name, 'package.json');
      const { license } = JSON.parse(readFileSync(installed, 'utf8'));
      expect([name, licenses[0]?.license?.id ?? licenses[0]?.expression]).toEqual([name, license]);
    }
    const vendored = readdirSync(path('node_modules/spec-first/vendor'));
    expect([...new Set(bundled.flatMap(filesOf))].sort()).toEqual(
      vendored.map((file) => `vendor/${file}`).sort(),
    );
  });

  test('lists what is installed beside it, with what that depends on', () => {
    const { bomFormat, specVersion, components } = bom();
    expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.6']);
    const beside = components.filter((one) => filesOf(one).length === 0).map(({ name }) => name);
    const names = Object.keys(JSON.parse(textOf('package.json')).dependencies);
    expect(beside).toEqual(expect.arrayContaining([...names, 'fast-uri', 'pure-rand']));
    const references = components.map((component) => component['bom-ref']);
    expect(new Set(references).size).toBe(references.length);
  });
});

describe('schemas/allow-list.json', () => {
  const page = readFileSync(join(rootFolder, 'src/contract/README.md'), 'utf8');
  const [, example = ''] = /## Accepted changes\n\n```yaml\n([\s\S]*?)```/.exec(page) ?? [];

  test.each<[title: string, text: string, isGood: boolean]>([
    ['the example of the page', example, true],
    ['an empty list', 'allow: []', true],
    ['a misspelt key', example.replace('pointer:', 'pointr:'), false],
    ['a misspelt key of the file', 'alow: []', false],
    ['an unknown rule', example.replace('parameter-removed', 'parameter-remove'), false],
    ['no reason', example.replace(/^ *reason.*\n/m, ''), false],
    ['a reason that is blank', example.replace(/reason: .*/, "reason: ' '"), false],
    ['no rule', 'allow: [{ reason: A }]', false],
    ['no day', example.replace('2027-03-01', 'tomorrow'), false],
    ['a list', '[]', false],
  ])('judges as the command does: %s', (_title, text, isGood) => {
    expect(example).toContain('expires: ');
    const formats = { date: /^\d{4}-\d\d-\d\d$/ };
    const validate = new Ajv({ formats }).compile(JSON.parse(textOf('schemas/allow-list.json')));
    // As editors read it: days are text.
    expect(validate(parse(text, { schema: 'core' }))).toBe(isGood);
    const read = () => readAllowFile(text);
    if (isGood) expect(read).not.toThrow();
    else expect(read).toThrow();
  });
});

/** Runs a command of the package in the folder of the test. */
const specFirst = (...args: string[]) => {
  const program = path('node_modules/.bin/spec-first');
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: path(), encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n'), stderr };
};

const document = (...lines: string[]): string =>
  ['openapi: 3.1.0', "info: { title: T, version: '1' }", 'paths:', ...lines, ''].join('\n');
const response = "      responses: { '200': { description: A } }";

describe('the files for the root of a repository', () => {
  let root: string;
  beforeAll(async () => {
    root = join(await installedPackage(), 'root');
    writeFileSync(
      path('old.yaml'),
      document('  /a:', '    delete:', response, '    get:', '      operationId: a', response),
    );
    writeFileSync(
      path('openapi.yaml'),
      document('  /a:', '    get:', '      operationId: b', response, '    put:', response),
    );
    writeFileSync(
      path('faulty.yaml'),
      document('  /a:', '    get:', "      responses: { '200': {} }", 'more: 1'),
    );
  });

  /** Applies the matchers as GitHub does: those of each owner to each line, the first that fits. */
  const annotations = (lines: readonly string[]) => {
    interface Matcher {
      readonly severity?: string;
      readonly pattern: readonly [{ regexp: string } & Readonly<Record<string, number | string>>];
    }
    const text = readFileSync(join(root, 'problem-matcher.json'), 'utf8');
    const { problemMatcher }: { problemMatcher: readonly Matcher[] } = JSON.parse(text);
    return lines.flatMap((line) =>
      problemMatcher.flatMap(({ severity: usual, pattern: [{ regexp, ...groups }] }) => {
        const match = new RegExp(regexp).exec(line);
        if (match === null) return [];
        const found = Object.entries(groups).map(([name, group]) => [name, match[Number(group)]]);
        return [{ severity: usual, ...Object.fromEntries(found) }];
      }),
    );
  };

  test('the problem matcher finds what check prints', () => {
    const { status, lines } = specFirst('check', 'faulty.yaml');
    expect(status).toBe(1);
    const found = annotations(lines);
    expect(found).toHaveLength(lines.length - 1);
    expect(found).toContainEqual({
      file: 'faulty.yaml',
      line: '6',
      column: expect.stringMatching(/^\d+$/),
      severity: 'error',
      code: undefined,
      message: expect.stringMatching(/description.* \(\/paths\/~1a\/get\/responses\/200\)$/),
    });
    expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(['error', 'warning']));
  });

  test('the problem matcher finds what diff prints', () => {
    const { status, lines } = specFirst('diff', 'old.yaml', 'openapi.yaml');
    expect(status).toBe(1);
    const expected = [
      ['old.yaml', '5', 'error', 'operation-removed', /^Operation removed/],
      ['openapi.yaml', '6', 'warning', 'operation-id-changed', /^operationId changed/],
      ['openapi.yaml', '8', 'notice', 'operation-added', /^Operation added/],
    ] as const;
    expect(annotations(lines)).toEqual(
      expected.map(([file, line, severity, code, message]) => {
        const column = expect.stringMatching(/^\d+$/);
        return { file, line, column, severity, code, message: expect.stringMatching(message) };
      }),
    );
  });

  test('the action has all that it names beside it', () => {
    const text = readFileSync(join(root, 'action.yml'), 'utf8');
    const named = [...text.matchAll(/\$GITHUB_ACTION_PATH\/([\w.-]+)/g)].map(
      ([, file = '']) => file,
    );
    expect(named).toEqual(['problem-matcher.json']);
    for (const file of named) expect(existsSync(join(root, file))).toBe(true);
    expect(Object.keys(parse(text)).sort()).toEqual([
      ...['branding', 'description', 'inputs', 'name', 'runs'],
    ]);
  });

  describe('.pre-commit-hooks.yaml', () => {
    interface Hook {
      readonly id: string;
      readonly entry: string;
      readonly additional_dependencies: readonly string[];
      readonly files: string;
    }
    const hooks = (): readonly Hook[] =>
      parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'));
    const runHook = (id: string, ...args: string[]) => {
      const [program, ...words] =
        hooks()
          .find((hook) => hook.id === id)
          ?.entry.split(' ') ?? [];
      expect(program).toBe('spec-first');
      return specFirst(...words, ...args);
    };

    test('installs the version of the package', () => {
      const { version } = JSON.parse(textOf('package.json'));
      for (const hook of hooks()) {
        expect(hook.additional_dependencies).toEqual([`spec-first@${version}`]);
        expect(new RegExp(hook.files).test('api/openapi.yaml')).toBe(true);
      }
      expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version).toBe(version);
    });

    test('runs check, diff and test', () => {
      expect(runHook('spec-first-check', 'openapi.yaml')).toMatchObject({ status: 0, stderr: '' });
      expect(runHook('spec-first-check', 'faulty.yaml').status).toBe(1);
      expect(runHook('spec-first-test', '--document', 'openapi.yaml').stderr).toContain('--url');
      mkdirSync(path('repository'));
      const script = [
        'git init -q . && cp old.yaml repository/openapi.yaml && git add repository',
        'git -c user.name=A -c user.email=a@example.com commit -qm Begin',
        'cp openapi.yaml repository/openapi.yaml',
      ].join(' && ');
      expect(spawnSync('sh', ['-c', script], { cwd: path(), encoding: 'utf8' }).stderr).toBe('');
      const { status, lines } = runHook('spec-first-diff', 'repository/openapi.yaml');
      expect([status, lines[0]]).toEqual([1, expect.stringContaining(' breaking ')]);
    });
  });
});
