import { expect, test } from '@jest/globals';
import { html, type Part } from '../../../../src/auth/oauth/html';

test.each<[string, Part, string]>([
  ['text', 'a', 'a'],
  [
    'what means something',
    `<a href="x" id='y'>&amp;`,
    '&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;',
  ],
  ['HTML', html`<b>${'<'}</b>`, '<b>&lt;</b>'],
  ['a list', [html`<i>1</i>`, html`<i>2</i>`], '<i>1</i><i>2</i>'],
  ['an empty list', [], ''],
  ['nothing', undefined, ''],
])('%s', (_, part, want) => {
  expect(html`<p title="${part}">`.markup).toBe(`<p title="${want}">`);
});
