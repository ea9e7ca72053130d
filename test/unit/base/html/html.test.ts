import { describe, expect, test } from '@jest/globals';
import { type HtmlPart, html, trusted } from '../../../../src/base/html/html';

describe('html', () => {
  test.each<[string, HtmlPart, string]>([
    ['text is itself', 'a', 'a'],
    [
      'text is escaped',
      `<b title="x">'&'</b>`,
      '&lt;b title=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;',
    ],
    ['what is escaped is text, too', '&amp;', '&amp;amp;'],
    ['a number is text', 1.5, '1.5'],
    ['HTML is not escaped again', html`<b>${'<'}</b>`, '<b>&lt;</b>'],
    ['HTML of others is not escaped', trusted('<i>&'), '<i>&'],
    ['lists follow each other', ['a', ['<', html`<br>`]], 'a&lt;<br>'],
    ['an empty list is nothing', [], ''],
    ['false is nothing', false, ''],
    ['undefined is nothing', undefined, ''],
  ])('%s', (_, part, want) => {
    expect(html`[${part}]`.html).toBe(`[${want}]`);
    expect(html`<p title="${part}">`.html).toBe(`<p title="${want}">`);
  });
});
