/** What pages have around their content: the first lines of the head, and the header that leads through a service. */

import { type Html, html, type Part } from '../../html/html';
import { iconLink } from './icon';

/** The head of every page that people read begins with these; its policy must allow `img-src data:`. */
export const headLines = (title: Part): Html => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${iconLink}`;

/** The pages of a service that carry its header, by their addresses, which are relative to each other. */
type ServicePage = './' | 'reference';

/** The header of a service's page. */
export const serviceHeader = (shown: ServicePage): Html => {
  const linkTo = (page: ServicePage, text: string): Html =>
    html`<a href="${page}"${page === shown && html` aria-current="page"`}>${text}</a>`;
  return html`<header class="site">
<a class="site-home" href="/">Services</a>
<nav aria-label="This service">
${linkTo('./', 'Try it out')}
${linkTo('reference', 'Reference')}
<a href="../openapi.yaml">YAML</a>
<a href="../openapi.json">JSON</a>
</nav>
</header>`;
};
