/** Foreign texts in Markdown: read by another program, each is what it was, and where it was put. */

import { expect, test } from '@jest/globals';
import markdownIt from 'markdown-it';
import {
  escapeMarkdown,
  markdownCode,
  markdownCodeBlock,
  markdownLine,
  markdownQuote,
} from '../../../../src/base/text/markdown-text';

const tokensOf = (text: string) => markdownIt({ html: true }).parse(text, {});

test.each([
  ['a', 'a'],
  ['', '  '],
  ['`', '`'],
  ['``a`', '``a`'],
  ['^\\d*_[x]$ <b>', '^\\d*_[x]$ <b>'],
  ['a\n\n# b', 'a # b'],
  ['\0\u202e', '\\u{0}\\u{202e}'],
])('code in a line: %j', (text, want) => {
  const [, inline] = tokensOf(`x ${markdownCode(text)}\n`);
  expect(inline?.children?.map(({ type, content }) => [type, content])).toEqual([
    ['text', 'x '],
    ['code_inline', want],
  ]);
});

test.each([
  ['a', 'a'],
  ['', ''],
  ['```\n# b', '```\n# b'],
  ['`````', '`````'],
  ['a\r```\r\nb\x1b', 'a\n```\nb\\u{1b}'],
])('lines of code: %j', (text, want) => {
  const tokens = tokensOf(`${markdownCodeBlock(text, 'sh')}\n\nAfter\n`);
  expect(tokens.map(({ type }) => type)).toEqual([
    'fence',
    'paragraph_open',
    'inline',
    'paragraph_close',
  ]);
  expect([tokens[0]?.info, tokens[0]?.content]).toEqual(['sh', `${want}\n`]);
});

test.each(['a', '```', '<!--', '<script>', '- a\n  - b', '# a\rb', '[a]: b', '~~~\n\n# c'])(
  'a quotation holds %j',
  (text) => {
    const tokens = tokensOf(`${markdownQuote(text)}\n\nAfter\n`);
    const outer = tokens.filter(({ level }) => level === 0).map(({ type }) => type);
    const quote = ['blockquote_open', 'blockquote_close'];
    expect(outer).toEqual([...quote, 'paragraph_open', 'paragraph_close']);
  },
);

test('texts mean themselves, and Markdown in a line stays in it', () => {
  const text = '*a* _b_ [c](d) <e>\n# f | `g` ~h~ \\ {i}';
  const [, inline] = tokensOf(`x ${escapeMarkdown(text)}`);
  expect(inline?.children?.map(({ content }) => content).join('')).toBe(
    `x ${text.replace('\n', ' ')}`,
  );
  expect(markdownLine(' *a*\n\n# b\x07 ')).toBe('*a* # b\\u{7}');
});
