/** In each format, the steps for a union that contains itself do not double with each level of a value. */

import { expect, test } from '@jest/globals';
import { drawFrom, makeFuel } from '../../../../src/base/fuel';
import { readerOf } from '../../../../src/engine/media-types/codec/codec';
import { formCodec } from '../../../../src/engine/media-types/forms/form';
import { jsonCodec } from '../../../../src/engine/media-types/json/json';
import { schemaContext } from '../../../../src/engine/media-types/schema-context';
import { xmlCodec } from '../../../../src/engine/media-types/xml/xml';
import { yamlCodec } from '../../../../src/engine/media-types/yaml/yaml';
import { schemasOf } from '../../../support/schemas';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const readSchema = schemasOf(
  Object.fromEntries(
    ['T', 'U'].map((name) => [
      name,
      { type: 'object', properties: { r: { oneOf: [ref('T'), ref('U')] } } },
    ]),
  ),
);
const T = readSchema(ref('T'));
const { shapeOf, validators } = schemaContext();
const validate = validators.validatorOf(T, 'request');

const nested = (levels: number, start: string, inner: string, end: string): string =>
  start.repeat(levels) + inner + end.repeat(levels);

test.each([
  ['JSON', jsonCodec, (levels: number) => nested(levels, '{"r":', '{}', '}')],
  ['XML', xmlCodec, (levels: number) => `<T>${nested(levels, '<r>', '', '</r>')}</T>`],
  ['YAML', yamlCodec, (levels: number) => nested(levels, '{r: ', '{}', '}')],
  ['a form', formCodec, (levels: number) => `r${'[r]'.repeat(levels)}=1`],
])('D09 %s', (_name, codec, textOf) => {
  const read = readerOf(codec, shapeOf(T), 'request');
  const stepsOf = (levels: number): number => {
    const fuel = makeFuel(1_000_000);
    const errors = drawFrom(fuel, () => validate(read(textOf(levels))));
    expect(errors).toMatchObject([
      { path: '/r', message: 'must fit exactly one of 2 alternatives' },
    ]);
    return fuel.capacity - fuel.left;
  };
  // What fits no alternative is read without a schema, as a whole at each level.
  expect(stepsOf(90)).toBeLessThan(10 * stepsOf(30));
  expect(stepsOf(90)).toBeLessThan(450_000);
});

test('of alternatives that read alike, however many, none is tried', () => {
  const anyOf = Array.from({ length: 100 }, (_, index) => ({
    type: 'object',
    properties: { [`k${index}`]: { type: 'string' } },
  }));
  const schema = readSchema({ type: 'array', items: { anyOf } });
  const read = readerOf(jsonCodec, shapeOf(schema), 'request');
  const fuel = makeFuel(1_000);
  expect(drawFrom(fuel, () => read('[{"k99":"a"},{"k0":1}]'))).toEqual([{ k99: 'a' }, { k0: 1 }]);
  expect(fuel.left).toBe(fuel.capacity);
});
