/** The tools of documents: their names, what they say, which there are, and that the clients in use accept them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020';
import { parse } from 'yaml';
import { rootFolder } from '../../../scripts/root-folder';
import { parseApiDocument } from '../../../src/engine/document/api-document';
import { schemaContext } from '../../../src/engine/media-types/schema-context';
import { toolsOf } from '../../../src/mcp/tools';
import { agentOf, type ToolOfList } from '../../support/agent';
import { largeDocument } from '../../support/large-document';

const parts = parse(
  readFileSync(join(__dirname, 'tools.yaml'), 'utf8').replaceAll('WORDS', 'word '.repeat(200)),
);
const responses = { 200: { description: 'Fine' } };
const namesOf = (tools: readonly ToolOfList[]) => tools.map(({ name }) => name);

/** Says what clients in use refuse of a tool: each is a rule that one of them has. */
const faultsOf = ({ name, inputSchema, outputSchema }: ToolOfList): string[] => {
  const faults: string[] = [];
  if (!/^[a-zA-Z0-9_-]{1,48}$/.test(name)) faults.push(`name ${name}`);
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const isProperty = /\/properties$/.test(at);
      if (isProperty && !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)) faults.push(`property ${at}/${key}`);
      const isReference = [
        '$ref',
        '$defs',
        '$id',
        '$anchor',
        'definitions',
        'allOf',
        'not',
      ].includes(key);
      if (isReference && !isProperty) faults.push(`${at}/${key}`);
      walk(member, `${at}/${key}`);
    }
  };
  for (const [part, schema] of Object.entries({ inputSchema, outputSchema })) {
    if (schema === undefined) continue;
    if (schema.type !== 'object') faults.push(`${part} is no object`);
    if ('anyOf' in schema || 'oneOf' in schema) faults.push(`${part} is a union`);
    if (JSON.stringify(schema).length > 40_000) faults.push(`${part} is too large`);
    walk(schema, part);
    try {
      new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    } catch (error) {
      faults.push(`${part}: ${String(error)}`);
    }
  }
  return faults;
};

const documentsIn = (folder: string): string[] =>
  readdirSync(join(rootFolder, folder))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join(folder, name));

describe('clients accept every tool of', () => {
  const files = [
    ...documentsIn('specs'),
    ...['third-service', 'notes-service', 'streaming-service'].flatMap((name) =>
      documentsIn(`test/${name}/specs`),
    ),
    ...documentsIn('test/end-to-end/contract-test'),
    ...documentsIn('test/examples'),
    ...documentsIn('test/conformance/openapi-3.1/pass'),
    ...documentsIn('test/conformance/openapi-3.2/pass'),
  ].filter(
    (file) => typeof parse(readFileSync(join(rootFolder, file), 'utf8'))?.openapi === 'string',
  );

  test.each(files)('%s', (file) => {
    const document = parseApiDocument(file, readFileSync(join(rootFolder, file), 'utf8'));
    const tools = toolsOf(document, schemaContext(document)).map(
      ({ definition }) => definition as ToolOfList,
    );
    const names = namesOf(tools);
    expect({ faults: tools.flatMap(faultsOf), names }).toEqual({
      faults: [],
      names: [...new Set(names)],
    });
  });

  test('there are many', () => {
    expect(files.length).toBeGreaterThan(14);
  });
});

describe('names', () => {
  test.each<[operationId: string | undefined, name: RegExp]>([
    ['getItem', /^getItem$/],
    ['items/list.all', /^items_list_all$/],
    ['ünï cöde', /^n_c_de$/],
    ['x'.repeat(60), /^x{41}_[0-9a-f]{6}$/],
    [undefined, /^get_items_id$/],
    ['…', /^operation$/],
  ])('%s', async (operationId, name) => {
    const parameters = [{ name: 'id', in: 'path', required: true, schema: {} }];
    const get = { operationId, parameters, responses };
    const { tools } = await agentOf({ paths: { '/items/{id}': { get } } });
    expect(namesOf(await tools())).toEqual([expect.stringMatching(name)]);
  });

  test('what would come twice ends with a hash, in each process the same', async () => {
    const paths = {
      '/a': { get: { operationId: 'a.b', responses } },
      '/b': { get: { operationId: 'a/b', responses } },
    };
    const { tools } = await agentOf({ paths });
    expect(namesOf(await tools())).toEqual(['a_b', 'a_b_16a73f']);
  });
});

test('what a tool says of its operation', async () => {
  const { tools } = await agentOf(parts.described);
  expect((await tools())[0]).toEqual({
    ...parts.tool,
    description: expect.stringMatching(
      /^Delete an item\nIt is gone for good\. (?:word )+wor…\nDeprecated\.\nDELETE \/items\/\{id\}\nNeeds credentials with write\.\nFails with 404, 5XX\.$/,
    ),
  });
});

test.each<[method: string, hints: object]>([
  ['get', { readOnlyHint: true }],
  ['post', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
  ['put', { readOnlyHint: false, destructiveHint: false, idempotentHint: true }],
  ['patch', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
])('hints of %s', async (method, hints) => {
  const { tools } = await agentOf({
    paths: { '/a': { [method]: { operationId: 'a', responses } } },
  });
  expect((await tools())[0]?.annotations).toEqual({ openWorldHint: false, ...hints });
});

describe('the choice', () => {
  test.each<[options: object, names: string[]]>([
    [{}, ['getA', 'postA', 'putB', 'make_c']],
    [{ readOnly: true }, ['getA']],
    [{ tags: ['open'] }, ['getA', 'postA']],
    [{ only: ['postA', 'postC'] }, ['postA', 'make_c']],
    [{ only: ['make_c'] }, ['make_c']],
  ])('%j', async (options, names) => {
    const { tools } = await agentOf(parts.chosen, {}, options);
    expect(namesOf(await tools())).toEqual(names);
  });

  test('has the words of the document for agents', async () => {
    const { tools } = await agentOf(parts.chosen, {}, { only: ['postC'] });
    expect((await tools())[0]?.description).toBe('Makes a C.\nPOST /c');
  });

  test('x-mcp that says nothing is a warning', () => {
    const text = (mcp: string) =>
      `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /a:\n    get: { x-mcp: ${mcp}, responses: { 200: { description: Fine } } }\n`;
    const warnings = (mcp: string) =>
      parseApiDocument('a.yaml', text(mcp)).diagnostics.map(({ rule, line }) => [rule, line]);
    expect(['{ name: a }', 'false', 'yes please', '{ nam: a }'].map(warnings)).toEqual([
      [],
      [],
      [['mcp', 5]],
      [['mcp', 5]],
    ]);
  });
});

describe('of a thousand operations', () => {
  const document = largeDocument(1000, 50) as { readonly paths: object };

  test('four tools stand for all, in at most 2,000 tokens', async () => {
    const { ask } = await agentOf(document);
    const { text, body } = await ask('tools/list');
    expect(namesOf(body.result.tools)).toEqual([
      'search_operations',
      'describe_operation',
      'call_reading_operation',
      'call_changing_operation',
    ]);
    // A token has about four characters.
    expect(text.length / 4).toBeLessThan(2000);
    expect(body.result.tools.flatMap(faultsOf)).toEqual([]);
  });

  test('all are listed, page by page, where that is wanted', async () => {
    const { ask } = await agentOf(document, {}, { allTools: true });
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await ask('tools/list', cursor === undefined ? {} : { cursor });
      names.push(...namesOf(body.result.tools));
      cursor = body.result.nextCursor;
    } while (cursor !== undefined);
    expect([names.length, new Set(names).size]).toEqual([1000, 1000]);
  });
});

test('the list is the same each time, and after the same document was loaded again', async () => {
  const text = readFileSync(join(rootFolder, 'specs/petstore.yaml'), 'utf8');
  const lists = await Promise.all(
    [1, 2, 3].map(async () => (await (await agentOf(parse(text))).ask('tools/list')).text),
  );
  expect(new Set(lists).size).toBe(1);
});
