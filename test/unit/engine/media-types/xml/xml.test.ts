/** XML beyond what HTTP shows: the places of faults, whole values, and what handlers alone can give. */

import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../../src/base/malformed-text';
import { readerOf } from '../../../../../src/engine/media-types/codec/codec';
import { xmlCodec } from '../../../../../src/engine/media-types/xml/xml';
import type { Direction } from '../../../../../src/schema/shape';
import { shapeOf } from '../shapes';

const string = { type: 'string' };

const root = (properties: object) => shapeOf({ type: 'object', xml: { name: 'o' }, properties });
const read = (shape: ReturnType<typeof shapeOf>, xml: string, direction: Direction = 'storage') =>
  readerOf(xmlCodec, shape, direction)(xml);
const write = (
  shape: ReturnType<typeof shapeOf>,
  value: unknown,
  direction: Direction = 'storage',
) => xmlCodec.writer(shape, direction)(value).split('\n').slice(1).join('\n');

test.each([
  ['X13 another namespace', '<o xmlns="urn:other"/>', 'the root element must be <o>'],
  ['X16 another root', '<O/>', 'the root element must be <o>'],
  ['X23 another item', '<o><l><other/></l></o>', 'line 1, column 7: <l> expected'],
  ['X25 a value twice', '<o>\n<one>a</one>\n<one>b</one></o>', '3, column 1: <one> is given twice'],
])('the fault has a place: %s', (_title, xml, message) => {
  const shape = root({ one: string, l: { type: 'array', xml: { wrapped: true }, items: string } });
  expect(() => read(shape, xml)).toThrow(MalformedText);
  expect(() => read(shape, xml)).toThrow(message);
});

test.each([
  ['control characters', 'a\u0000\u001f\uffff', 'a\uFFFD\uFFFD\uFFFD'],
  ['half a surrogate pair', 'a\ud800b', 'a\uFFFDb'],
  ['undefined', undefined, ''],
])('X30 what a handler gives is written as XML: %s', (_title, value, text) => {
  const shape = root({ a: string });
  expect(write(shape, { a: value })).toBe(value === undefined ? '<o/>' : `<o><a>${text}</a></o>`);
});

test.each([
  [{ type: 'integer', format: 'int64' }, '9223372036854775808', 9223372036854775808n],
  [{ type: 'integer' }, '9007199254740993', 9007199254740993n],
  [{ type: 'integer' }, '0x10', '0x10'],
  [string, ' 5 \n', ' 5 \n'],
  [{ type: 'object' }, 'x', 'x'],
  [string, '<b>x</b>', { b: 'x' }],
])('X26 what does not fit is left to validation: %j %s', (schema, text, value) => {
  expect(read(root({ a: schema }), `<o><a>${text}</a></o>`)).toStrictEqual({ a: value });
});

describe('X33 readOnly, writeOnly and default act as in JSON', () => {
  const shape = root({
    id: { type: 'integer', format: 'int64', readOnly: true },
    secret: { ...string, writeOnly: true },
    size: { type: 'integer', format: 'int64', default: 3 },
    kind: { ...string, writeOnly: true, xml: { attribute: true } },
    list: {
      type: 'array',
      items: { type: 'object', properties: { on: { type: 'boolean', default: true } } },
    },
  });

  test('a request', () => {
    expect(read(shape, '<o><id>1</id><secret>s</secret><list/></o>', 'request')).toStrictEqual({
      secret: 's',
      size: 3n,
      list: [{ on: true }],
    });
  });

  test('a reply', () => {
    expect(write(shape, { id: 1n, secret: 's', kind: 'k', size: 2n }, 'response')).toBe(
      '<o><id>1</id><size>2</size></o>',
    );
  });

  test('a whole value', () => {
    const value = { id: 1n, secret: 's', kind: 'k' };
    const xml = '<o kind="k"><id>1</id><secret>s</secret></o>';
    expect(write(shape, value)).toBe(xml);
    expect(read(shape, xml)).toStrictEqual(value);
  });
});
