/** The documents are the documentation too: everything is described, and every input has an example. */

import { describe, expect, test } from '@jest/globals';
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
