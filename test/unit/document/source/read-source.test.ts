/** The contents of files: YAML and JSON within bounds; everything else is one fault with its place. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readSource, requireOpenApi } from '../../../../src/document/source/read-source';
import { decodeText, loadLimits } from '../../../../src/document/source/source-text';
import { casesOf, readText, rowsOf } from '../../../support/text-cases';

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  Buffer.from(text, encoding);

const bigEndian = (text: string): Uint8Array => Buffer.from(text, 'utf16le').swap16();

const read = (content: Uint8Array | string): unknown => {
  const text = typeof content === 'string' ? content : decodeText('f', content);
  return readSource('f', text).value;
};

const faultOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return `${error.name}: ${error.message}`;
  }
  return 'none';
};

describe('D15 texts that are read', () => {
  test.each<[title: string, content: Uint8Array | string, value: unknown]>([
    ['JSON', '{"a": [1, 2.5, "x", null, true]}', { a: [1, 2.5, 'x', null, true] }],
    ['integers beyond 2^53, in JSON', '{"a": 9223372036854775807}', { a: 2n ** 63n - 1n }],
    ['integers beyond 2^53, in YAML', 'a: 9223372036854775807', { a: 2n ** 63n - 1n }],
    ['a byte order mark', '\uFEFFa: 1', { a: 1 }],
    ['a byte order mark before JSON', bytes('\uFEFF{"a": 1}'), { a: 1 }],
    ['UTF-16, little-endian', bytes('a: é', 'utf16le'), { a: 'é' }],
    ['UTF-16 with a mark', bytes('\uFEFFa: é', 'utf16le'), { a: 'é' }],
    ['UTF-16, big-endian', bigEndian('a: é'), { a: 'é' }],
    ['UTF-16, big-endian, with a mark', bigEndian('\uFEFFa: é'), { a: 'é' }],
    [
      'keys that are numbers and words',
      '200: a\ntrue: b\n~: c\n1.0: d',
      { 200: 'a', true: 'b', '~': 'c', '1.0': 'd' },
    ],
    ['flow maps that are not quite JSON', '{a: 1, b: [x]}', { a: 1, b: ['x'] }],
    ['aliases', 'a: &x {k: 1}\nb: *x', { a: { k: 1 }, b: { k: 1 } }],
    ['an anchor that is set again', 'a: &x 1\nb: *x\nc: &x 2\nd: *x', { a: 1, b: 1, c: 2, d: 2 }],
    [
      'merge keys',
      'a: &a {x: 1, y: 2}\nb:\n  y: 3\n  <<: *a',
      { a: { x: 1, y: 2 }, b: { y: 3, x: 1 } },
    ],
    [
      'merge keys with lists: the first wins',
      'a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b], z: 3}',
      { a: { x: 1 }, b: { x: 2, y: 2 }, c: { z: 3, x: 1, y: 2 } },
    ],
    ['a merge key in quotes is a key', '"<<": {a: 1}', { '<<': { a: 1 } }],
    [
      'names of prototypes',
      '__proto__: 1\nconstructor: 2',
      JSON.parse('{"__proto__": 1, "constructor": 2}'),
    ],
    [
      'names of prototypes, in JSON',
      '{"__proto__": {"a": 1}}',
      JSON.parse('{"__proto__": {"a": 1}}'),
    ],
    ['many brackets in a text', `a: '${'['.repeat(100_000)}'`, { a: '['.repeat(100_000) }],
  ])('D15 %s', (_title, content, value) => {
    const found = read(content);
    expect(found).toEqual(value);
    expect(Object.keys(Object(found))).toEqual(expect.arrayContaining(Object.keys(Object(value))));
  });
});

/** A value behind which a long map goes on, and its lines. */
const beforeTheLast: [title: string, lines: string[], value: object][] = [
  ['an empty value', ['tags:'], { tags: null }],
  ['an empty value with a comment', ['tags: # none', '# more'], { tags: null }],
  ['an empty item', ['tags:', '- a', '-'], { tags: ['a', null] }],
  [
    'an empty value of a map in a list',
    ['tags:', '- a:', '  b:'],
    { tags: [{ a: null, b: null }] },
  ],
  ['an empty value of a flow map', ['x: {a: , b}'], { x: { a: null, b: null } }],
  [
    'a flow map of several lines',
    ['x: {a: 1,', '  b: [', '   c ]', ' }'],
    { x: { a: 1, b: ['c'] } },
  ],
  ['a tag', ['x: !!str'], { x: '' }],
  ['an anchor and its alias', ['x: &x', 'y: *x'], { x: null, y: null }],
  ['an anchor of a map', ['x: &x', '  y:', 'z: *x'], { x: { y: null }, z: { y: null } }],
  ['a merge key', ['x: &x {y: }', 'z:', '  <<: *x'], { x: { y: null }, z: { y: null } }],
  [
    'a key of its own line',
    ['? a', '? b', ':', '? |', '  c', ': d'],
    { a: null, b: null, 'c\n': 'd' },
  ],
  ['a block scalar', ['x: |+', '  a', '', 'y: >-', '  b', '  c'], { x: 'a\n\n', y: 'b c' }],
  ['a text of several lines', ['x: a', ' b', 'y: "c', '  d"'], { x: 'a b', y: 'c d' }],
  ['a long comment', ['x:', `# ${'c'.repeat(2000)}`], { x: null }],
];

describe('D15 a long map whose last key follows', () => {
  const text = 'word '.repeat(400).trim();
  const inMaps = (lines: string[], depth: number): string[] =>
    depth === 0 ? lines : ['in:', ...inMaps(lines, depth - 1).map((line) => `  ${line}`)];
  const valueIn = (value: object, depth: number): object =>
    depth === 0 ? value : { in: valueIn(value, depth - 1) };

  test.each(beforeTheLast)('D15 %s', (_title, lines, value) => {
    for (const depth of [0, 1, 2, 3, 4, 5]) {
      const ends = ['last: {a: 1}', 'last:', 'last:\n  a:'].map((end) => end.split('\n'));
      for (const [index, end] of ends.entries()) {
        const file = inMaps([`description: ${text}`, ...lines, ...end], depth).join('\n');
        const last = [{ a: 1 }, null, { a: null }][index];
        expect(read(file)).toEqual(valueIn({ description: text, ...value, last }, depth));
      }
    }
  });
});

const laughs = [
  'a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]',
  ...[...'bcdefghi'].map((key, index) => {
    return `${key}: &${key} [${`*${'abcdefgh'[index]}, `.repeat(9)}]`;
  }),
].join('\n');

describe.each(casesOf(join(__dirname, 'faults.cases.txt')))('%s', (_group, lines) => {
  test.each(rowsOf(lines))('%s', (_title, content = '', fault = '') => {
    const read = () => requireOpenApi('f', readSource('f', JSON.parse(content)));
    expect(faultOf(read)).toBe(`UnreadableDocument: f:${fault}`);
  });
});

describe('D15 texts that are refused', () => {
  const tooDeep = 'The file is nested deeper than 200 levels. Make it flatter.';
  const notUtf8 = 'The file is not valid UTF-8 from here on. Save it as UTF-8 text.';
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1');
  test.each<[title: string, content: Uint8Array | string, fault: string]>([
    [
      'aliases that multiply',
      laughs,
      '6:12 Aliases repeat too much of the file. Write fewer of them.',
    ],
    ['100,000 brackets', `a: ${'['.repeat(100_000)}`, `1:203 ${tooDeep}`],
    ['100,000 braces, in JSON', '{"a":'.repeat(100_000), `1:997 ${tooDeep}`],
    ['100,000 lists', '- '.repeat(100_000), `1:400 ${tooDeep}`],
    ['100,000 questions', '? '.repeat(100_000), `1:400 ${tooDeep}`],
    ['binary data', png, `1:1 ${notUtf8}`],
    ['ill-formed UTF-8', Buffer.from('a:\n b: \xff', 'latin1'), `2:5 ${notUtf8}`],
    [
      'half a character of UTF-16',
      bytes('ab', 'utf16le').subarray(0, 3),
      `1:2 ${notUtf8.replace('UTF-8', 'UTF-16')}`,
    ],
  ])('D15 %s', (_title, content, fault) => {
    const report = fault.replace(' ', ' error: ');
    expect(faultOf(() => read(content))).toBe(`UnreadableDocument: f:${report} (/)`);
  });

  test.each<[title: string, text: string]>([
    ['tokens', `[${'1,'.repeat(50)}]`],
    ['JSON values', `[${Array(60).fill(1).join()}]`],
  ])('D15 more %s than the limit', (_title, text) => {
    const limits = { ...loadLimits, tokens: 50 };
    expect(faultOf(() => readSource('f', text, limits))).toMatch(
      /^UnreadableDocument: f:1:\d+ error: The file has too many values\. Split it into several files\. \(\/\)$/,
    );
  });

  test('D15 a huge anchor and its aliases are read', () => {
    const name = 'n'.repeat(1_000_000);
    expect(read(`a: &${name} 1\nb: *${name}`)).toEqual({ a: 1, b: 1 });
  });

  test('D15 many keys and aliases take time in proportion', () => {
    const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}: *a`);
    expect(Object.keys(Object(read(`a: &a 1\n${keys.join('\n')}`)))).toHaveLength(30_001);
  });
});

describe('places', () => {
  const yaml = `a: 1
b:
  - c: &x {d: 5}
  - *x
"e/f":
  <<: *x
  g:
200: [a, b]
`;
  const json =
    '{\n  "a": 1,\n  "b\\"{": [\n    {"c": [ 10 , "]" , {} ]}\n  ],\n  "e/f": {"g": null}\n}';
  const escapes = ' { "a\\u0062" :[ "\\\\" ,-1e2,\ttrue] }';
  const texts: Readonly<Record<string, string>> = { yaml, json, escapes };

  describe.each(casesOf(join(__dirname, 'places.cases.txt')))('in %s', (name, lines) => {
    test.each(rowsOf(lines))('%s, its %s', (pointer = '', part = '', place = '') => {
      const source = readSource('f', texts[name] ?? '');
      const { line, column } = source.locate(readText(pointer), part === 'key');
      expect(`${line}:${column}`).toBe(place);
    });
  });
});
