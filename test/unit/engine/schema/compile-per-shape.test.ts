import { expect, test } from '@jest/globals';
import { jsonWriter } from '../../../../src/engine/media-types/json/json';
import { compileCoercion } from '../../../../src/engine/schema/coercion';
import { compileShapes } from '../../../../src/engine/schema/compile-shapes';
import type { Schema } from '../../../../src/engine/schema/shape';

/** A schema that leads to the next one, and so on; the shapes that have been asked for. */
const chain = (length: number) => {
  const asked = new Set<string>();
  const shapeOf = compileShapes({
    resolve: (ref) => {
      asked.add(ref);
      const next = Number(ref) + 1;
      const properties = { id: { type: 'integer', format: 'int64' }, next: { $ref: `${next}` } };
      const schema = { type: 'object', properties: next < length ? properties : {} };
      return { schema: schema as Schema, component: ref };
    },
    accepts: () => () => true,
  });
  return { shape: shapeOf({ $ref: '0' } as Schema), asked };
};

const nested = (depth: number, id: unknown): object =>
  depth === 0 ? { id } : { id, next: nested(depth - 1, id) };

test('D09 schemas that lead to very many others are compiled as far as values go', () => {
  const { shape, asked } = chain(100_000);
  const coerce = compileCoercion(shape, 'request');
  const write = jsonWriter(shape, 'response');
  expect(asked.size).toBeLessThan(50);
  expect(coerce(nested(100, 1))).toEqual(nested(100, 1n));
  expect(write(nested(100, 1n))).toBe(JSON.stringify(nested(100, 1)));
  expect(asked.size).toBeLessThan(200);
});
