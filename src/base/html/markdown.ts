/** CommonMark to HTML (OAS 3.0.3, Rich Text Formatting): no HTML of the author's comes through, and nothing is fetched. */

import { lazy } from '../memoize';
import { escapeHtml, type Html, trusted } from './html';

/** Made for the first text: programs that write no page would load the package for nothing. */
const markdownRenderer = lazy(() => {
  const markdownIt = require('markdown-it') as typeof import('markdown-it');
  const made = markdownIt({ html: false });
  // Pages of ours load no image from elsewhere: what would be one is a link to it.
  made.renderer.rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const address = String(token?.attrGet('src') ?? '');
    return `<a href="${escapeHtml(address)}">${escapeHtml(token?.content || address)}</a>`;
  };
  return made;
});

/** A description below a heading of the level. */
export const markdown = (text: string | undefined, level: number): Html | undefined => {
  if (text === undefined || text.trim() === '') return undefined;
  const renderer = markdownRenderer();
  const tokens = renderer.parse(text, {});
  // Headings go below the one that they stand under, without leaving out a level (WCAG 2.2, 1.3.1).
  let open: readonly number[] = [];
  let tag = '';
  for (const token of tokens) {
    if (token.type === 'heading_open') {
      const given = Number(token.tag.slice(1));
      open = [...open.filter((above) => above < given), given];
      tag = `h${Math.min(6, level + open.length)}`;
    }
    if (token.type.startsWith('heading_')) token.tag = tag;
  }
  return trusted(renderer.renderer.render(tokens, renderer.options, {}));
};
