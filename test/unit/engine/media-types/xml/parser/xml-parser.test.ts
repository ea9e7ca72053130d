import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../../../src/base/malformed-text';
import type { XmlElement } from '../../../../../../src/engine/media-types/xml/parser/xml-element';
import { parseXml } from '../../../../../../src/engine/media-types/xml/parser/xml-parser';
import { readText, tableOf } from '../../../../../support/text-cases';

const cases = join(__dirname, 'xml-parser.cases.txt');

/** An element as nested lists: name, namespace, attributes, content. */
const outline = ({ local, namespace, attributes, children, text }: XmlElement): unknown => [
  namespace === '' ? local : `{${namespace}}${local}`,
  ...attributes.map(
    (given) => `${given.namespace && `{${given.namespace}}`}${given.local}=${given.value}`,
  ),
  ...children.map(outline),
  ...(text === '' ? [] : [text]),
];

describe('well-formed texts', () => {
  test.each(tableOf(cases, 'well-formed texts'))('%s', (_title, text = '', expected = '') => {
    expect(outline(parseXml(readText(text)))).toStrictEqual(JSON.parse(expected));
  });
});

describe('X32 what is refused', () => {
  test.each(tableOf(cases, 'X32 what is refused'))('%s', (_title, text = '', message = '') => {
    const parse = () => parseXml(readText(text));
    expect(parse).toThrow(MalformedText);
    expect(parse).toThrow(readText(message));
  });

  test.each([
    ['depth', `${'<a>'.repeat(101)}${'</a>'.repeat(101)}`, 'nested too deeply'],
    ['depth far beyond', '<a>'.repeat(500_000), 'nested too deeply'],
    ['elements', `<a>${'<b/>'.repeat(100_000)}</a>`, 'too many elements'],
    [
      'names of elements',
      `<a>${Array.from({ length: 1001 }, (_, index) => `<b${index}/><c/>`).join('')}</a>`,
      'too many names, more than 1000',
    ],
    [
      'attributes',
      `<a ${Array.from({ length: 100_001 }, (_, index) => `b${index}="" `).join('')}/>`,
      'too many names, more than 1000',
    ],
  ])('%s beyond the bounds', (_title, text, message) => {
    expect(() => parseXml(text)).toThrow(message);
  });

  test('the bounds themselves are allowed', () => {
    expect(parseXml(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`).local).toBe('a');
    expect(parseXml(`<a>${'<b/>'.repeat(99_999)}</a>`).children).toHaveLength(99_999);
  });

  test('long names are cut in messages', () => {
    expect(() => parseXml(`<${'a'.repeat(1_000_000)}>`)).toThrow(/^.{1,200}$/);
  });
});
