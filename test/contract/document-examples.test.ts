/** The documents are the documentation too: everything is described, and every example is a good one. */

import { describe, expect, test } from '@jest/globals';
import { examplesOf, faultyExamples } from './document-examples';
import {
  list,
  lookUp,
  type Node,
  node,
  nodesOf,
  operationsOf,
  readSpec,
  responsesOf,
} from './document-facts';

/** Whether an object is a schema that a reader of the documentation meets by name. */
const isNamedSchema = (pointer: string): boolean =>
  /^#\/components\/schemas\/[^/]+(\/properties\/[^/]+)?$/.test(pointer);

const undescribed = (entries: readonly (readonly [string, Node])[]): readonly string[] =>
  entries
    .filter(([, value]) => !('$ref' in value) && typeof value['description'] !== 'string')
    .map(([place]) => place);

describe.each(['petstore', 'ads'])('specs/%s.yaml', (name) => {
  const document = readSpec(name);
  const operations = operationsOf(document).map(
    ({ operation }) => [String(operation['operationId']), operation] as const,
  );

  test('has only examples that fit their schemas', () => {
    expect(examplesOf(document).length).toBeGreaterThan(20);
    expect(faultyExamples(document)).toEqual([]);
  });

  test('uses every example that it defines', () => {
    const used = nodesOf(document).map(([, value]) => value['$ref']);
    const defined = Object.keys(node(lookUp(document, '#/components/examples')));
    expect(defined.filter((key) => !used.includes(`#/components/examples/${key}`))).toEqual([]);
  });

  test.each(operations)('explains %s, its input and its answers', (id, operation) => {
    const { success, errors } = responsesOf(document, operation);
    const described: [string, Node][] = [
      [id, operation],
      ...list(operation['parameters']).map((value): [string, Node] => ['parameter', node(value)]),
      ...[...success, ...errors].map(([status, value]): [string, Node] => [status, value]),
    ];
    if ('requestBody' in operation) described.push(['body', node(operation['requestBody'])]);
    expect(operation['summary']).toEqual(expect.any(String));
    expect(undescribed(described)).toEqual([]);
  });

  test.each(operations)('shows by example what to send to %s', (_, operation) => {
    const parameters = list(operation['parameters']).map(node);
    const media = Object.values(node(node(operation['requestBody'])['content'])).map(node);
    const bare = [...parameters, ...media].filter(
      (holder) => !('example' in holder) && !('examples' in holder),
    );
    expect(bare).toEqual([]);
  });

  test('explains every schema and every property', () => {
    const schemas = nodesOf(document).filter(([pointer]) => isNamedSchema(pointer));
    expect(undescribed(schemas)).toEqual([]);
  });
});

describe('an example', () => {
  const paths = (holder: object) => ({ paths: { '/a': { get: { parameters: [holder] } } } });

  test.each<[string, Node]>([
    ['a number under a string', paths({ schema: { type: 'string' }, example: 1 })],
    ['a value outside the enum', paths({ schema: { enum: ['a'] }, example: 'b' })],
    ['the excluded maximum', paths({ schema: { maximum: 9, exclusiveMaximum: true }, example: 9 })],
    ['a day that is none', { a: { type: 'string', format: 'date-time', example: 'today' } }],
    [
      'a shared example of another type',
      {
        ...paths({
          schema: { type: 'object' },
          examples: { x: { $ref: '#/components/examples/X' } },
        }),
        components: { examples: { X: { value: 'text' } } },
      },
    ],
  ])('is refused for %s', (_, document) => {
    expect(faultyExamples(document)).toHaveLength(1);
  });

  test('is taken where it fits', () => {
    expect(faultyExamples(paths({ schema: { type: 'string' }, example: '1' }))).toEqual([]);
  });
});
