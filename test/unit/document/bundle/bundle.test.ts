/** Documents of several files: where the parts end up, what they are called, and where their faults are said to be. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { describeDiagnostic } from '../../../../src/document/diagnostics/diagnostic';
import { loadLimits } from '../../../../src/document/source/source-text';
import { anySchema, type Schema } from '../../../../src/model/schema';
import { addMembers } from '../../../../src/schema/schema-parts';
import { casesOf, fieldsOf } from '../../../support/text-cases';
import { type Files, head, loadFiles } from './source-folder';

/** A document whose one operation answers what the schema says. */
const answering = (schema: string, rest = ''): string =>
  `${head}paths:\n  /a:\n    get:\n      operationId: getA\n      responses:\n        '200':\n          description: A\n          content: {application/json: {schema: ${schema}}}\n${rest}`;

/** The document `api.yaml` of the cases: all that follows the head, or what follows a sound operation, or a schema that one answers. */
const documents: Readonly<Record<string, (text: string) => string>> = {
  document: (text) => `${head}${text}\n`,
  beside: (text) => `${head}paths: {/b: {get: {responses: {'200': {description: B}}}}}\n${text}\n`,
  answering: (text) => {
    const [schema = '', ...rest] = text.split('\n');
    return answering(schema, rest.join('\n'));
  },
};

/** The document of a case, in OpenAPI 3.1 where its name ends so. */
const documentOf = (key: string, text: string): string | undefined => {
  const [kind = '', version] = key.split(' ');
  const document = documents[kind]?.(text);
  return version === undefined
    ? document
    : document?.replace('3.0.3', version === '3.2' ? '3.2.0' : '3.1.2');
};

const typeOf = (schema: Schema): string =>
  [...addMembers(new Set(), schema)].flatMap(({ types = [] }) => types).join();

/** A schema with all that holds together: its type, or the types of its properties. */
const followed = (schema: Schema): unknown => {
  const parts = [...addMembers(new Set(), schema)];
  const properties = parts.flatMap((part) => [...(part.properties ?? [])]);
  return properties.length === 0
    ? { type: typeOf(schema) }
    : { properties: Object.fromEntries(properties.map(([name, one]) => [name, typeOf(one)])) };
};

/** The files of a case: its document, and those of the lines `file NAME: CONTENT`. */
const filesOf = (fields: readonly (readonly [string, string])[]): Files =>
  Object.fromEntries(
    fields.flatMap(([key, text]): [string, string][] => {
      const document = documentOf(key, text);
      if (document !== undefined) return [['api.yaml', document]];
      return key.startsWith('file ') ? [[key.slice('file '.length), text]] : [];
    }),
  );

const answer = { description: 'A', content: { 'application/json': {} } };

describe('D10 references into other files', () => {
  test.each(casesOf(join(__dirname, 'bundle.cases.txt')))('%s', async (_title, lines) => {
    const fields = fieldsOf(lines);
    const textsOf = (wanted: string) =>
      fields.flatMap(([key, text]) => (key === wanted ? text : []));
    const { definition, diagnostics, operations } = await loadFiles(filesOf(fields));
    expect(diagnostics.map(describeDiagnostic)).toEqual(textsOf('fault'));
    if (diagnostics.length > 0) return;
    expect(operations.map(({ invalidReason }) => invalidReason)).toEqual([undefined]);
    const [operation] = operations;
    const contents = operation?.responses[0]?.content ?? [];
    const { schema = anySchema } = contents[0] ?? operation?.requestBody?.content[0] ?? {};
    for (const text of textsOf('bundled')) expect(definition.components).toEqual(parse(text));
    for (const text of textsOf('followed')) expect(followed(schema)).toEqual(parse(text));
  });

  test('D10 what stands beside a reference in the wrong place is kept, and wins', async () => {
    const schemas = `{$ref: more.yaml, Zoo: {items: {$ref: 'more.yaml#/Pet'}}, Cat: {type: string}}`;
    const { definition, diagnostics, operations } = await loadFiles({
      'api.yaml': answering(
        `{$ref: '#/components/schemas/Zoo'}`,
        `components: {schemas: ${schemas}}`,
      ),
      'more.yaml': 'Pet: {type: object}\nCat: {type: object}',
    });
    expect(diagnostics.map(({ rule }) => rule)).toEqual(['misplaced-reference']);
    expect(operations.map(({ invalidReason }) => invalidReason)).toEqual([undefined]);
    expect(definition.components?.schemas).toMatchObject({
      Pet: { type: 'object' },
      Cat: { type: 'string' },
      Zoo: { items: { $ref: expect.stringMatching(/^#\/components\/schemas\/Pet/) } },
    });
  });

  test('D10 references beside a misplaced one are relative to their own file', async () => {
    const { definition, diagnostics } = await loadFiles({
      'api.yaml': `${head}paths: {/a: {get: {responses: {'200': {description: A}}}}}\ncomponents: {$ref: 'dir/c.yaml', schemas: {Own: {$ref: Own.yaml}}}\n`,
      'Own.yaml': 'type: string',
      'dir/c.yaml': "parameters: {$ref: 'p.yaml'}\nschemas: {Other: {}}",
      'dir/p.yaml': 'p: {name: p, in: query, schema: {default: 1, type: string}}',
      'dir/Own.yaml': 'type: object',
    });
    expect(definition.components).toEqual({
      schemas: { Own: { type: 'string' } },
      parameters: { p: { name: 'p', in: 'query', schema: { type: 'string', default: 1 } } },
    });
    expect(diagnostics.map(({ file, rule, line, column }) => [rule, file, line, column])).toEqual([
      ['misplaced-reference', 'specs/api.yaml', 4, 13],
      ['misplaced-reference', 'specs/dir/c.yaml', 1, 13],
      ['default', 'specs/dir/p.yaml', 1, 43],
    ]);
  });

  test('D10 every kind of object has its place', async () => {
    const { definition, diagnostics } = await loadFiles({
      'api.yaml': `${head}paths:\n  /a/{id}: {$ref: 'parts.yaml#/path'}\n`,
      'parts.yaml': `
path:
  parameters: [{$ref: '#/parameters/id'}]
  post:
    requestBody: {$ref: '#/body'}
    security: []
    responses: {'200': {$ref: '#/ok'}}
parameters: {id: {name: id, in: path, required: true, schema: {type: string}}}
body: {content: {application/json: {examples: {one: {$ref: '#/one'}}}}}
one: {value: 1}
ok: {description: A, headers: {X-A: {$ref: '#/header'}}, links: {l: {$ref: '#/link'}}}
header: {schema: {type: string}}
link: {operationRef: x}
`,
    });
    expect(diagnostics).toEqual([]);
    expect(definition.paths).toEqual({ '/a/{id}': { $ref: '#/x-bundled-paths/path' } });
    expect(definition.components).toEqual({
      parameters: { id: expect.anything() },
      requestBodies: { body: expect.anything() },
      responses: { ok: expect.anything() },
      examples: { one: { value: 1 } },
      headers: { header: { schema: { type: 'string' } } },
      links: { link: { operationRef: 'x' } },
    });
  });

  test('X15 the component keeps its name where its place has another', async () => {
    const { schemas } = await loadFiles({
      'api.yaml': answering(
        `{properties: {a: {$ref: 'o.yaml#/components/schemas/Pet'}, b: {$ref: 'o.yaml#/deep/down/there/Pet'}}}`,
        'components: {schemas: {Pet: {type: string}}}',
      ),
      'o.yaml': 'components: {schemas: {Pet: {type: object}}}\ndeep: {down: {there: {Pet: {}}}}',
    });
    expect([...schemas].map(([name, { component }]) => [name, component])).toEqual([
      ['Pet', 'Pet'],
      ['Pet_2', 'Pet'],
      ['Pet_3', undefined],
    ]);
  });

  test('D10 the document that is served is whole; a single file is served as it is written', async () => {
    const text = `${answering('{type: string}')}# The end.\n`;
    expect((await loadFiles({ 'api.yaml': text })).text).toBe(text);
    const { text: served, definition } = await loadFiles({
      'api.yaml': answering('{$ref: Pet.yaml}'),
      'Pet.yaml': 'type: object',
    });
    expect(parse(served)).toEqual(definition);
    expect(served).not.toContain('Pet.yaml');
  });

  test('D10 variables are filled in, in other files, too', async () => {
    const { definition, text } = await loadFiles(
      {
        'api.yaml': `servers: [{url: /base}]\n${answering('{$ref: Pet.yaml}')}`,
        'Pet.yaml': 'description: "at {where}"',
      },
      { variables: (basePath) => ({ where: `${basePath}$&` }) },
    );
    expect(definition.components).toEqual({ schemas: { Pet: { description: 'at /base$&' } } });
    expect(text).toContain('at /base$&');
  });

  test('D10 a reference where none may stand is written out', async () => {
    const { definition, operations, diagnostics } = await loadFiles({
      'api.yaml': `${head}paths: {$ref: 'paths.yaml'}\n`,
      'paths.yaml': `/a:\n  get: {$ref: 'ops.yaml#/getA'}\n`,
      'ops.yaml': `getA: {responses: {'200': {$ref: '#/ok'}}}\nok: {$ref: '#/fine'}\nfine: ${JSON.stringify(answer)}`,
    });
    expect(definition.paths).toEqual({
      '/a': { get: { responses: { '200': { $ref: '#/components/responses/ok' } } } },
    });
    expect(operations.map(({ invalidReason }) => invalidReason)).toEqual([undefined]);
    const sentence = 'is read in its place. Write it out.';
    expect(diagnostics.map(describeDiagnostic)).toEqual([
      `specs/api.yaml:3:8 warning: OpenAPI allows no reference here; the target of paths.yaml ${sentence} (/paths)`,
      `specs/paths.yaml:2:8 warning: OpenAPI allows no reference here; the target of ops.yaml#/getA ${sentence} (/~1a/get)`,
    ]);
  });
});

describe('bounds', () => {
  test('D10 references written out that contain themselves are refused', async () => {
    const files = {
      'api.yaml': `${head}paths: {/a: {get: {responses: {'200': {description: A, content: {$ref: '#/paths/~1a'}}}}}}\n`,
    };
    await expect(loadFiles(files)).rejects.toThrow(
      'specs/api.yaml:1:1 error: Misplaced references lead in a circle. Write out their targets. (/)',
    );
  });

  test('D10 references written out that multiply are refused', async () => {
    const level = (index: number) =>
      `  l${index}: {a: {properties: {$ref: '#/x/l${index + 1}'}}, b: {properties: {$ref: '#/x/l${index + 1}'}}}\n`;
    const levels = Array.from({ length: 40 }, (_, index) => level(index)).join('');
    const files = {
      'api.yaml': `${head}paths: {}\ncomponents: {schemas: {A: {properties: {$ref: '#/x/l0'}}}}\nx:\n${levels}  l40: {}\n`,
    };
    await expect(loadFiles(files)).rejects.toThrow(/references repeat too much\. Write out/);
  });

  test('D10 so are chains without end', async () => {
    const files = {
      'api.yaml': `${head}paths: {/a: {get: {$ref: 'a.yaml'}}, /b: {get: {responses: {'200': {description: B}}}}}\n`,
      'a.yaml': '$ref: b.yaml',
      'b.yaml': '$ref: a.yaml',
    };
    const { diagnostics } = await loadFiles(files);
    expect(diagnostics.map(describeDiagnostic)).toContain(
      'specs/api.yaml:3:19 error: The reference a.yaml is not allowed here by OpenAPI, and cannot be resolved: it leads in a circle. Write out its target. (/paths/~1a/get)',
    );
  });

  test('a document has a limit of files and of bytes', async () => {
    const files: Record<string, string> = {
      'api.yaml': `${head}paths: {/b: {get: {responses: {'200': {description: B}}}}}\ncomponents: {schemas: {A: {$ref: f0.yaml}}}\n`,
    };
    for (let index = 0; index < 5; index += 1) {
      files[`f${index}.yaml`] = `items: {$ref: f${index + 1}.yaml}\n# ${'-'.repeat(100)}`;
    }
    const limits = { fileBytes: 500, totalBytes: 300, files: 4, depth: 50, tokens: 1000 };
    const rest = { ...loadLimits, repeatedValues: 10, remoteMilliseconds: 10 };
    const some = await loadFiles(files, { limits: { ...rest, ...limits, totalBytes: 5000 } });
    expect(some.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The reference f3\.yaml .*: the document has more than 4 files\. /),
    ]);
    const short = await loadFiles(files, { limits: { ...rest, ...limits } });
    expect(short.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^The reference f2\.yaml .*: the files of the document have more than 300 bytes together\. /,
      ),
    ]);
    await expect(
      loadFiles(files, { limits: { ...rest, ...limits, fileBytes: 50 } }),
    ).rejects.toThrow(
      'specs/api.yaml:1:1 error: The file is larger than 50 bytes. Split it into several files. (/)',
    );
  });

  test('a file that is not there', async () => {
    await expect(loadFiles({})).rejects.toThrow(
      'specs/api.yaml:1:1 error: The document cannot be read: there is no file specs/api.yaml. Name a file that is there. (/)',
    );
  });
});
