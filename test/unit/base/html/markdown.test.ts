/** Descriptions are CommonMark, and nobody's scripts. */

import { describe, expect, test } from '@jest/globals';
import { markdown } from '../../../../src/base/html/markdown';

const written = (text: string | undefined, level = 2) => markdown(text, level)?.html.trim();

describe('a description', () => {
  test.each<[string, string, string]>([
    ['paragraphs', 'a\n\nb', '<p>a</p>\n<p>b</p>'],
    ['emphasis and code', '*a* `<b>`', '<p><em>a</em> <code>&lt;b&gt;</code></p>'],
    ['a list', '- a', '<ul>\n<li>a</li>\n</ul>'],
    [
      'a link',
      '[a](https://example.com/?a=1&b=2)',
      '<p><a href="https://example.com/?a=1&amp;b=2">a</a></p>',
    ],
    [
      'HTML, which is text',
      '<script>alert(1)</script>',
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    ],
    [
      'HTML in a line',
      'a <img src=x onerror=alert(1)>',
      '<p>a &lt;img src=x onerror=alert(1)&gt;</p>',
    ],
    ['a script as a link', '[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
    [
      'a link that leaves its quotes',
      '[a](https://x/"onclick="alert(1))',
      '<p><a href="https://x/%22onclick=%22alert(1)">a</a></p>',
    ],
    [
      'an image, which is linked',
      '![a "b"](https://x/y.png)',
      '<p><a href="https://x/y.png">a &quot;b&quot;</a></p>',
    ],
    [
      'an image without words',
      '![](https://x/y.png)',
      '<p><a href="https://x/y.png">https://x/y.png</a></p>',
    ],
  ])('%s', (_, text, want) => {
    expect(written(text)).toBe(want);
  });

  test.each([undefined, '', ' \n'])('without words is left out: %j', (text) => {
    expect(written(text)).toBeUndefined();
  });

  test.each<[string, number, string, readonly string[]]>([
    ['the first goes below', 2, '# a', ['h3']],
    ['levels that are left out are closed up', 1, '## a\n\n#### b\n\n## c', ['h2', 'h3', 'h2']],
    ['a higher one after a lower one', 1, '### a\n\n# b', ['h2', 'h2']],
    ['none is deeper than h6', 5, '# a\n\n## b', ['h6', 'h6']],
  ])('headings: %s', (_, level, text, want) => {
    const tags = [...(written(text, level) ?? '').matchAll(/<(h\d)>.*?<\/(h\d)>/g)];
    expect(tags.map(([, open]) => open)).toEqual(want);
    expect(tags.map(([, , close]) => close)).toEqual(want);
  });
});
