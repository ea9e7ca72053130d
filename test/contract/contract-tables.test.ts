/** Holds each document under specs/ against the contract's tables, both ways. */

import { describe, expect, test } from '@jest/globals';
import { isScalar, parseDocument, visit } from 'yaml';
import { extended, readContract } from './contract-table';
import {
  bareSchema,
  bodyFacts,
  documentText,
  list,
  lookUp,
  node,
  nodesOf,
  operationFacts,
  operationsOf,
  readSpec,
  responsesOf,
} from './document-facts';

const contracts = [
  { ...readContract('petstore'), operations: 19 },
  { ...readContract('ads'), operations: 4 },
];

describe.each(contracts)('$contract.name', ({ contract, additions, operations }) => {
  const document = readSpec(contract.name);
  const components = node(document['components']);
  const schemas = node(components['schemas']);
  const rows = Object.entries(contract.operations).flatMap(([tag, group]) =>
    Object.entries(group).map(([id, row]) => [id, { tag, ...row }] as const),
  );

  test('is OpenAPI 3.0.3, version 1.0.11, mounted under its own name', () => {
    expect(document['openapi']).toBe('3.0.3');
    expect(node(document['info'])['version']).toBe('1.0.11');
    expect(list(document['servers']).map((server) => node(server)['url'])).toEqual([
      `/${contract.name}`,
    ]);
    expect(document['security']).toBeUndefined();
  });

  test('has the operation groups of the contract, with their purposes', () => {
    const tags = list(document['tags']).map((tag) => [node(tag)['name'], node(tag)['description']]);
    expect(Object.fromEntries(tags)).toEqual(contract.tags);
  });

  test('has the operations of the contract and no others', () => {
    const ids = operationsOf(document).map(({ operation }) => operation['operationId']);
    expect(ids.sort()).toEqual(rows.map(([id]) => id).sort());
    expect(ids).toHaveLength(operations);
    expect(Object.keys(additions.operations).sort()).toEqual(ids);
  });

  test.each(rows)('says of %s what the contract says', (id, row) => {
    const whole = { parameters: {}, success: {}, errors: {}, security: [], ...row };
    expect(operationFacts(document, id)).toEqual(extended(whole, additions.operations[id], id));
  });

  test('has the schemas of the contract and no others', () => {
    expect(Object.keys(schemas).sort()).toEqual(Object.keys(contract.schemas).sort());
  });

  test.each(Object.entries(contract.schemas))('describes %s as the contract does', (name, row) => {
    expect(bareSchema(schemas[name])).toEqual(extended(row, additions.schemas[name], name));
  });

  test('repeats the notes of the contract', () => {
    const notes = Object.keys(contract.notes).map((field) => {
      const [name = '', property = ''] = field.split('.');
      const properties = node(node(schemas[name])['properties']);
      return [field, node(properties[property])['description']];
    });
    expect(Object.fromEntries(notes)).toEqual(contract.notes);
  });

  test('has the security schemes of the contract', () => {
    const bare = Object.entries(node(components['securitySchemes'])).map(([name, scheme]) => {
      const { description, ...rest } = node(scheme);
      return [name, rest];
    });
    expect(Object.fromEntries(bare)).toEqual(contract.securitySchemes);
  });

  test('S07 requires the undeclared scopes of the contract and no others', () => {
    const required = rows
      .flatMap(([, { security = [] }]) => security)
      .flatMap((alternative) => Object.entries(alternative));
    const undeclared = required.flatMap(([name, scopes]) => {
      const declared = node(lookUp(document, `#/components/securitySchemes/${name}`));
      const granted = node(node(node(declared['flows'])['implicit'])['scopes']);
      return scopes.filter((scope) => !(scope in granted));
    });
    expect(undeclared).toEqual(contract.undeclaredScopes);
  });

  test('D10 has the dangling references of the contract and no others', () => {
    const references = nodesOf(document).flatMap(([, { $ref }]) =>
      typeof $ref === 'string' ? [$ref] : [],
    );
    const dangling = references.filter((ref) => lookUp(document, ref) === undefined);
    expect(dangling).toEqual(contract.danglingReferences);
  });

  test('leaves the schemas unused that the contract leaves unused', () => {
    const reached = new Set<string>();
    const reach = (value: unknown): void => {
      for (const [, { $ref }] of nodesOf(value)) {
        if (typeof $ref !== 'string' || reached.has($ref)) continue;
        reached.add($ref);
        reach(lookUp(document, $ref));
      }
    };
    for (const { operation } of operationsOf(document)) {
      reach(operation['requestBody']);
      for (const [, response] of responsesOf(document, operation).success) reach(response);
    }
    const unused = Object.keys(schemas).filter(
      (name) => !reached.has(`#/components/schemas/${name}`),
    );
    expect(unused.sort()).toEqual(contract.unusedSchemas);
  });

  test('answers every failure with an ApiResponse in JSON or XML', () => {
    for (const { operation } of operationsOf(document)) {
      for (const [, response] of responsesOf(document, operation).errors) {
        expect(bodyFacts(response)).toEqual({
          media: ['application/json', 'application/xml'],
          schema: { $ref: '#/components/schemas/ApiResponse' },
        });
      }
    }
  });

  test('explains everything that a reader meets, and shows by example what to send', () => {
    const explained = [
      /^#\/components\/schemas\/[^/]+(\/properties\/[^/]+)?$/,
      /^#\/paths\/[^/]+\/[a-z]+(\/parameters\/\d+|\/requestBody|\/responses\/[^/]+)?$/,
    ];
    const shown = /\/(parameters\/\d+|requestBody\/content\/[^/]+)$/;
    const faults = nodesOf(document).flatMap(([pointer, value]) => {
      const isBare =
        explained.some((one) => one.test(pointer)) && !('$ref' in value || 'description' in value);
      const isUnseen = shown.test(pointer) && !('example' in value || 'examples' in value);
      return isBare || isUnseen ? [pointer] : [];
    });
    expect(faults).toEqual([]);
  });

  test('summarizes every operation, and uses every example that it defines', () => {
    const summaries = operationsOf(document).map(({ operation }) => operation['summary']);
    expect(summaries).toEqual(summaries.map(() => expect.any(String)));
    const used = nodesOf(document).map(([, value]) => value['$ref']);
    const defined = Object.keys(node(components['examples']));
    expect(defined.filter((key) => !used.includes(`#/components/examples/${key}`))).toEqual([]);
  });

  test('D08 puts nothing beside a reference', () => {
    const crowded = nodesOf(document).filter(
      ([, value]) => '$ref' in value && Object.keys(value).length > 1,
    );
    expect(crowded).toEqual([]);
  });

  test('D15 is YAML that needs no more than JSON: text as keys, no anchors, tags or aliases', () => {
    const strange: string[] = [];
    const parsed = parseDocument(documentText(contract.name), { version: '1.2' });
    visit(parsed, {
      Alias: (_, alias) => void strange.push(`*${alias.source}`),
      Node: (_, value) => void (value.tag?.startsWith('!') && strange.push(value.tag)),
      Pair: (_, { key }) => {
        if (!isScalar(key) || typeof key.value !== 'string') strange.push(String(key));
      },
    });
    expect([...parsed.errors, ...parsed.warnings, ...strange]).toEqual([]);
  });
});

test.each([
  ['another value', { a: 1 }, { a: 2 }],
  ['another list', { a: [1] }, { a: [1, 2] }],
  ['a mapping for a text', { a: 'b' }, { a: { b: 1 } }],
])('an addition may not be %s', (_, row, addition) => {
  expect(() => extended(row, addition)).toThrow("/a is the contract's own");
});
