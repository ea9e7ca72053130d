/** Values whose parts are attributes, texts and elements by `nodeType`: what was written is read back. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openApi32 } from '../../../../../src/document/versions/schema-keywords';
import { readerOf } from '../../../../../src/engine/media-types/codec/codec';
import { xmlCodec } from '../../../../../src/engine/media-types/xml/xml';
import { compileShapes } from '../../../../../src/schema/compile-shapes';
import type { Shape } from '../../../../../src/schema/shape';
import { schemasOf } from '../../../../support/schemas';
import { readValue, tableOf } from '../../../../support/text-cases';
import { readSchema } from '../../../schema/validation/validators-of';
import { text } from '../schema-arbitrary';
import { fits } from '../shapes';

const shapeOf = (schema: object): Shape =>
  compileShapes((one) => (value) => fits(one, value))(schemasOf({}, openApi32)(schema));

const write = (shape: Shape, value: unknown): string =>
  xmlCodec.writer(shape, 'storage')(value).split('\n').slice(1).join('\n');
const read = (shape: Shape, xml: string): unknown => readerOf(xmlCodec, shape, 'storage')(xml);

/** Node types of parts that stand in one element. */
const node = (nodeType: string) => ({ type: 'string', xml: { nodeType } });

/** An object that makes no node. */
const none = (properties: object, more: object = {}) => ({
  type: 'object',
  xml: { nodeType: 'none' },
  properties,
  ...more,
});

const object = fc.constantFrom('text', 'cdata').chain((nodeType) =>
  fc.record({
    schema: fc.constant({
      type: 'object',
      xml: { name: 'o' },
      required: ['c'],
      properties: {
        a: node('attribute'),
        b: { type: 'integer', xml: { nodeType: 'attribute' } },
        c: node(nodeType),
      },
    }),
    value: fc.record(
      { a: text, b: fc.integer(), c: text },
      { requiredKeys: ['c'], noNullPrototype: true },
    ),
  }),
);

/** A list of elements with one text at most between two of them. */
const list = fc
  .array(fc.constantFrom('text', 'cdata', undefined), { maxLength: 4 })
  .chain((texts) => {
    const element = (index: number) => ({ type: 'string', xml: { name: `e${index}` } });
    const prefixItems = texts.flatMap((nodeType, index) =>
      nodeType === undefined ? [element(index)] : [node(nodeType), element(index)],
    );
    return fc.record({
      schema: fc.constantFrom(
        { type: 'array', xml: { nodeType: 'element', name: 'l' }, prefixItems },
        {
          type: 'object',
          xml: { name: 'l' },
          required: ['l'],
          properties: { l: { type: 'array', prefixItems } },
        },
      ),
      value: fc.tuple(...prefixItems.map(() => text)),
    });
  })
  .map(({ schema, value }) => ({ schema, value: schema.type === 'object' ? { l: value } : value }))
  .filter(({ value }) => !Array.isArray(Object(value).l) || Object(value).l.length > 0);

/** Objects without elements, beside other properties. */
const inlined = fc.record({
  schema: fc.constant({
    type: 'object',
    xml: { name: 'o' },
    required: ['p'],
    properties: {
      p: none({
        a: node('attribute'),
        l: { type: 'array', items: { type: 'integer', xml: { name: 'm' } } },
        q: none({ t: node('text'), b: node('attribute') }, { required: ['t'] }),
      }),
      e: node('element'),
      n: none({ k: { type: ['string', 'null'] }, o: { type: 'object', xml: { name: 'ob' } } }),
    },
  }),
  value: fc.record(
    {
      p: fc.record(
        {
          a: text,
          q: fc.record(
            { b: text, t: text.filter((part) => /\S/.test(part)) },
            { noNullPrototype: true },
          ),
          l: fc.array(fc.integer(), { minLength: 1 }),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
      e: text,
      n: fc.record(
        { k: fc.option(text), o: fc.constant({}) },
        { requiredKeys: ['k'], noNullPrototype: true },
      ),
    },
    { requiredKeys: ['p'], noNullPrototype: true },
  ),
});

test.each([
  ['W16 objects without elements', inlined],
  ['W18 W19 W20 objects', object],
  ['W21 lists', list],
])('%s', (_title, sample) => {
  fc.assert(
    fc.property(sample, ({ schema, value }) => {
      const shape = shapeOf(schema);
      const xml = write(shape, value);
      expect([xml, read(shape, xml)]).toStrictEqual([xml, value]);
    }),
    { seed: 32, numRuns: 400 },
  );
});

test.each(tableOf(join(__dirname, 'xml-nodes.cases.txt'), 'values'))(
  '%s',
  (_title, schema = '', item = '', xml = '') => {
    const shape = shapeOf(readSchema(schema));
    const value = readValue(item);
    expect(write(shape, value)).toBe(xml);
    expect(read(shape, xml)).toStrictEqual(value);
  },
);

test('W19 W20 what a handler gives for texts is written as well as it can be', () => {
  const shape = shapeOf({
    type: 'array',
    xml: { name: 'l' },
    prefixItems: [node('text'), node('cdata'), node('cdata')],
  });
  expect(write(shape, [undefined, null, { a: [1] }])).toBe('<l><![CDATA[{"a":[1]}]]></l>');
});

test('W19 W21 texts between many elements are refused, or read, in one pass', () => {
  const many = 40_000;
  const withText = shapeOf({
    type: 'object',
    xml: { name: 'o' },
    properties: { t: node('text'), a: { type: 'array', items: node('element') } },
  });
  const xml = `<o>${'x<a/>'.repeat(many)}</o>`;
  expect(() => read(withText, xml)).toThrow('<#text> is given twice');
  expect(read(withText, `<o>x${'<a/>\n'.repeat(many)}</o>`)).toMatchObject({ t: 'x' });
  const list = shapeOf({
    type: 'array',
    xml: { name: 'l' },
    prefixItems: [node('text')],
    items: { type: 'string', xml: { name: 'a' } },
  });
  expect(read(list, `<l>x${'<a/>'.repeat(many)}</l>`)).toHaveLength(many + 1);
  expect(() => read(list, `<l>${'x<a/>'.repeat(many)}</l>`)).toThrow('<a> expected');
  expect(read(list, `<l>${'<![CDATA[]]>x'.repeat(many)}</l>`)).toEqual(['x'.repeat(many)]);
});

test('W23 a writeOnly attribute that is left out stays so', () => {
  const shape = shapeOf({
    type: 'object',
    xml: { name: 'o' },
    properties: {
      a: { type: ['string', 'null'], xml: { nodeType: 'attribute' } },
      b: { type: ['string', 'null'], writeOnly: true, xml: { nodeType: 'attribute' } },
      c: { xml: { nodeType: 'attribute' } },
      d: { type: ['string', 'integer', 'null'], xml: { nodeType: 'attribute' } },
    },
  });
  expect(read(shape, '<o/>')).toStrictEqual({ a: null, d: null });
});

test('W16 objects without elements may hold writeOnly properties, undeclared ones, and be no objects', () => {
  const shape = shapeOf({
    type: 'object',
    xml: { name: 'o' },
    properties: {
      a: none({ x: node('element'), secret: { ...node('attribute'), writeOnly: true } }),
      b: none({ y: node('element'), id: node('attribute') }, { writeOnly: true }),
      c: none({ z: node('element'), key: node('attribute') }),
    },
  });
  const value = { a: { secret: 's', x: '1' }, b: { id: '3', y: '2' }, c: { key: '5', z: '4' } };
  expect(write(shape, value)).toBe('<o secret="s" id="3" key="5"><x>1</x><y>2</y><z>4</z></o>');
  expect(read(shape, write(shape, value))).toStrictEqual(value);
  expect(xmlCodec.writer(shape, 'response')(value)).toContain('<o key="5"><x>1</x><z>4</z></o>');
  expect(write(shape, { a: 'x', b: null, c: { z: '4', x: 'y', n: 1 } })).toBe(
    '<o><a>x</a><z>4</z><_x0078__x_>y</_x0078__x_><n>1</n></o>',
  );
  expect(read(shape, '<o secret="s" more="m"><n>1</n><x>1</x></o>')).toStrictEqual({
    a: { secret: 's', x: '1' },
    more: 'm',
    n: '1',
  });
});

test('W16 a name of every object is a property of those without elements, too', () => {
  const properties = JSON.parse(
    '{"__proto__":{"type":"object","xml":{"nodeType":"none"},"properties":{"constructor":{"type":"string"}}}}',
  );
  const shape = shapeOf({ type: 'object', xml: { name: 'o' }, properties });
  const value = JSON.parse('{"__proto__":{"constructor":"x"}}');
  expect(write(shape, value)).toBe('<o><constructor>x</constructor></o>');
  expect(read(shape, '<o><constructor>x</constructor></o>')).toStrictEqual(value);
});

test('W16 objects without elements in each other, many or in both of two places, are laid out in short time', () => {
  const deep = (levels: number): object =>
    none(levels === 0 ? { end: node('element') } : { [`a${levels}`]: deep(levels - 1) });
  const holder = (inner: object) => ({ type: 'object', xml: { name: 'o' }, properties: { inner } });
  const valueIn = (levels: number): object =>
    levels === 0 ? { end: 'x' } : { [`a${levels}`]: valueIn(levels - 1) };
  const [few, many] = [shapeOf(holder(deep(40))), shapeOf(holder(deep(100)))];
  expect(write(few, { inner: valueIn(40) })).toBe('<o><end>x</end></o>');
  expect(read(few, '<o><end>x</end></o>')).toStrictEqual({ inner: valueIn(40) });
  expect(write(many, { inner: valueIn(100) })).toMatch(/^<o><inner><a100><a99>/);
  expect(read(many, write(many, { inner: valueIn(100) }))).toStrictEqual({ inner: valueIn(100) });
  const wide = Array.from({ length: 40 }).reduce<object>(
    (inner) => none({ left: inner, right: inner }),
    none({ x: node('element') }),
  );
  expect(write(shapeOf(holder(wide)), { inner: {} })).toBe('<o><inner/></o>');
});
