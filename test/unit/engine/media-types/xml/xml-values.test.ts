import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../../src/engine/lang/malformed-text';
import { jsonCodec } from '../../../../../src/engine/media-types/json/json';
import { xmlCodec } from '../../../../../src/engine/media-types/xml/xml';
import type { Direction } from '../../../../../src/engine/schema/shape';
import { shapeOf } from '../shapes';

const string = { type: 'string' };
const integer = { type: 'integer' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const NIL = `${XSI} xsi:nil="true"`;

const root = (properties: object, more: object = {}) =>
  shapeOf({ type: 'object', xml: { name: 'o' }, properties, ...more });
const read = (shape: ReturnType<typeof shapeOf>, xml: string, direction: Direction = 'storage') =>
  xmlCodec.reader(shape, direction)(xml);
const write = (
  shape: ReturnType<typeof shapeOf>,
  value: unknown,
  direction: Direction = 'storage',
) => xmlCodec.writer(shape, direction)(value).split('\n').slice(1).join('\n');

describe('X22 null', () => {
  const shape = root({
    a: { ...string, nullable: true },
    b: { ...integer, nullable: true, xml: { attribute: true } },
    list: { type: 'array', nullable: true, xml: { wrapped: true }, items: string },
    siblings: { type: 'array', nullable: true, items: string },
    inner: { type: 'object', nullable: true },
  });

  test('an element is empty with xsi:nil, an attribute is left out', () => {
    const xml = write(shape, { a: null, b: null, list: null, siblings: null, inner: null });
    expect(xml).toBe(`<o><a ${NIL}/><list ${NIL}/><siblings ${NIL}/><inner ${NIL}/></o>`);
    expect(read(shape, xml)).toStrictEqual({ a: null, list: null, siblings: null, inner: null });
  });

  test.each([
    [
      'items of a list',
      { l: { type: 'array', items: { ...string, nullable: true } } },
      `<l ${NIL}/>`,
      { l: [null] },
    ],
    ['xsi:nil false', { a: string }, `<a ${XSI} xsi:nil="false">x</a>`, { a: 'x' }],
    [
      'null that the schema forbids is left to validation',
      { a: string },
      `<a ${NIL}/>`,
      { a: null },
    ],
    ['a nil of another namespace', { a: string }, '<a nil="true">x</a>', { a: 'x' }],
  ])('%s', (_title, properties, inner, value) => {
    expect(read(root(properties), `<o>${inner}</o>`)).toStrictEqual(value);
  });

  test('an element with xsi:nil must be empty', () => {
    expect(() => read(shape, `<o><a ${NIL}>x</a></o>`)).toThrow(MalformedText);
  });
});

describe('X23 empty arrays', () => {
  const shape = root({
    wrapped: { type: 'array', xml: { wrapped: true }, items: string },
    siblings: { type: 'array', items: string },
  });

  test.each([
    ['an empty container is an empty array', { wrapped: [] }, '<o><wrapped/></o>'],
    ['nothing is absent', {}, '<o/>'],
    [
      'an array of one empty string',
      { wrapped: [''], siblings: [''] },
      '<o><wrapped><wrapped></wrapped></wrapped><siblings></siblings></o>',
    ],
  ])('%s', (_title, value, xml) => {
    expect(write(shape, value)).toBe(xml);
    expect(read(shape, xml)).toStrictEqual(value);
  });

  test('an empty unwrapped array leaves no trace', () => {
    expect(write(shape, { siblings: [] })).toBe('<o/>');
  });

  test('blanks in a container do not count', () => {
    expect(read(shape, '<o>\n  <wrapped>\n  </wrapped>\n</o>')).toStrictEqual({ wrapped: [] });
  });

  test('a container takes its items alone', () => {
    expect(() => read(shape, '<o><wrapped><other/></wrapped></o>')).toThrow(
      'line 1, column 13: <wrapped> expected',
    );
  });
});

test.each([
  ['an empty element', '<o><s></s></o>', { s: '' }],
  ['an empty tag', '<o><s/></o>', { s: '' }],
  ['an absent element', '<o></o>', {}],
  ['an empty number, which will not fit', '<o><n/></o>', { n: '' }],
  ['an empty boolean, which will not fit', '<o><b></b></o>', { b: '' }],
  ['an empty object', '<o><x/></o>', { x: {} }],
])('X24 %s', (_title, xml, value) => {
  const shape = root({ s: string, n: integer, b: { type: 'boolean' }, x: { type: 'object' } });
  expect(read(shape, xml)).toStrictEqual(value);
});

describe('X25 repetition', () => {
  const shape = root({ one: string, many: { type: 'array', items: string } });

  test('one element of an array', () => {
    expect(read(shape, '<o><many>a</many></o>')).toStrictEqual({ many: ['a'] });
  });

  test('siblings need not be neighbours', () => {
    const xml = '<o><many>a</many><one>x</one><many>b</many></o>';
    expect(read(shape, xml)).toStrictEqual({ one: 'x', many: ['a', 'b'] });
  });

  test('a repeated single element is a fault, with its place', () => {
    expect(() => read(shape, '<o>\n<one>a</one>\n<one>b</one></o>')).toThrow(
      'line 3, column 1: <one> is given twice',
    );
  });

  test('so is a repeated container', () => {
    const wrapped = root({ l: { type: 'array', xml: { wrapped: true }, items: string } });
    expect(() => read(wrapped, '<o><l/><l/></o>')).toThrow(MalformedText);
  });
});

describe('X26 text is converted by the schema', () => {
  const int64 = { type: 'integer', format: 'int64' };
  const number = { type: 'number' };
  const boolean = { type: 'boolean' };
  test.each([
    [int64, '9223372036854775807', 9223372036854775807n],
    [int64, '9223372036854775808', 9223372036854775808n],
    [int64, '-1', -1n],
    [integer, '5', 5],
    [integer, '9007199254740993', 9007199254740993n],
    [integer, '0x10', '0x10'],
    [integer, '+5', '+5'],
    [integer, ' 5', ' 5'],
    [integer, '1 2', '1 2'],
    [integer, '007', '007'],
    [integer, '1.0', '1.0'],
    [integer, '', ''],
    [number, '1.5e3', 1500],
    [number, '-0.25', -0.25],
    [number, '.5', '.5'],
    [number, 'NaN', 'NaN'],
    [number, '1e999', '1e999'],
    [boolean, 'true', true],
    [boolean, 'false', false],
    [boolean, '1', true],
    [boolean, '0', false],
    [boolean, 'TRUE', 'TRUE'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z'],
    [string, ' 5 \n', ' 5 \n'],
  ])('%j %j', (schema, text, value) => {
    expect(read(root({ a: schema }), `<o><a>${text}</a></o>`)).toStrictEqual({ a: value });
  });

  test('an element where a scalar belongs is left to validation', () => {
    expect(read(root({ a: string }), '<o><a><b>x</b></a></o>')).toStrictEqual({ a: { b: 'x' } });
  });

  test('text where an object or array belongs is left to validation', () => {
    const shape = root({
      a: { type: 'object' },
      l: { type: 'array', xml: { wrapped: true }, items: string },
    });
    expect(read(shape, '<o><a>x</a><l>y</l></o>')).toStrictEqual({ a: 'x', l: 'y' });
  });
});

describe('X27 maps', () => {
  const map = (additionalProperties: object | boolean) => root({}, { additionalProperties });
  test.each([
    [
      'values by their schema',
      map(integer),
      { available: 3, sold: 0 },
      '<o><available>3</available><sold>0</sold></o>',
    ],
    [
      'keys that are no names',
      map(integer),
      { 'on sale': 1, '': 2, '1st': 3, 'a:b': 4 },
      '<o><on_x0020_sale>1</on_x0020_sale><_x_>2</_x_><_x0031_st>3</_x0031_st><a_x003A_b>4</a_x003A_b></o>',
    ],
    [
      'keys that look escaped',
      map(integer),
      { _x0041_: 1, _x_: 2, '_x0041 ': 3 },
      '<o><_x005F_x0041_>1</_x005F_x0041_><_x005F_x_>2</_x005F_x_><_x005F_x0041_x0020_>3</_x005F_x0041_x0020_></o>',
    ],
    [
      'keys beyond the basic plane',
      map(integer),
      { '😀': 1, é: 2, '\u0001': 3 },
      '<o><_x0001F600_>1</_x0001F600_><é>2</é><_x0001_>3</_x0001_></o>',
    ],
    [
      'arrays',
      map({ type: 'array', items: integer }),
      { a: [1, 2], b: [3] },
      '<o><a>1</a><a>2</a><b>3</b></o>',
    ],
    [
      'wrapped arrays',
      map({ type: 'array', xml: { wrapped: true }, items: { ...integer, xml: { name: 'i' } } }),
      { a: [1, 2], b: [] },
      '<o><a><i>1</i><i>2</i></a><b/></o>',
    ],
    [
      'maps of maps',
      map({ type: 'object', additionalProperties: integer }),
      { a: { b: 1 } },
      '<o><a><b>1</b></a></o>',
    ],
    [
      'prototype names',
      map(integer),
      JSON.parse('{"__proto__":1,"constructor":2}'),
      '<o><__proto__>1</__proto__><constructor>2</constructor></o>',
    ],
  ])('%s', (_title, shape, value, xml) => {
    expect(write(shape, value)).toBe(xml);
    expect(jsonCodec.writer(shape, 'storage')(read(shape, xml))).toBe(
      jsonCodec.writer(shape, 'storage')(value),
    );
  });

  test('a key that is the name of another property’s element', () => {
    const shape = root({ photos: { type: 'array', items: { ...string, xml: { name: 'photo' } } } });
    const value = { photos: ['a'], photo: 'b' };
    const xml = '<o><photo>a</photo><_x0070_hoto>b</_x0070_hoto></o>';
    expect(write(shape, value)).toBe(xml);
    expect(read(shape, xml)).toStrictEqual(value);
  });

  test('a repeated key of single values is a fault', () => {
    expect(() => read(map(integer), '<o><a>1</a><a>2</a></o>')).toThrow(MalformedText);
  });
});

describe('X28 subschemas take part in naming', () => {
  const components = {
    Named: { type: 'object', properties: { name: { ...string, xml: { name: 'n' } } } },
    Cat: {
      type: 'object',
      required: ['claws'],
      properties: { claws: { ...integer, xml: { attribute: true } } },
    },
    Dog: { type: 'object', required: ['bark'], properties: { bark: { type: 'boolean' } } },
    AllOf: { allOf: [ref('Named'), ref('Cat')], xml: { name: 'cat' } },
    OneOf: { oneOf: [ref('Cat'), ref('Dog')] },
    AnyOf: { type: 'object', anyOf: [ref('Cat'), ref('Dog'), ref('Named')] },
    Sized: {
      type: 'object',
      properties: { size: { oneOf: [integer, { type: 'array', items: integer }] } },
    },
    Kinds: {
      oneOf: [
        { type: 'object', properties: { kind: { type: 'string', enum: ['a'] }, v: integer } },
        { type: 'object', properties: { kind: { type: 'string', enum: ['b'] }, v: string } },
      ],
    },
  };
  test.each([
    ['AllOf', { name: 'Tom', claws: 18 }, '<cat claws="18"><n>Tom</n></cat>'],
    ['OneOf', { claws: 18 }, '<OneOf claws="18"/>'],
    ['OneOf', { bark: true }, '<OneOf><bark>true</bark></OneOf>'],
    [
      'AnyOf',
      { claws: 18, bark: true, name: 'x' },
      '<AnyOf claws="18"><bark>true</bark><n>x</n></AnyOf>',
    ],
    ['Sized', { size: 1 }, '<Sized><size>1</size></Sized>'],
    ['Sized', { size: [1, 2] }, '<Sized><size>1</size><size>2</size></Sized>'],
    ['Kinds', { kind: 'a', v: 5 }, '<Kinds><kind>a</kind><v>5</v></Kinds>'],
    ['Kinds', { kind: 'b', v: '5' }, '<Kinds><kind>b</kind><v>5</v></Kinds>'],
  ])('%s %j', (name, value, xml) => {
    const shape = shapeOf(ref(name), components);
    expect(write(shape, value)).toBe(xml);
    expect(read(shape, xml)).toStrictEqual(value);
  });
});

describe('X29 unknown elements are additional properties', () => {
  test.each([
    ['text', '<u>1</u>', { u: '1' }],
    ['repeated', '<u>1</u><u>2</u>', { u: ['1', '2'] }],
    ['objects', '<u><v>1</v><v>2</v><w/></u>', { u: { v: ['1', '2'], w: '' } }],
    ['attributes', '<u lang="en">x</u>', { u: { lang: 'en', '#text': 'x' } }],
    ['mixed with text', '<u>x<v/></u>', { u: { v: '', '#text': 'x' } }],
    ['null', `<u ${NIL}/>`, { u: null }],
    ['before and after known ones', '<u/><a>x</a><w/>', { a: 'x', u: '', w: '' }],
  ])('%s', (_title, inner, value) => {
    expect(read(root({ a: string }), `<o>${inner}</o>`)).toStrictEqual(value);
  });

  test('they are kept where the schema forbids them, so that validation can say so', () => {
    const shape = root({}, { additionalProperties: false });
    expect(read(shape, '<o><u>1</u></o>')).toStrictEqual({ u: '1' });
  });

  test.each([
    [{ u: [[1, 2], [3]], v: { w: [] } }, '<o><u><u>1</u><u>2</u></u><u><u>3</u></u><v/></o>'],
    [{ u: { 'a b': null, c: undefined } }, `<o><u><a_x0020_b ${NIL}/></u></o>`],
    [{ u: 12345678901234567890n }, '<o><u>12345678901234567890</u></o>'],
  ])('%p is written as it is', (value, xml) => {
    expect(write(root({}), value)).toBe(xml);
  });

  test('text between the elements of an object has no place', () => {
    expect(() => read(root({ a: string }), '<o>x<a/></o>')).toThrow(MalformedText);
  });

  test('a body without a schema takes any root', () => {
    expect(read(shapeOf({}), '<any><a>1</a></any>')).toStrictEqual({ a: '1' });
    expect(write(shapeOf({}), [1, { a: 2 }])).toBe(
      '<object><item>1</item><item><a>2</a></item></object>',
    );
  });
});

test.each([
  [
    'markup',
    'a <b> & "c" \'d\' ]]>',
    'a &lt;b&gt; &amp; "c" \'d\' ]]&gt;',
    'a <b> & "c" \'d\' ]]>',
  ],
  ['line ends', 'a\r\nb\n\tc', 'a&#13;\nb\n\tc', 'a\r\nb\n\tc'],
  ['control characters', 'a\u0000\u001f\uffff', 'a\uFFFD\uFFFD\uFFFD', 'a\uFFFD\uFFFD\uFFFD'],
  ['half a surrogate pair', 'a\ud800b', 'a\uFFFDb', 'a\uFFFDb'],
  ['all planes', 'é€😀\u0085', 'é€😀\u0085', 'é€😀\u0085'],
])('X30 %s', (_title, value, text, back) => {
  const shape = root({ a: string });
  const xml = write(shape, { a: value });
  expect(xml).toBe(`<o><a>${text}</a></o>`);
  expect(read(shape, xml)).toStrictEqual({ a: back });
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
