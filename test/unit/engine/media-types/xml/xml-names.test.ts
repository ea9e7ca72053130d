import { describe, expect, test } from '@jest/globals';
import { xmlCodec } from '../../../../../src/engine/media-types/xml/xml';
import { shapeOf } from '../shapes';
import { book, N, type XmlCase, xmlNameCases } from './xml-names.cases';

const string = { type: 'string' };

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const write = ({ schema, components = {} }: XmlCase, value: unknown) =>
  xmlCodec.writer(shapeOf(schema, components), 'storage')(value).replace(DECLARATION, '');
const read = ({ schema, components = {} }: XmlCase, xml: string) =>
  xmlCodec.reader(shapeOf(schema, components), 'storage')(xml);

describe('names', () => {
  test.each(xmlNameCases)('$title', (given) => {
    expect(write(given, given.value)).toBe(given.xml);
    expect(read(given, given.xml)).toStrictEqual(given.value);
  });
});

describe('X03 an attribute is read from there only', () => {
  const schema = book({ id: { type: 'integer', xml: { attribute: true } }, name: string });
  const given: XmlCase = { title: '', schema, value: undefined, xml: '' };

  test.each([
    ['<book><id>5</id><name>a</name></book>', { name: 'a' }],
    ['<book id="5"><id>6</id></book>', { id: 5 }],
    ['<book name="x" other="y"/>', { other: 'y' }],
  ])('%s', (xml, value) => {
    expect(read(given, xml)).toStrictEqual(value);
  });
});

describe('X13 any prefix counts that is bound to the namespace', () => {
  const schema = book({
    title: { ...string, xml: { namespace: N, prefix: 's' } },
    lang: { ...string, xml: { namespace: N, prefix: 's', attribute: true } },
  });
  const given: XmlCase = { title: '', schema, value: undefined, xml: '' };

  test.each([
    [`<book><x:title xmlns:x="${N}">One</x:title></book>`, { title: 'One' }],
    [`<book><title xmlns="${N}">One</title></book>`, { title: 'One' }],
    [`<book xmlns:x="${N}"><x:title>One</x:title></book>`, { title: 'One' }],
    [`<book xmlns:x="${N}" x:lang="en"/>`, { lang: 'en' }],
    ['<book><s:title xmlns:s="urn:other">One</s:title></book>', { 's:title': 'One' }],
    [`<book xmlns:x="urn:other" x:lang="en"/>`, { 'x:lang': 'en' }],
    ['<book><title>One</title></book>', {}],
  ])('%s', (xml, value) => {
    expect(read(given, xml)).toStrictEqual(value);
  });

  test('a root in another namespace is another root', () => {
    expect(() => read(given, '<book xmlns="urn:other"/>')).toThrow(
      'the root element must be <book>',
    );
  });

  test('a prefixed root in a default namespace of the schema', () => {
    const inNamespace: XmlCase = {
      ...given,
      schema: book({ title: string }, { xml: { name: 'book', namespace: N } }),
    };
    const xml = `<p:book xmlns:p="${N}"><p:title>One</p:title></p:book>`;
    expect(read(inNamespace, xml)).toStrictEqual({ title: 'One' });
  });
});

test.each([
  ['<pets/>', '<pet>'],
  ['<Pet/>', '<pet>'],
])('X16 the root %s is refused where %s is expected', (xml, expected) => {
  const reader = xmlCodec.reader(shapeOf({ type: 'object', xml: { name: 'pet' } }), 'request');
  expect(() => reader(xml)).toThrow(`the root element must be ${expected}`);
});
