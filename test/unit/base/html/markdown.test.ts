/** Descriptions are CommonMark, and nobody's scripts. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { markdown } from '../../../../src/base/html/markdown';
import { readText, tableOf } from '../../../support/text-cases';

const cases = join(__dirname, 'markdown.cases.txt');

const written = (text: string | undefined, level = 2) => markdown(text, level)?.html.trim();

describe('a description', () => {
  test.each(tableOf(cases, 'a description'))('%s', (_, text = '', want = '') => {
    expect(written(readText(text))).toBe(readText(want));
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
