/** The good requests are requests that the documents describe: every part of them is declared. */

import { describe, expect, test } from '@jest/globals';
import { adsExamples } from './ads.examples';
import { list, node, operationsOf, readSpec } from './document-facts';
import type { Example } from './example';
import { petstoreExamples } from './petstore.examples';

const services: readonly [string, Readonly<Record<string, Example>>][] = [
  ['petstore', petstoreExamples],
  ['ads', adsExamples],
];

describe.each(services)('the examples for %s', (name, examples) => {
  const operations = operationsOf(readSpec(name)).map(
    ({ operation }) => [String(operation['operationId']), operation] as const,
  );

  test('cover the operations of the document', () => {
    expect(Object.keys(examples).sort()).toEqual(operations.map(([id]) => id).sort());
  });

  test.each(operations)('give %s what it declares', (id, operation) => {
    const { path, query, header, body } = examples[id] ?? {};
    const sent = Object.entries({ path, query, header }).flatMap(([place, values]) =>
      Object.keys(values ?? {}).map((key) => `${place} ${key}`),
    );
    const parameters = list(operation['parameters']).map(node);
    const keyOf = (parameter: Readonly<Record<string, unknown>>) =>
      `${parameter['in']} ${parameter['name']}`;
    expect(parameters.map(keyOf)).toEqual(expect.arrayContaining(sent));
    expect(sent).toEqual(
      expect.arrayContaining(parameters.filter(({ required }) => required).map(keyOf)),
    );

    const media = Object.keys(node(node(operation['requestBody'])['content']));
    expect(body === undefined).toBe(media.length === 0);
    if (body) expect(media).toContain(body.mediaType);
  });
});
