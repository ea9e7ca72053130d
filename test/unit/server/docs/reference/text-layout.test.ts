import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import {
  prettyJson,
  prettyXml,
  shellWord,
} from '../../../../../src/server/docs/reference/example-text';

describe('prettyJson', () => {
  test.each<[string, unknown]>([
    ['an object', { a: 1, b: [true, null, 'x"y'], c: {}, d: [] }],
    ['a list', [1, [2, { a: 'é' }]]],
    ['a text', 'a\nb'],
    ['null', null],
  ])('lays %s out as JSON.stringify does', (_, value) => {
    expect(prettyJson(value)).toBe(JSON.stringify(value, null, 2));
  });

  test('keeps every digit, and leaves out what is undefined', () => {
    const value = { id: 9223372036854775807n, none: undefined };
    expect(prettyJson(value)).toBe('{\n  "id": 9223372036854775807\n}');
  });
});

test('prettyXml gives each element its line and depth', () => {
  const text = '<?xml version="1.0"?>\n<a x="1"><b>1 &gt; 0</b><c/><d><e>2</e></d></a>';
  expect(prettyXml(text).split('\n')).toEqual([
    '<?xml version="1.0"?>',
    '<a x="1">',
    '  <b>1 &gt; 0</b>',
    '  <c/>',
    '  <d>',
    '    <e>2</e>',
    '  </d>',
    '</a>',
  ]);
});

describe('a word for the shell', () => {
  test.each(["it's", '$(id) `id` $HOME', 'a\nb\\', '"', "''"])(
    'reaches the program: %j',
    (text) => {
      const printed = execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`]);
      expect(printed.toString()).toBe(text);
    },
  );
});
