import { describe, expect, test } from '@jest/globals';
import { html, type Part } from '../../../src/docs/html';

describe('html', () => {
  test.each<[string, Part, string]>([
    [
      'text is escaped',
      `<b title="x">'&'</b>`,
      '&lt;b title=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;',
    ],
    ['a number is text', 1.5, '1.5'],
    ['HTML is not escaped again', html`<b>${'<'}</b>`, '<b>&lt;</b>'],
    ['lists follow each other', ['a', ['<', html`<br>`]], 'a&lt;<br>'],
    ['false is nothing', false, ''],
    ['undefined is nothing', undefined, ''],
  ])('%s', (_, part, want) => {
    expect(html`[${part}]`.html).toBe(`[${want}]`);
  });
});
