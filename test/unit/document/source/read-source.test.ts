/** The contents of files: YAML and JSON within bounds; everything else is one fault with its place. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readSource, requireOpenApi } from '../../../../src/document/source/read-source';
import { decodeText, loadLimits } from '../../../../src/document/source/source-text';
import {
  casesOf,
  fullText,
  readText,
  readValue,
  rowsOf,
  tableOf,
} from '../../../support/text-cases';

const cases = join(__dirname, 'read-source.cases.txt');

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  Buffer.from(text, encoding);

/** Encoders of texts; a text that names none is read as such. */
const encoded: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'UTF-8': (text) => bytes(text),
  'little-endian': (text) => bytes(text, 'utf16le'),
  'big-endian': (text) => Buffer.from(text, 'utf16le').swap16(),
};

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
  test.each(tableOf(cases, 'texts that are read'))(
    'D15 %s',
    (_title, content = '', shown = '', encoding = '') => {
      const [text, value] = [fullText(content), readValue(fullText(shown))];
      const found = read(encoded[encoding]?.(text) ?? text);
      expect(found).toEqual(value);
      expect(Object.keys(Object(found))).toEqual(
        expect.arrayContaining(Object.keys(Object(value))),
      );
    },
  );
});

describe('D15 a long map whose last key follows', () => {
  const text = 'word '.repeat(400).trim();
  const inMaps = (lines: string[], depth: number): string[] =>
    depth === 0 ? lines : ['in:', ...inMaps(lines, depth - 1).map((line) => `  ${line}`)];
  const valueIn = (value: object, depth: number): object =>
    depth === 0 ? value : { in: valueIn(value, depth - 1) };

  test.each(tableOf(cases, 'before the last key of a long map'))(
    'D15 %s',
    (_title, start = '', shown = '') => {
      const lines = fullText(start).split('\n');
      const value: object = Object(readValue(shown));
      for (const depth of [0, 1, 2, 3, 4, 5]) {
        const ends = ['last: {a: 1}', 'last:', 'last:\n  a:'].map((end) => end.split('\n'));
        for (const [index, end] of ends.entries()) {
          const file = inMaps([`description: ${text}`, ...lines, ...end], depth).join('\n');
          const last = [{ a: 1 }, null, { a: null }][index];
          expect(read(file)).toEqual(valueIn({ description: text, ...value, last }, depth));
        }
      }
    },
  );
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
