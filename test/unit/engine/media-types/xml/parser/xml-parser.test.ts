import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../../../src/base/malformed-text';
import type { XmlElement } from '../../../../../../src/engine/media-types/xml/parser/xml-element';
import { parseXml } from '../../../../../../src/engine/media-types/xml/parser/xml-parser';

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
  test.each([
    ['an empty element', '<a/>', ['a']],
    ['text', '<a>x</a >', ['a', 'x']],
    ['a declaration', '<?xml version="1.0" encoding="utf-8" standalone=\'yes\' ?><a/>', ['a']],
    ['version 1.1', "<?xml version='1.1'?>\n<a/>", ['a']],
    ['a byte-order mark', '\uFEFF<?xml version="1.0"?><a/>', ['a']],
    [
      'comments and instructions',
      '<!-- a - b --><?go now?><a><!--x-->1<?y?>2</a><!----> <?z ?>',
      ['a', '12'],
    ],
    ['CDATA', '<a>x<![CDATA[<b>&amp;]]]]><![CDATA[>]]></a>', ['a', 'x<b>&amp;]]>']],
    [
      'references',
      '<a b="&lt;&#10;&quot;">&#x41;&#66;&amp;&gt;&apos;&#x1F600;</a>',
      ['a', 'b=<\n"', "AB&>'😀"],
    ],
    ['line ends', '<a b="x\r\ny\tz">1\r2\r\n3&#13;</a>', ['a', 'b=x y z', '1\n2\n3\r']],
    ['attributes', '<a b = "1"\n c=\'"\' />', ['a', 'b=1', 'c="']],
    ['children in order', '<a>x<b/>y<c><d/></c>z</a>', ['a', ['b'], ['c', ['d']], 'xyz']],
    ['names of all kinds', '<é-1._><日本/><𐀀/></é-1._>', ['é-1._', ['日本'], ['𐀀']]],
    [
      'a default namespace',
      '<a xmlns="urn:x"><b c="1"/><d xmlns=""/><e/></a>',
      ['{urn:x}a', ['{urn:x}b', 'c=1'], ['d'], ['{urn:x}e']],
    ],
    [
      'prefixes',
      '<p:a xmlns:p="urn:x" p:b="1"><p:c xmlns:p="urn:y"/><p:d/></p:a>',
      ['{urn:x}a', '{urn:x}b=1', ['{urn:y}c'], ['{urn:x}d']],
    ],
    [
      'a prefix used before its declaration',
      '<p:a p:b="1" xmlns:p="urn:x"/>',
      ['{urn:x}a', '{urn:x}b=1'],
    ],
    ['xml:lang', '<a xml:lang="en"/>', ['a', '{http://www.w3.org/XML/1998/namespace}lang=en']],
    [
      'prototype names',
      '<__proto__ constructor="1"><toString/></__proto__>',
      ['__proto__', 'constructor=1', ['toString']],
    ],
  ])('%s', (_title, text, expected) => {
    expect(outline(parseXml(text))).toStrictEqual(expected);
  });
});

describe('X32 what is refused', () => {
  test.each([
    ['a document type', '<!DOCTYPE a><a/>', 'line 1, column 1: no document type is allowed'],
    ['an entity definition', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'no document type'],
    ['a document type after the root', '<a/><!DOCTYPE a>', 'no document type'],
    ['a document type inside', '<a><!DOCTYPE a></a>', '"<![CDATA[" expected'],
    ['unknown entities', '<a>\n &nbsp;</a>', 'line 2, column 2: a reference to no known entity'],
    ['a bare ampersand', '<a b="x&y"/>', 'column 8: a reference to no known entity'],
    ['references to forbidden characters', '<a>&#0;</a>', 'a reference to no known entity'],
    ['references to surrogates', '<a>&#xD800;</a>', 'a reference to no known entity'],
    ['references beyond Unicode', '<a>&#x110000;</a>', 'a reference to no known entity'],
    ['two roots', '<a/><b/>', 'column 5: only one root element is allowed'],
    ['text after the root', '<a/>x', 'only one root element is allowed'],
    ['text before the root', 'x<a/>', '"<" expected'],
    ['no root', '<!-- -->', 'a root element expected'],
    ['nothing', '', 'a root element expected'],
    ['forbidden characters', '<a>\u0001</a>', 'column 4: a character that XML forbids'],
    ['U+0000', '<a>\0</a>', 'a character that XML forbids'],
    ['half a surrogate pair', '<a>\ud800</a>', 'a character that XML forbids'],
    ['repeated attributes', '<a b="1" b="2"/>', 'column 10: an attribute is given twice'],
    [
      'attributes repeated by namespace',
      '<a xmlns:p="u:x" xmlns:q="u:x" p:b="1" q:b="2"/>',
      'given twice',
    ],
    ['repeated declarations', '<a xmlns:p="u:x" xmlns:p="u:y"/>', 'given twice'],
    ['bad names', '<1a/>', 'a name expected'],
    ['names with two colons', '<a xmlns:b="u:x"><b:c:d/></a>', '">" expected'],
    ['names that begin with a colon', '<:a/>', 'a name expected'],
    ['"]]>" in text', '<a>x]]></a>', 'column 5: "]]>" is not allowed in text'],
    ['"<" in attribute values', '<a b="<"/>', 'column 7: "<" is not allowed'],
    ['"--" in comments', '<a><!-- a -- b --></a>', '"--" is not allowed in comments'],
    ['a comment that ends in "--->"', '<a><!-- a ---></a>', '"--" is not allowed in comments'],
    ['a declaration not at the start', ' <?xml version="1.0"?><a/>', 'very start or nowhere'],
    ['a declaration inside', '<a><?XML x?></a>', 'very start or nowhere'],
    ['other versions', '<?xml version="2.0"?><a/>', 'its version is not 1.x'],
    ['a declaration without a version', '<?xml encoding="utf-8"?><a/>', 'its version is not 1.x'],
    ['attributes without quotes', '<a b=1/>', '"\\"" expected'.replace('\\', '')],
    ['attributes without blanks between', '<a b="1"c="2"/>', '">" expected'],
    ['attributes without a value', '<a b/>', '"=" expected'],
    ['other end tags', '<a><b></a>', 'column 7: the end tag of <b> expected'],
    ['missing end tags', '<a><b/>', '<a> without an end'],
    ['unfinished start tags', '<a b="1"', '">" expected'],
    ['unfinished attributes', '<a b="1', 'an attribute value without an end'],
    ['unfinished comments', '<a/><!-- ', 'a comment without an end'],
    ['unfinished CDATA', '<a><![CDATA[x</a>', 'a CDATA section without an end'],
    ['unfinished instructions', '<a/><?x', '"?>" expected'],
    ['CDATA outside the root', '<![CDATA[x]]><a/>', 'no document type is allowed'],
    ['undeclared prefixes', '<p:a/>', 'a prefix that is not declared'],
    ['undeclared prefixes of attributes', '<a p:b="1"/>', 'a prefix that is not declared'],
    ['prefixes after their element', '<a><p:b xmlns:p="u:x"/><p:c/></a>', 'not declared'],
    ['empty namespaces for prefixes', '<a xmlns:p=""/>', 'not allowed'],
    ['the prefix xmlns', '<a xmlns:xmlns="u:x"/>', 'not allowed'],
    ['other meanings of the prefix xml', '<a xmlns:xml="u:x"/>', 'not allowed'],
  ])('%s', (_title, text, message) => {
    expect(() => parseXml(text)).toThrow(MalformedText);
    expect(() => parseXml(text)).toThrow(message);
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
