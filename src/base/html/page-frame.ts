/** The lines around the content of pages: the first lines of the head, and the header of a service's documentation. */

import { type Html, html, type Part } from './html';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6f54"/>' +
  '<path d="M13 8c-4 0-1 7-5 8 4 1 1 8 5 8M19 8c4 0 1 7 5 8-4 1-1 8-5 8" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>';

/** Stands in the head of a page; its policy must allow `img-src data:`. */
export const iconLink: Html = html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg)}">`;

/** Writes the first lines in the head of every page; its policy must allow `img-src data:`. */
export const headLines = (title: Part): Html => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${iconLink}`;

/** The header of a service's documentation; its addresses are relative to the page. */
export const serviceHeader: Html = html`<header class="site">
<a class="site-home" href="/">Services</a>
<nav aria-label="This service">
<a href="./" aria-current="page">Try it out</a>
<a href="../openapi.yaml">YAML</a>
<a href="../openapi.json">JSON</a>
</nav>
</header>`;
