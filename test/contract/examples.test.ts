/** The examples of the documents: each succeeds on fresh demo data. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { useServices } from '../support/services';
import { send } from './contract-context';
import { type ContractOperation, contractOperations } from './contract-operation';
import { type Node, node, operationsOf, resolved } from './document-facts';

const services = useServices();
beforeEach(() => services().reset());

/** The value of a schema that its own examples make, or those of its parts; undefined where they make none. */
const composed = (document: Node, schema: unknown): unknown => {
  const { example, properties, items } = resolved(document, schema);
  if (example !== undefined) return example;
  if (items !== undefined) return [composed(document, items)];
  if (properties === undefined) return undefined;
  const entries = Object.entries(node(properties));
  return Object.fromEntries(entries.map(([name, part]) => [name, composed(document, part)]));
};

/** A request that an example makes. */
interface Shown {
  readonly title: string;
  readonly operation: ContractOperation;
  readonly mediaType?: string;
  readonly value?: unknown;
}

/** Each example of each media type of the body, and what the properties' own make together. */
const bodiesOf = (operation: ContractOperation): readonly Shown[] => {
  const { id, document, body } = operation;
  const found = operationsOf(document).find((one) => one.operation['operationId'] === id);
  const { content } = resolved(document, found?.operation['requestBody']);
  return Object.entries(node(content)).flatMap(([mediaType, entry]) => {
    const { example, examples, schema } = node(entry);
    const named = Object.entries(node(examples)).map(
      ([name, shown]) => [name, resolved(document, shown)['value']] as const,
    );
    const alone = example === undefined ? [] : [['the example', example] as const];
    const [[, first] = ['', undefined]] = [...alone, ...named];
    // What the body names must be there for this operation, and must not for others.
    const { identifier } = body ?? {};
    const own = identifier === undefined ? {} : { [identifier]: node(first)[identifier] };
    const parts = composed(document, schema);
    const whole = identifier === undefined ? parts : { ...node(parts), ...own };
    const together =
      parts === undefined ? [] : [['the examples of its properties', whole] as const];
    return [...alone, ...named, ...together].map(([name, value]) => ({
      title: `${id} of ${mediaType}: ${name}`,
      operation,
      mediaType,
      value,
    }));
  });
};

const shownIn = (service: 'petstore' | 'ads'): readonly Shown[] =>
  contractOperations(service).flatMap((operation): readonly Shown[] =>
    operation.body === undefined ? [{ title: operation.id, operation }] : bodiesOf(operation),
  );

describe.each(['petstore', 'ads'] as const)('%s', (service) => {
  const context = { service, operations: contractOperations(service), services };

  test.each(shownIn(service))('$title', async ({ operation, mediaType, value }) => {
    const body = mediaType === undefined ? {} : { mediaType, value };
    const { status, text } = await send(context, operation, body);
    expect([status, text]).toEqual([operation.success.status, text]);
  });
});
