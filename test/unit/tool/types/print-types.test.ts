import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { printDocument } from './small-document';

const NOTES = readFileSync(join(__dirname, 'print-types.yaml'), 'utf8');

const NOTES_TYPES = `// Generated from small.yaml by a test. Do not edit.

/** A note */
export interface Note {
  /** Its words */
  readonly text: string;
}

/** The component schemas as storage keeps them: every declared property. */
export interface Schemas {
  Note: Note;
}

/** The operations tagged \`note\`. */
export interface NoteOperations {
  /**
   * GET /note/{id}
   *
   * Find a note
   */
  getNote: {
    path: { id: bigint };
    response: { status: 200; body: Note } | { status: 404 };
  };
}

/** Every operation of the document. */
export interface Operations extends NoteOperations {}
`;

const operation = (path: string, id: string, tags: string) =>
  `  ${path}:\n    get: { operationId: ${id}, tags: ${tags}, responses: {} }\n`;

const interfacesOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^export interface \w*Operations/.test(line));

describe('printTypes', () => {
  test('a whole document', () => {
    expect(printDocument(NOTES)).toBe(NOTES_TYPES);
  });

  test.each([
    [
      'one interface per tag, in the order of the operations',
      operation('/b', 'b', '[pet store]') +
        operation('/a', 'a', '[user]') +
        operation('/c', 'c', '[pet store]'),
      ['PetStoreOperations', 'UserOperations'],
    ],
    ['the first tag of several', operation('/a', 'a', '[user, pet]'), ['UserOperations']],
    ['no tag', operation('/a', 'a', '[]'), ['DefaultOperations']],
    [
      'tags that differ in case only',
      operation('/a', 'a', '[pet]') + operation('/b', 'b', '[Pet]'),
      ['PetOperations', 'PetOperations_'],
    ],
  ])('%s', (_, paths, names) => {
    expect(interfacesOf(printDocument(`paths:\n${paths}`))).toEqual([
      ...names.map((name) => `export interface ${name} {`),
      `export interface Operations extends ${names.join(', ')} {}`,
    ]);
  });

  test('D13 of a repeated operationId the first is printed, as it is the one served', () => {
    const text = printDocument(
      `paths:\n${operation('/a', 'act', '[one]')}${operation('/b', 'act', '[two]')}`,
    );
    expect(text).toContain('/** GET /a */\n  act: {');
    expect(text).not.toContain('/b');
  });

  test('a document without operations', () => {
    expect(interfacesOf(printDocument('paths: {}'))).toEqual(['export interface Operations {}']);
  });

  test('D10 an operation that leans on an unresolvable reference is printed and says so', () => {
    const text = printDocument(`
paths:
  /a:
    get:
      operationId: act
      responses:
        '200':
          description: OK
          content: { application/json: { schema: { $ref: '#/components/schemas/Gone' } } }
`);
    expect(text).toContain('   * Out of service: The reference #/components/schemas/Gone');
    expect(text).toContain('body: unknown /* unresolved: #/components/schemas/Gone */');
  });
});

describe('schemas elsewhere that references name', () => {
  const ref = (name: string, more = '') =>
    `{ $ref: '#/components/schemas/${name}/properties/in${more}' }`;

  test('are types of their own, also where they lead to themselves', () => {
    const text = printDocument(`
paths: {}
components:
  schemas:
    A:
      type: object
      properties:
        in: { type: object, properties: { self: ${ref('A')}, id: { type: string, readOnly: true } } }
        out: ${ref('A')}
`);
    expect(text).toContain('  readonly out?: APropertiesIn | undefined;');
    expect(text).toContain(
      'export interface APropertiesIn {\n  readonly self?: APropertiesIn | undefined;\n}',
    );
    expect(text).toContain(
      'export interface APropertiesInResponse {\n  readonly self?: APropertiesInResponse',
    );
    expect(text).toMatch(/interface Schemas {\n {2}A: A & AResponse;\n}/);
  });

  test('are written once, however many ways lead to them', () => {
    const names = Array.from({ length: 30 }, (_, index) => `S${index}`);
    const schemas = names.map((name, index) => {
      const next = index === 29 ? '{ type: string }' : ref(`S${index + 1}`);
      const inner = `{ type: object, properties: { a: ${next}, b: ${next}, c: ${next} } }`;
      return `    ${name}: { type: object, properties: { in: ${inner} } }`;
    });
    const text = printDocument(`paths: {}\ncomponents:\n  schemas:\n${schemas.join('\n')}`);
    expect(text.length).toBeLessThan(20_000);
  });
});

test('a circle of many schemas is printed once each', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `S${index}`);
  const schemas = names.map((name, index) => {
    const next = (step: number) =>
      `{ $ref: '#/components/schemas/S${(index * step + 1) % 2_000}' }`;
    return `    ${name}: { type: object, properties: { a: ${next(1)}, b: ${next(7)} } }`;
  });
  const text = printDocument(`paths: {}\ncomponents:\n  schemas:\n${schemas.join('\n')}`);
  expect(text.match(/^export interface S\d+ /gm)).toHaveLength(2_000);
});

describe('webhooks', () => {
  const post = (more = '') =>
    `{ ${more}requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }, responses: { '200': { description: OK } } }`;
  const print = (webhooks: string, version = '3.1.0'): string =>
    printDocument(
      `paths: {}
webhooks: ${webhooks}
components:
  schemas:
    Note: { type: object, properties: { id: { type: integer, readOnly: true } } }
    Webhooks: { type: string }
`,
      version,
    );

  test('are an interface of their own, and carry what responses do', () => {
    expect(print(`{ new note: { post: ${post('summary: A note came in, ')} } }`)).toContain(`
/** The requests that the API sends. */
export interface Webhooks_ {
  /**
   * POST new note
   *
   * A note came in
   */
  'new note': {
    body: NoteResponse;
    response: { status: 200 };
  };
}
`);
  });

  test('are written whole, and may leave out what is optional or has a default', () => {
    const text = print(
      `{ lines: { post: { parameters: [{ name: page, in: query, schema: { type: string, default: a } }], requestBody: { content: { application/jsonl: { itemSchema: { type: string } } } }, responses: { '204': { description: D } } } } }`,
      '3.2.0',
    );
    expect(text).toContain(`
    query: { page?: string | undefined };
    body: readonly string[] | undefined;
`);
  });

  test('with several methods are told apart', () => {
    const text = print(`{ note: { post: ${post()}, put: ${post('operationId: changed, ')} } }`);
    expect(text).toContain("\n  'post note': {");
    expect(text).toContain('\n  changed: {');
  });

  test('are callbacks, too: by their operations, and by their own where there are several', () => {
    const text = printDocument(
      `paths:
  /a:
    post:
      operationId: watch
      responses: { '201': { description: A } }
      callbacks:
        seen: { '{$request.body#/url}': { post: ${post()} } }
        moved: { '{$request.body#/url}': { post: ${post('operationId: movedTo, ')}, delete: { responses: { '204': { description: D } } } } }
components: { schemas: { Note: { type: object, properties: { id: { type: integer, readOnly: true } } } } }
`,
      '3.0.3',
    );
    for (const line of [
      "  'watch.seen': {\n    body: NoteResponse;",
      "  'watch.moved.movedTo': {\n    body: NoteResponse;",
      "  'watch.moved.delete {$request.body#/url}': {\n    response: { status: 204 };",
    ]) {
      expect(text).toContain(line);
    }
  });

  test('of QUERY and other methods have the body that they carry', () => {
    const text = printDocument(
      `paths: { /a: { query: ${post('operationId: find, ')}, additionalOperations: { COPY: ${post()} } } }
webhooks: { note: { additionalOperations: { NOTIFY: ${post()} } } }
components: { schemas: { Note: { type: object, properties: { id: { type: integer } } } } }
`,
      '3.2.0',
    );
    expect(text).toContain('  /** QUERY /a */\n  find: {\n    body: Note;');
    expect(text).toContain("  /** COPY /a */\n  'COPY /a': {\n    body: Note;");
    expect(text).toContain('  /** NOTIFY note */\n  note: {\n    body: Note;');
  });

  test('are not there where the document has none', () => {
    expect(print('{}')).not.toContain('The requests that the API sends');
  });
});
