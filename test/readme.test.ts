/** What the READMEs say is true: their links lead somewhere, and the files, variables and commands they name exist. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../scripts/root-folder';
import { readSettings } from '../src/server/config/config';

/** Files of the project, also those that are not committed yet, that match a pattern of git. */
const projectFiles = (...patterns: string[]): string[] =>
  execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns],
    { cwd: rootFolder, encoding: 'utf8' },
  )
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(rootFolder, file)));

const textOf = (file: string): string => readFileSync(join(rootFolder, file), 'utf8');

const matchesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

const readmes = projectFiles('*.md');

const fencedCode = /^ *```[\s\S]*?^ *```$/gm;

const withoutCode = (file: string): string => textOf(file).replaceAll(fencedCode, '');

const inlineCode = (file: string): string[] => matchesOf(withoutCode(file), /`([^`\n]+)`/g);

/** As GitHub makes them of headings. */
const anchorsOf = (file: string): string[] =>
  matchesOf(withoutCode(file), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );

const relativeLinks = (file: string): string[] =>
  matchesOf(withoutCode(file), /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));

const linkProblem = (from: string, link: string): string | undefined => {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(rootFolder, file))) return `${link}: no such file`;
  if (anchor === undefined || anchorsOf(file).includes(anchor)) return undefined;
  return `${link}: no such heading`;
};

test('the project has its READMEs', () => {
  expect(readmes).toEqual(
    expect.arrayContaining(['README.md', 'handlers/README.md', 'specs/README.md', 'src/README.md']),
  );
});

test.each(readmes)('the links of %s lead to files and headings', (file) => {
  expect(relativeLinks(file).flatMap((link) => linkProblem(file, link) ?? [])).toEqual([]);
});

/** Folders that paths in a README start from. */
const startsOf = (file: string): string[] => [
  ...['', dirname(file)],
  ...['src/engine', 'src/server', 'src/contract'],
];

/** Lower-case names with a slash between them; no media type, and nothing that is made by a build or by the reader. */
const isPath = (code: string): boolean =>
  /^[a-z][\w.-]*\/([\w.-]+\/?)*$/.test(code) &&
  !/^(application|image|multipart|text|dist|fastify|spec-first)\//.test(code) &&
  !/\b(NAME|booking|loans)\b/.test(code);

test.each(readmes)('the paths in %s exist', (file) => {
  const missing = inlineCode(file)
    .filter(isPath)
    .filter((path) => !startsOf(file).some((start) => existsSync(join(rootFolder, start, path))));
  expect(missing).toEqual([]);
});

const fileNames = new Set(projectFiles().map((file) => basename(file)));

test.each(readmes)('the file names in %s are those of files', (file) => {
  const names = inlineCode(file)
    .filter((code) => /^[a-z][\w./-]*\.(ts|js|json|yaml|md|png)$/i.test(code))
    .filter((code) => !/^(dist|BASE)\/|\b(NAME|booking|loans)\.|\b(booking|loans)\//.test(code))
    .map((code) => basename(code));
  expect(names.filter((name) => !fileNames.has(name))).toEqual([]);
});

/** What may read the environment. */
const readers = [
  ...projectFiles(
    'src/server/config/*.ts',
    'src/server/admin/*.ts',
    'src/tool/*.ts',
    'scripts/*.ts',
    'scripts/ci/*.yml',
    'test/*.ts',
    'jest.config.js',
  ),
]
  .filter((file) => !file.endsWith('readme.test.ts'))
  // The standard variables, which the SDK reads by itself.
  .concat(
    [
      'configuration/build/src/EnvDefinition.js',
      'resources/build/src/detectors/EnvDetector.js',
      'sdk-node/build/src/sdk.js',
    ].map((file) => `node_modules/@opentelemetry/${file}`),
  );

test('every variable that a README names is read somewhere', () => {
  const named = readmes.flatMap((file) => [
    ...inlineCode(file).filter((code) => /^[A-Z]+(_[A-Z]+)+$/.test(code)),
    // Not what a shell keeps of a command: `TOKEN=$(npm run …)`.
    ...matchesOf(textOf(file), /\b([A-Z][A-Z_]+)=(?!\$\()[^\s`]+ (?:.*)?n(?:pm|px|ode) /g),
    ...matchesOf(textOf(file), /`([A-Z]+(?:_[A-Z]+)+)=/g),
  ]);
  expect(named).toContain('DATABASE_URL');
  const known = new Set(readers.flatMap((file) => matchesOf(textOf(file), /\b([A-Z][A-Z_]+)\b/g)));
  const isRead = (name: string) => known.has(name) || known.has(name.replace(/_FILE$/, ''));
  expect([...new Set(named)].filter((name) => !isRead(name))).toEqual([]);
});

test('src/server/configuration.md lists every setting', () => {
  const rows = matchesOf(textOf('src/server/configuration.md'), /^\| (`[^|]+) \|/gm).join(' ');
  const listed = new Set(matchesOf(rows, /`([A-Z]+(?:_[A-Z]+)*)`/g));
  const { settings } = readSettings({});
  expect([...listed].sort()).toEqual(settings.map(({ variable }) => variable).sort());
});

test.each(readmes)('the npm scripts in %s exist', (file) => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const named = matchesOf(textOf(file), /\bnpm run (?:--silent )?([\w:-]+)/g);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('src/README.md has a row for every package that the program needs', () => {
  const { dependencies, optionalDependencies } = JSON.parse(textOf('package.json'));
  const needed = Object.keys({ ...dependencies, ...optionalDependencies });
  const [, table = ''] = /^## Dependencies\n([\s\S]*?)^## /m.exec(textOf('src/README.md')) ?? [];
  const listed = matchesOf(table, /^\| ([^|]+) \|/gm).flatMap((cell) => cell.split(', '));
  expect(listed.slice(1).sort()).toEqual(needed.sort());
});

test('no long line stands in two READMEs, or twice in one', () => {
  // Of the pages on migrating a reader needs one.
  const lines = readmes
    .filter((file) => !file.includes('/migrating/'))
    .flatMap((file) => withoutCode(file).split('\n'))
    .map((line) => line.trim())
    .filter((line) => line.length > 60);
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
});

test('README.md is short', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});
