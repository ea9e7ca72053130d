/** Documents of a directory: those that can be loaded are served, and the others are told of. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Diagnostic, describeDiagnostic } from '../../../src/document/diagnostics/diagnostic';
import type { DocumentOptions } from '../../../src/host/document-places';
import {
  type DocumentState,
  loadDocuments,
  problemLines,
  problemsOf,
  servedDocuments,
} from '../../../src/host/documents';
import { casesOf, fieldsOf } from '../../support/text-cases';
import { type Files, writeFiles } from '../document/bundle/source-folder';

const documentAt = (base: string, rest = ''): string =>
  `openapi: 3.0.3\ninfo: {title: A, version: '1'}\nservers: [{url: ${base}}]\npaths: {/a: {get: {responses: {'200': {description: A}}}}}\n${rest}`;

const load = async (files: Files, options: Partial<DocumentOptions> = {}) => {
  const directory = writeFiles(files);
  const authUrlOf = (basePath: string): string => `http://auth.test${basePath}`;
  const loaded = await loadDocuments([directory], { authUrlOf, ...options }).catch(
    (error: unknown) => {
      if (error instanceof Error) throw new Error(error.message.replaceAll(directory, 'specs'));
      throw error;
    },
  );
  const documents = servedDocuments(loaded);
  return {
    names: documents.map(({ name }) => name),
    problems: problemsOf(loaded).map((problem) =>
      describeDiagnostic(problem).replaceAll(directory, 'specs'),
    ),
    documents,
  };
};

const foreign =
  'specs/b.yaml:1:10 error: OpenAPI 4.0.0 is not known here. Write openapi: 3.0.3, 3.1.2 or 3.2.0, if the document is one of these. (/openapi)';

/** A file of a case: a document below a path, with what else it says, or the text itself. */
const contentOf = (text: string): string => {
  const [, base, rest = ''] = /^at (\S+)(?: with (.*))?$/.exec(text) ?? [];
  return base === undefined ? text : documentAt(base, rest && `${rest}\n`);
};

describe('the documents of a directory', () => {
  test.each(casesOf(join(__dirname, 'documents.cases.txt')))('%s', async (_title, lines) => {
    const fields = fieldsOf(lines);
    const textsOf = (start: string): [string, string][] =>
      fields.flatMap(([name, text]) => (name.startsWith(start) ? [[name, text]] : []));
    const files = textsOf('file ').map(([name, text]) => [name.slice(5), contentOf(text)]);
    const basePaths = new Map(textsOf('at ').map(([name, path]) => [name.slice(3), path]));
    const { problems, documents } = await load(Object.fromEntries(files), { basePaths });
    const served = documents.map(({ name, basePath }) => `${name} ${basePath}`);
    expect(served).toEqual(textsOf('served').flatMap(([, text]) => text.split(', ')));
    expect(problems).toEqual(textsOf('problem').map(([, text]) => text));
  });

  test('a document that is served elsewhere says so', async () => {
    const { documents } = await load({ 'a.yaml': documentAt('/x'), 'b.yaml': documentAt('/x/') });
    expect(documents[1]?.text).toContain('- url: /b');
  });

  test('a path for a document that is not there is refused', async () => {
    const basePaths = new Map([['box', '/box']]);
    await expect(load({ 'a.yaml': documentAt('/x') }, { basePaths })).rejects.toThrow(
      'BASE_PATHS names box, but specs has no document of that name',
    );
  });

  test('{auth_url} is filled in', async () => {
    const scheme =
      '{type: oauth2, flows: {implicit: {authorizationUrl: "{auth_url}/o", scopes: {}}}}';
    const { documents } = await load({
      'a.yaml': documentAt('/a', `components: {securitySchemes: {s: ${scheme}}}\n`),
    });
    expect(JSON.stringify(documents[0]?.definition)).toContain('"http://auth.test/a/o"');
    expect(documents[0]?.text).toContain('"http://auth.test/a/o"');
  });

  test.each<[title: string, files: Files, options: Partial<DocumentOptions>, message: string]>([
    ['nothing', {}, {}, 'specs has no OpenAPI document to serve'],
    [
      'nothing that can be loaded',
      { 'b.yaml': 'openapi: 4.0.0' },
      {},
      `${foreign}\nspecs has no OpenAPI document to serve`,
    ],
    [
      'a document that cannot be served, where all must be',
      { 'a.yaml': documentAt('/a'), 'b.yaml': 'openapi: 4.0.0' },
      { production: true },
      `${foreign}\nIn production every document must be served, and this one cannot be: specs/b.yaml. Correct it, or take it out of specs.`,
    ],
    [
      'an error, where documents must be without',
      { 'a.yaml': documentAt('/a'), 'b.yaml': 'openapi: 4.0.0' },
      { strictDocuments: true },
      `${foreign}\nNothing is served while a document has errors (--strict)`,
    ],
  ])('stop the start: %s', async (_title, files, options, message) => {
    await expect(load(files, options)).rejects.toThrow(message);
  });

  test('warnings stop no start', async () => {
    const files = { 'a.yaml': documentAt('/a', 'x-a: 1\nunknown: 1\n') };
    const { names, problems } = await load(files, { strictDocuments: true });
    expect([names, problems.length]).toEqual([['a'], 1]);
  });
});

describe('a base path that hides what is served already', () => {
  const operatorPages = ['/ops/', '/ops/livez', '/ops/metrics'];
  const hidden = (path: string, what: string) =>
    `specs/b.yaml:3:17 error: The document is not served: its path ${path} hides ${what}. Choose another path by BASE_PATHS=b=/PATH. (/servers/0/url)`;
  test.each<[path: string, what: string | undefined]>([
    ['/c/oauth', '/c/oauth of c'],
    ['/c/docs/reference', '/c/docs of c'],
    ['/c/files', '/c/files of c'],
    ['/c/openapi.json', '/c/openapi.json of c'],
    ['/c/oauthentic', undefined],
    ['/c/v2', undefined],
    ['/ops', '/ops/ of the server itself'],
    ['/ops/metrics', '/ops/metrics of the server itself'],
    ['/.well-known', '/.well-known of the server itself'],
    ['/llms.txt', '/llms.txt of the server itself'],
    ['/c/docs.md', '/c/docs.md of c'],
    ['/metrics', undefined],
  ])('%s', async (path, what) => {
    const files = { 'b.yaml': documentAt(path), 'c.yaml': documentAt('/c') };
    const { names, problems } = await load(files, { operatorPages });
    expect([names, problems]).toEqual(
      what === undefined ? [['b', 'c'], []] : [['c'], [hidden(path, what)]],
    );
  });

  test('operations at the root that hide the pages of the server are told of', async () => {
    const files = { 'a.yaml': documentAt('/').replace('/a:', '/livez:') };
    const { problems } = await load(files, { operatorPages: ['/', '/livez', '/readyz'] });
    expect(problems).toEqual([
      "specs/a.yaml:3:17 warning: Operations of this document hide the server's own /livez. OPERATOR_PATH=/PATH serves those elsewhere. (/servers/0/url)",
    ]);
  });
});

describe('what is served when a directory is read again', () => {
  const good = (title: string) => documentAt('/a').replace('title: A', `title: ${title}`);
  const faulty = (title: string) =>
    good(title).replace('/a: {', "/b: {get: {responses: {'200': {$ref: '#/x'}}}}, /a: {");
  const files: Readonly<Record<string, string | undefined>> = {
    good: good('one'),
    edited: good('two'),
    faulty: faulty('three'),
    'faulty and edited': faulty('four'),
    broken: 'openapi: [',
    foreign: 'openapi: 4.0.0',
    '-': undefined,
  };
  const other = documentAt('/z');
  const asWritten = { authUrlOf: (basePath: string): string => basePath };

  const save = (file: string, text: string | undefined): void => {
    if (text === undefined) rmSync(file, { force: true });
    else writeFileSync(file, text);
  };
  /** Its state and the title that is served. */
  const describeState = (one: DocumentState | undefined): string => {
    if (one === undefined) return '-';
    expect(one.refused.length > 0).toBe(['kept', 'unserved'].includes(one.state));
    const title = one.document?.definition.info.title;
    return [one.state, title].filter(Boolean).join(' ');
  };

  test.each<[steps: readonly string[], options: Partial<DocumentOptions>, states: string[]]>([
    [['good', 'edited'], {}, ['current one', 'current two']],
    [['good', 'broken'], {}, ['current one', 'kept one']],
    [['good', 'foreign'], {}, ['current one', 'kept one']],
    [['good', 'faulty'], {}, ['current one', 'kept one']],
    [['good', '-'], {}, ['current one', '-']],
    [['good', 'broken', 'faulty'], {}, ['current one', 'kept one', 'kept one']],
    [['good', 'broken', 'edited'], {}, ['current one', 'kept one', 'current two']],
    [['good', 'broken', '-'], {}, ['current one', 'kept one', '-']],
    [['-', 'faulty'], {}, ['-', 'faulty three']],
    [['-', 'broken'], {}, ['-', 'unserved']],
    [['-', 'broken', 'good'], {}, ['-', 'unserved', 'current one']],
    [['-', 'broken', 'faulty'], {}, ['-', 'unserved', 'faulty three']],
    [['faulty', 'faulty and edited'], {}, ['faulty three', 'faulty four']],
    [['faulty', 'good'], {}, ['faulty three', 'current one']],
    [['faulty', 'broken'], {}, ['faulty three', 'kept three']],
    [['broken', 'broken'], {}, ['unserved', 'unserved']],
    [['broken', 'good'], {}, ['unserved', 'current one']],
    [['-', 'faulty'], { strictDocuments: true }, ['-', 'unserved']],
    [['-', 'broken'], { production: true }, ['-', 'unserved']],
  ])('%j %j', async (steps, options, expected) => {
    const directory = writeFiles({ 'z.yaml': other });
    const file = join(directory, 'a.yaml');
    let states: readonly DocumentState[] = [];
    const seen: string[] = [];
    for (const step of steps) {
      save(file, files[step]);
      states = await loadDocuments([directory], { ...asWritten, ...options }, { served: states });
      seen.push(describeState(states.find(({ name }) => name === 'a')));
      // The other is served whatever becomes of this one.
      expect(states.at(-1)).toMatchObject({ name: 'z', state: 'current' });
    }
    expect(seen).toEqual(expected);
  });

  test.each<[title: string, first: Files, then: Files, expected: Readonly<Record<string, string>>]>(
    [
      [
        'one that finds no place stays where it was',
        { 'a.yaml': documentAt('/a'), 'b.yaml': documentAt('/b') },
        { 'b.yaml': documentAt('/a/docs') },
        { a: 'current /a', b: 'kept /b' },
      ],
      [
        'one that takes the place of one that is kept makes room',
        { 'b.yaml': documentAt('/b') },
        { 'a.yaml': documentAt('/b'), 'b.yaml': 'a: [' },
        { a: 'current /a', b: 'kept /b' },
      ],
      [
        'one whose pages another hides that is served already is not served',
        { 'b.yaml': documentAt('/a/oauth') },
        { 'a.yaml': documentAt('/a') },
        { a: 'unserved', b: 'kept /a/oauth' },
      ],
      [
        'the parts of one that is kept are no documents',
        {
          'a.yaml': documentAt('/a', "components: {schemas: {A: {$ref: 'parts.yaml#/A'}}}\n"),
          'parts.yaml': 'A: {type: object}',
        },
        { 'a.yaml': 'a: [' },
        { a: 'kept /a' },
      ],
    ],
  )('%s', async (_, first, then, expected) => {
    const directory = writeFiles(first);
    const before = await loadDocuments([directory], asWritten);
    for (const [name, text] of Object.entries(then)) writeFileSync(join(directory, name), text);
    const states = await loadDocuments([directory], asWritten, { served: before });
    const seen = states.map(({ name, state, document }) => [
      name,
      document === undefined ? state : `${state} ${document.basePath}`,
    ]);
    expect(Object.fromEntries(seen)).toEqual(expected);
  });

  test('what is no file is told of, and harms no other', async () => {
    const directory = writeFiles({ 'z.yaml': other });
    mkdirSync(join(directory, 'a.yaml'));
    symlinkSync('nowhere', join(directory, 'b.yaml'));
    symlinkSync('.', join(directory, 'c.yaml'));
    execFileSync('mkfifo', [join(directory, 'd.yaml')]);
    const states = await loadDocuments([directory], asWritten);
    const seen = states.map(({ name, state, refused }) => [name, state, refused[0]?.rule]);
    expect(seen).toEqual([
      ...['a', 'b', 'c', 'd'].map((name) => [name, 'unserved', 'unreadable-file']),
      ['z', 'current', undefined],
    ]);
  });
});

describe('what a start says of problems', () => {
  const problem = (file: string, severity: 'error' | 'warning'): Diagnostic => ({
    ...{ file, severity, rule: 'yaml', pointer: '', message: 'Bad.', line: 1, column: 2 },
  });

  test('is a line each, while they are few', () => {
    expect(problemLines([problem('a', 'error')])).toEqual(['a:1:2 error: Bad. (/)']);
  });

  test('is how many each file has, and the first ones, where they are many', () => {
    const problems = [
      problem('a', 'error'),
      ...Array.from({ length: 22 }, () => problem('b', 'warning')),
    ];
    const lines = problemLines(problems);
    expect(lines.slice(0, 3)).toEqual([
      'a: 1 error, 0 warnings',
      'b: 0 errors, 22 warnings',
      'a:1:2 error: Bad. (/)',
    ]);
    expect(lines).toHaveLength(23);
    expect(lines.at(-1)).toBe('3 more; npm run contract -- check FILE shows all');
  });
});
