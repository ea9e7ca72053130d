/** Documents of a directory: those that can be loaded are served, and the others are told of. */

import { describe, expect, test } from '@jest/globals';
import {
  type Diagnostic,
  describeDiagnostic,
} from '../../../../src/engine/document/diagnostics/diagnostic';
import {
  type DocumentOptions,
  loadDocuments,
  problemLines,
} from '../../../../src/server/services/documents';
import { type Files, writeFiles } from '../../engine/document/bundle/source-folder';

const documentAt = (base: string, rest = ''): string =>
  `openapi: 3.0.3\ninfo: {title: A, version: '1'}\nservers: [{url: ${base}}]\npaths: {/a: {get: {responses: {'200': {description: A}}}}}\n${rest}`;

const load = async (files: Files, options: Partial<DocumentOptions> = {}) => {
  const directory = writeFiles(files);
  const authUrlOf = (basePath: string): string => `http://auth.test${basePath}`;
  const loaded = await loadDocuments(directory, { authUrlOf, ...options }).catch(
    (error: unknown) => {
      if (error instanceof Error) throw new Error(error.message.replaceAll(directory, 'specs'));
      throw error;
    },
  );
  return {
    names: loaded.documents.map(({ name }) => name),
    problems: loaded.problems.map((problem) =>
      describeDiagnostic(problem).replaceAll(directory, 'specs'),
    ),
    documents: loaded.documents,
  };
};

const foreign =
  'specs/b.yaml:1:10 error: This is an OpenAPI 3.1.0 document, and only OpenAPI 3.0 is served. Convert it (type lists become nullable, webhooks go) and write openapi: 3.0.3. (/openapi)';

describe('the documents of a directory', () => {
  test('are loaded in the order of their names, whatever their ending', async () => {
    const { names, problems } = await load({
      'c.json': JSON.stringify({ openapi: '3.0.3', info: { title: 'C', version: '1' }, paths: {} }),
      'a.yml': documentAt('/a'),
      'b.yaml': documentAt('/b'),
      'notes.txt': 'no document',
    });
    expect(names).toEqual(['a', 'b', 'c']);
    expect(problems).toEqual([
      'specs/c.json:1:55 warning: The document has no operation, and every request is answered 404. Add one under `paths`. (/paths)',
    ]);
  });

  test('one that cannot be loaded does not stop the others', async () => {
    const files = { 'a.yaml': documentAt('/a'), 'b.yaml': 'openapi: 3.1.0', 'c.yaml': 'a: [' };
    const { names, problems } = await load(files);
    expect(names).toEqual(['a']);
    expect(problems).toEqual([
      foreign,
      expect.stringMatching(/^specs\/c\.yaml:1:5 error: The text is not YAML: /),
    ]);
  });

  test('of two at the same path the first is served there, the second at its name', async () => {
    const { names, problems, documents } = await load({
      'a.yaml': documentAt('/x'),
      'b.yaml': documentAt('/x/'),
    });
    expect(names).toEqual(['a', 'b']);
    expect(documents.map(({ basePath }) => basePath)).toEqual(['/x', '/b']);
    expect(documents[1]?.text).toContain('- url: /b');
    expect(problems).toEqual([
      'specs/b.yaml:3:17 warning: specs/a.yaml has the same server path /x, so that this document is served at /b. BASE_PATHS=b=/PATH chooses another. (/servers/0/url)',
    ]);
  });

  test('a document is served where it is told to be', async () => {
    const { problems, documents } = await load(
      { 'a.yaml': documentAt('/x'), 'b.yaml': documentAt('/x') },
      { basePaths: new Map([['b', '/v2']]) },
    );
    expect(documents.map(({ basePath }) => basePath)).toEqual(['/x', '/v2']);
    expect(problems).toEqual([]);
  });

  test('one that cannot be served anywhere else is not', async () => {
    const { names, problems } = await load(
      { 'a.yaml': documentAt('/x'), 'b.yaml': documentAt('/y') },
      { basePaths: new Map([['b', '/x']]) },
    );
    expect(names).toEqual(['a']);
    expect(problems).toEqual([
      'specs/b.yaml:3:17 error: The document is not served: specs/a.yaml has the same server path /x. Change one of them by BASE_PATHS=b=/PATH. (/servers/0/url)',
    ]);
  });

  test('a path for a document that is not there is refused', async () => {
    const basePaths = new Map([['box', '/box']]);
    await expect(load({ 'a.yaml': documentAt('/x') }, { basePaths })).rejects.toThrow(
      'BASE_PATHS names box, but specs has no document of that name',
    );
  });

  test('of two with the same name the first is served', async () => {
    const { names, problems } = await load({
      'a.yaml': documentAt('/x'),
      'a.yml': documentAt('/y'),
    });
    expect(names).toEqual(['a']);
    expect(problems).toEqual([
      'specs/a.yml:3:17 error: The document is not served: specs/a.yaml has the same name. Rename one. (/servers/0/url)',
    ]);
  });

  test('a file that others refer to need not be a document', async () => {
    const { names, problems } = await load({
      'a.yaml': documentAt('/a', "components: {schemas: {A: {$ref: 'parts.yaml#/A'}}}\n"),
      'parts.yaml': 'A: {type: object}',
    });
    expect([names, problems]).toEqual([['a'], []]);
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

  test.each<[title: string, files: Files, strict: boolean, message: string]>([
    ['nothing', {}, false, 'specs has no OpenAPI document to serve'],
    [
      'nothing that can be loaded',
      { 'b.yaml': 'openapi: 3.1.0' },
      false,
      `${foreign}\nspecs has no OpenAPI document to serve`,
    ],
    [
      'an error, where documents must be without',
      { 'a.yaml': documentAt('/a'), 'b.yaml': 'openapi: 3.1.0' },
      true,
      `${foreign}\nNothing is served while a document has errors (--strict)`,
    ],
  ])('stop the start: %s', async (_title, files, strict, message) => {
    await expect(load(files, { strict })).rejects.toThrow(message);
  });

  test('warnings stop no start', async () => {
    const files = { 'a.yaml': documentAt('/a', 'x-a: 1\nunknown: 1\n') };
    const { names, problems } = await load(files, { strict: true });
    expect([names, problems.length]).toEqual([['a'], 1]);
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
