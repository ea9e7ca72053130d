/** A change that the comparison calls harmless is harmless: values that one document's validator accepts, the other's accepts. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { type Change, diffDocuments } from '../../../../src/contract';
import { type ApiDocument, parseApiDocument, schemaContext } from '../../../../src/engine';
import type { MediaType } from '../../../../src/model/operation';
import { casesOf, fieldsOf } from '../../../support/text-cases';
import { documentOf, textsOf } from './compare-fragments';
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
  schema: unknown,
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
      { seed: 20, numRuns: 100 },
    );
  });
});

const kinds = ['schemas', 'schemas-3.1'];

describe.each(kinds)('the verdicts on %s', (kind) => {
  const cases = casesOf(join(__dirname, `${kind}.cases.txt`))
    .map(([title, lines]) => [title, new Map(fieldsOf(lines))] as const)
    .filter(([, fields]) => !fields.has('in') && !fields.has('unproven'));

  test.each(cases)('%s', (_title, fields) => {
    const [old, now] = textsOf(kind, fields).map((text) => parseApiDocument('a.yaml', text));
    if (old === undefined || now === undefined) throw new Error('A document is missing');
    const changes = diffDocuments(old, now);
    const [before, after] = ['old', 'new'].map((name): unknown => parse(fields.get(name) ?? ''));
    const values = fc.sample(fc.oneof(likely(before), likely(after)), { seed: 20, numRuns: 30 });
    const refused = (['request', 'response'] as const).flatMap((side) => {
      if (!isHarmless(changes, side)) return [];
      const inOrder = side === 'request' ? ([old, now] as const) : ([now, old] as const);
      return refusedSample(inOrder, side === 'request' ? before : after, side, values) ?? [];
    });
    expect(refused).toEqual([]);
  });
});
