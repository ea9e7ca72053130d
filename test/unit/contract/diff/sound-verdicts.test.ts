/** A change that the comparison calls harmless is harmless: values that one document's validator accepts, the other's accepts. */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Change, diffDocuments } from '../../../../src/contract';
import { type ApiDocument, schemaContext } from '../../../../src/engine';
import type { MediaType } from '../../../../src/model/operation';
import { documentOf } from './compare-fragments';
import { dialects, type Json, likely, pairsOf } from './schema-arbitraries';

const document = (openapi: string, schema: Json): ApiDocument => {
  const content = { 'application/json': { schema } };
  return documentOf({
    openapi,
    paths: {
      '/a': {
        post: { requestBody: { content }, responses: { 200: { description: 'A', content } } },
      },
    },
  });
};

const validatorOf = (given: ApiDocument, direction: 'request' | 'response') => {
  const [operation] = given.operations;
  const schema: MediaType['schema'] = operation?.requestBody?.content[0]?.schema;
  if (schema === undefined) throw new Error('The document has no schema');
  return schemaContext(given).validators.validatorOf(schema, direction);
};

const isHarmless = (changes: readonly Change[], side: Change['side']): boolean =>
  changes.every((change) => change.side !== side || change.severity === 'compatible');

/**
 * Names that are not declared say nothing where the keywords for other names do not: callers were told of none. The patterns are
 * of names that begin with `a`, end with `b`, or of all.
 */
const isDeclared = (schema: unknown, value: unknown): boolean => {
  const text = JSON.stringify(schema);
  const patterns: Readonly<Record<string, string>> = { a: '"^a":', b: '"b$":', c: '"":' };
  const used = JSON.stringify(value).matchAll(/"([abc])":/g);
  return (
    [...used].every(([, name = '']) =>
      [`"${name}":`, '"":', patterns[name] ?? ''].some((one) => text.includes(one)),
    ) || /additionalProperties|unevaluatedProperties/.test(text)
  );
};

/** The first sample that the source accepts and the target refuses, with the reason; undefined where there is none. */
const refusedSample = (
  [source, target]: readonly [ApiDocument, ApiDocument],
  schema: Json,
  side: 'request' | 'response',
  samples: readonly unknown[],
): string | undefined => {
  const accepts = validatorOf(source, side);
  const mustAccept = validatorOf(target, side);
  const promised = samples.filter(
    (sample) => isDeclared(schema, sample) && accepts(sample).length === 0,
  );
  const refused = promised.find((sample) => mustAccept(sample).length > 0);
  return refused === undefined
    ? undefined
    : `${JSON.stringify(refused)} ${mustAccept(refused)[0]?.message}`;
};

describe.each(dialects)('OpenAPI %s', (version, schemas, settings) => {
  const sampled = pairsOf(schemas, settings).chain((pair) =>
    fc.tuple(
      fc.constant(pair),
      fc.array(fc.oneof(likely(pair[0]), likely(pair[1])), { minLength: 20, maxLength: 30 }),
    ),
  );

  test.each(['request', 'response'] as const)('values of a %s that were promised fit', (side) => {
    fc.assert(
      fc.property(sampled, ([[old, now], samples]) => {
        const documents = [document(version, old), document(version, now)] as const;
        if (!isHarmless(diffDocuments(...documents), side)) return;
        const [before, after] = documents;
        const inOrder = side === 'request' ? documents : ([after, before] as const);
        const source = side === 'request' ? old : now;
        expect(refusedSample(inOrder, source, side, samples)).toBe(undefined);
      }),
      { seed: 20, numRuns: 200 },
    );
  });
});
