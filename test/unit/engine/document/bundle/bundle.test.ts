/** Documents of several files: where the parts end up, what they are called, and where their faults are said to be. */

import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { describeDiagnostic } from '../../../../../src/engine/document/diagnostics/diagnostic';
import { type Files, head, loadFiles } from './source-folder';

/** A document whose one operation answers what the schema says. */
const answering = (schema: string, rest = ''): string =>
  `${head}paths:\n  /a:\n    get:\n      operationId: getA\n      responses:\n        '200':\n          description: A\n          content: {application/json: {schema: ${schema}}}\n${rest}`;

const answer = { description: 'A', content: { 'application/json': {} } };

describe('D10 references into other files', () => {
  test.each<[title: string, files: Files, components: object]>([
    [
      'a component keeps its name',
      {
        'api.yaml': answering(`{$ref: 'other.yaml#/components/schemas/Pet'}`),
        'other.yaml': 'components: {schemas: {Pet: {type: object}}}',
      },
      { schemas: { Pet: { type: 'object' } } },
    ],
    [
      'a whole file is called by its name',
      {
        'api.yaml': answering('{$ref: schemas/Pet.json}'),
        'schemas/Pet.json': '{"type": "object"}',
      },
      { schemas: { Pet: { type: 'object' } } },
    ],
    [
      'a component that is another file stands there itself',
      {
        'api.yaml': answering(
          `{$ref: '#/components/schemas/Animal'}`,
          'components: {schemas: {Animal: {$ref: Pet.yaml}, Zoo: {items: {$ref: Pet.yaml}}}}',
        ),
        'Pet.yaml': 'type: object',
      },
      {
        schemas: {
          Animal: { type: 'object' },
          Zoo: { items: { $ref: '#/components/schemas/Animal' } },
        },
      },
    ],
    [
      'a name that is taken gets a number',
      {
        'api.yaml': answering(
          `{$ref: 'other.yaml#/Pet'}`,
          'components: {schemas: {Pet: {type: string}}}',
        ),
        'other.yaml': 'Pet: {type: object}',
      },
      { schemas: { Pet: { type: 'string' }, Pet_2: { type: 'object' } } },
    ],
    [
      'references of a file are relative to it, through chains and back',
      {
        'api.yaml': answering(
          `{$ref: 'one/a.yaml#/A'}`,
          'components: {schemas: {Root: {type: integer}}}',
        ),
        'one/a.yaml': `A: {properties: {b: {$ref: '../two/b.yaml#/B'}, own: {$ref: '#/C'}}}\nC: {type: string}`,
        'two/b.yaml': `B: {$ref: '#/D'}\nD: {$ref: '../api.yaml#/components/schemas/Root'}`,
      },
      {
        schemas: {
          Root: { type: 'integer' },
          A: {
            properties: {
              b: { $ref: '#/components/schemas/B' },
              own: { $ref: '#/components/schemas/C' },
            },
          },
          B: { $ref: '#/components/schemas/D' },
          C: { type: 'string' },
          D: { $ref: '#/components/schemas/Root' },
        },
      },
    ],
    [
      'files may refer to each other',
      {
        'api.yaml': answering('{$ref: A.yaml}'),
        'A.yaml': 'properties: {b: {$ref: B.yaml}}',
        'B.yaml': 'properties: {a: {$ref: A.yaml}, b: {$ref: B.yaml}}',
      },
      {
        schemas: {
          A: { properties: { b: { $ref: '#/components/schemas/B' } } },
          B: {
            properties: {
              a: { $ref: '#/components/schemas/A' },
              b: { $ref: '#/components/schemas/B' },
            },
          },
        },
      },
    ],
    [
      'escaped pointers and names with other characters',
      {
        'api.yaml': answering(`{$ref: 'my%20file.yaml#/a~1b/c%20d'}`),
        'my file.yaml': 'a/b: {c d: {type: object}}',
      },
      { schemas: { c_d: { type: 'object' } } },
    ],
    [
      'mappings of discriminators are references, too',
      {
        'api.yaml': answering('{$ref: A.yaml}'),
        'A.yaml':
          'oneOf: [{$ref: B.yaml}]\ndiscriminator: {propertyName: k, mapping: {b: B.yaml, c: C.yaml}}',
        'B.yaml': 'required: [k]',
        'C.yaml': 'required: [k]',
      },
      {
        schemas: {
          A: {
            oneOf: [{ $ref: '#/components/schemas/B' }],
            discriminator: {
              propertyName: 'k',
              mapping: { b: '#/components/schemas/B', c: '#/components/schemas/C' },
            },
          },
          B: { required: ['k'] },
          C: { required: ['k'] },
        },
      },
    ],
  ])('D10 %s', async (_title, files, components) => {
    const { definition, diagnostics, operations } = await loadFiles(files);
    expect(diagnostics).toEqual([]);
    expect(operations.map(({ invalidReason }) => invalidReason)).toEqual([undefined]);
    expect(definition.components).toEqual(components);
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

  test.each<[title: string, files: Files]>([
    [
      'in one file',
      {
        'api.yaml': answering(
          `{$ref: '#/components/schemas/A/properties/b/properties/c'}`,
          "components: {schemas: {A: {properties: {b: {$ref: '#/components/schemas/B'}}}, B: {properties: {c: {type: integer}}}}}",
        ),
      },
    ],
    [
      'of another file, which leads to a third',
      {
        'api.yaml': answering(`{$ref: 'o.yaml#/A/properties/b/properties/c'}`),
        'o.yaml': "A: {properties: {b: {$ref: 'dir/p.yaml#/B'}}}\nuse: {$ref: '#/A'}",
        'dir/p.yaml': 'B: {properties: {c: {type: integer}}}',
      },
    ],
    [
      'of this file, into another',
      {
        'api.yaml': answering(
          `{$ref: '#/components/schemas/A/properties/c'}`,
          'components: {schemas: {A: {$ref: o.yaml}}}',
        ),
        'o.yaml': 'properties: {c: {type: integer}}',
      },
    ],
    [
      'without the slash at its beginning',
      {
        'api.yaml': answering(
          `{$ref: '#components/schemas/A'}`,
          'components: {schemas: {A: {type: integer}}}',
        ),
      },
    ],
  ])('D10 a pointer that passes through a reference %s', async (title, files) => {
    const { references, operations } = await loadFiles(files);
    const schema = operations[0]?.responses[0]?.content[0]?.schema ?? {};
    expect([title, operations[0]?.invalidReason]).toEqual([title, undefined]);
    expect(references.follow(schema)).toEqual({ type: 'integer' });
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
    const { definition, references } = await loadFiles({
      'api.yaml': answering(
        `{properties: {a: {$ref: 'o.yaml#/components/schemas/Pet'}, b: {$ref: 'o.yaml#/deep/down/there/Pet'}}}`,
        'components: {schemas: {Pet: {type: string}}}',
      ),
      'o.yaml': 'components: {schemas: {Pet: {type: object}}}\ndeep: {down: {there: {Pet: {}}}}',
    });
    const names = Object.keys(definition.components?.schemas ?? {});
    expect(
      names.map((name) => [name, references.resolve(`#/components/schemas/${name}`).component]),
    ).toEqual([
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
    const sentence = 'leads to is read in its place. Write it out.';
    expect(diagnostics.map(describeDiagnostic)).toEqual([
      `specs/api.yaml:3:8 warning: OpenAPI 3.0 allows no reference here; what paths.yaml ${sentence} (/paths)`,
      `specs/paths.yaml:2:8 warning: OpenAPI 3.0 allows no reference here; what ops.yaml#/getA ${sentence} (/~1a/get)`,
    ]);
  });

  test.each<[title: string, files: Files, ...problems: string[]]>([
    [
      'a fault in another file is said to be there',
      {
        'api.yaml': answering(`{$ref: 'dir/o.yaml#/a/Pet'}`),
        'dir/o.yaml': 'a:\n  Pet:\n    type: string\n    default: 5\n',
      },
      'specs/dir/o.yaml:4:14 warning: The default does not fit its schema: it must be a string. Change it, or leave it out. (/a/Pet/default)',
    ],
    [
      'a fault of an operation in another file',
      {
        'api.yaml': `${head}paths:\n  /a: {$ref: 'p.json'}\n  /b: {get: {responses: {'200': {description: B}}}}\n`,
        'p.json': '{\n  "get": {\n    "operationId": "getA",\n    "parameters": [5]\n  }\n}',
      },
      'specs/p.json:2:10 error: Add the required field `responses` to this operation. (/get)',
      'specs/p.json:4:20 error: Write item 1 of this list as a parameter; it is 5. (/get/parameters/0)',
      'specs/p.json:2:10 error: The operation getA is not served until this is put right: Write item 1 of this list as a parameter; it is 5. (/get)',
    ],
    [
      'a file that is not there',
      { 'api.yaml': answering('{$ref: nope.yaml}') },
      'specs/api.yaml:10:55 warning: The reference nope.yaml cannot be resolved: there is no file specs/nope.yaml. Whatever needs it is not served. Correct the reference, or add what it names. (/paths/~1a/get/responses/200/content/application~1json/schema/$ref)',
      'specs/api.yaml:6:7 error: The operation getA is not served until this is put right: The reference nope.yaml cannot be resolved: there is no file specs/nope.yaml. (/paths/~1a/get)',
      'specs/api.yaml:3:1 error: None of the operations can be served, and every request is answered 501. Put right what is reported of them. (/paths)',
    ],
    [
      'a file that is no YAML, told once, at its place',
      {
        'api.yaml': `${head}paths: {/b: {get: {responses: {'200': {description: B}}}}}\ncomponents: {schemas: {A: {$ref: 'o.yaml#/A'}, B: {$ref: 'o.yaml#/B'}}}\n`,
        'o.yaml': 'A: 1\nA: 2\n',
      },
      'specs/o.yaml:2:1 error: The key A stands twice in one map. Remove or rename one of the two. (/)',
      'specs/api.yaml:4:34 warning: The reference o.yaml#/A cannot be resolved: specs/o.yaml cannot be read. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/A/$ref)',
      'specs/api.yaml:4:58 warning: The reference o.yaml#/B cannot be resolved: specs/o.yaml cannot be read. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/B/$ref)',
    ],
    [
      'what leads nowhere in another file leads nowhere in the document',
      {
        'api.yaml': `${head}paths: {/b: {get: {responses: {'200': {description: B}}}}}\ncomponents: {schemas: {A: {$ref: o.yaml}}}\n`,
        'o.yaml': "items: {$ref: '#/components/schemas/A'}",
      },
      'specs/o.yaml:1:15 warning: The reference specs/o.yaml#/components/schemas/A cannot be resolved: specs/o.yaml has nothing there. Whatever needs it is not served. Correct the reference, or add what it names. (/items/$ref)',
    ],
    [
      'a circle of files',
      {
        'api.yaml': `${head}paths: {/b: {get: {responses: {'200': {description: B}}}}}\ncomponents: {schemas: {A: {$ref: o.yaml}}}\n`,
        'o.yaml': "$ref: 'api.yaml#/components/schemas/A'",
      },
      'specs/o.yaml:1:7 warning: The reference #/components/schemas/A cannot be resolved: it leads in a circle. Whatever needs it is not served. Correct the reference, or add what it names. (/$ref)',
    ],
    [
      'addresses that are no files',
      {
        'api.yaml': `${head}paths: {/b: {get: {responses: {'200': {description: B}}}}}\ncomponents:\n  schemas:\n    A: {$ref: 'https://a.test/b.yaml#/C'}\n    B: {$ref: 'urn:b'}\n    C: {$ref: .}\n    D: {$ref: 'o.yaml#D'}\n`,
      },
      'specs/api.yaml:6:15 warning: The reference https://a.test/b.yaml#/C cannot be resolved: it leads to another server, which ALLOW_REMOTE_REFERENCES must allow. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/A/$ref)',
      'specs/api.yaml:7:15 warning: The reference urn:b cannot be resolved: only files and http addresses can be read. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/B/$ref)',
      'specs/api.yaml:8:15 warning: The reference . cannot be resolved: specs is no file. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/C/$ref)',
      'specs/api.yaml:9:15 warning: The reference o.yaml#D cannot be resolved: its fragment is no JSON Pointer such as #/a/b. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/D/$ref)',
    ],
  ])('D10 %s', async (_title, files, ...problems) => {
    expect((await loadFiles(files)).diagnostics.map(describeDiagnostic)).toEqual(problems);
  });
});

describe('bounds', () => {
  test('D10 references written out that contain themselves are refused', async () => {
    const files = {
      'api.yaml': `${head}paths: {/a: {get: {responses: {'200': {description: A, content: {$ref: '#/paths/~1a'}}}}}}\n`,
    };
    await expect(loadFiles(files)).rejects.toThrow(
      'specs/api.yaml:1:1 error: References that are written where none may stand lead in a circle. Write out what they lead to. (/)',
    );
  });

  test('D10 references written out that multiply are refused', async () => {
    const level = (index: number) =>
      `  l${index}: {a: {properties: {$ref: '#/x/l${index + 1}'}}, b: {properties: {$ref: '#/x/l${index + 1}'}}}\n`;
    const levels = Array.from({ length: 40 }, (_, index) => level(index)).join('');
    const files = {
      'api.yaml': `${head}paths: {}\ncomponents: {schemas: {A: {properties: {$ref: '#/x/l0'}}}}\nx:\n${levels}  l40: {}\n`,
    };
    await expect(loadFiles(files)).rejects.toThrow(/stand repeat too much\. Write out/);
  });

  test('D10 so are chains without end', async () => {
    const files = {
      'api.yaml': `${head}paths: {/a: {get: {$ref: 'a.yaml'}}, /b: {get: {responses: {'200': {description: B}}}}}\n`,
      'a.yaml': '$ref: b.yaml',
      'b.yaml': '$ref: a.yaml',
    };
    const { diagnostics } = await loadFiles(files);
    expect(diagnostics.map(describeDiagnostic)).toContain(
      'specs/api.yaml:3:19 error: The reference a.yaml stands where OpenAPI 3.0 allows none, and cannot be resolved: it leads in a circle. Write out what it stands for. (/paths/~1a/get)',
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
    const rest = { repeatedValues: 10, remoteMilliseconds: 10 };
    const some = await loadFiles(files, { limits: { ...limits, ...rest, totalBytes: 5000 } });
    expect(some.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The reference f3\.yaml .*: the document has more than 4 files\. /),
    ]);
    const short = await loadFiles(files, { limits: { ...limits, ...rest } });
    expect(short.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^The reference f2\.yaml .*: the files of the document have more than 300 bytes together\. /,
      ),
    ]);
    await expect(
      loadFiles(files, { limits: { ...limits, ...rest, fileBytes: 50 } }),
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
