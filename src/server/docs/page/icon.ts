/** The icon of every page: without one, browsers would ask for /favicon.ico. */

import { type Html, html } from '../../html/html';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6f54"/>' +
  '<path d="M13 8c-4 0-1 7-5 8 4 1 1 8 5 8M19 8c4 0 1 7 5 8-4 1-1 8-5 8" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>';

/** Stands in the head of a page; its policy must allow `img-src data:`. */
export const iconLink: Html = html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg)}">`;
