/** The page that a browser gets for a failure. */

import { STATUS_CODES } from 'node:http';
import { html } from '../../base/html/html';
import { headLines, plainPageHeaders, styleElement } from '../../base/html/page-style';
import { negotiator } from '../../base/media-type';
import type { ErrorPage } from '../../http/failure';

const choose = negotiator(['application/json', 'application/xml', 'text/html']);

/** Tells whether an Accept header asks for HTML by name, and rather than for the media types of programs. */
export const prefersHtml = (accept: string | undefined): boolean =>
  accept !== undefined && /\btext\/html\b/i.test(accept) && choose(accept) === 'text/html';

/**
 * Makes the pages of a service, or of what lies outside of all.
 *
 * @param title - the heading of the page
 * @param help - the page where the reader can go on
 */
export const errorPage =
  (title: string, help: { readonly address: string; readonly text: string }): ErrorPage =>
  ({ method, headers: { accept } }) => {
    if ((method !== 'GET' && method !== 'HEAD') || !prefersHtml(accept)) return undefined;
    return ({ status, message }) => ({
      headers: { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept', ...plainPageHeaders },
      body: html`<!doctype html>
<html lang="en">
<head>
${headLines(html`${status} ${STATUS_CODES[status]}`)}
${styleElement}
</head>
<body>
<header class="site"><span class="site-home">${title}</span></header>
<main class="alone">
<h1>${status} ${STATUS_CODES[status]}</h1>
<p class="summary">${message}${!/[.!?]$/.test(message) && '.'}</p>
<p><a class="button" href="${help.address}">${help.text}</a></p>
</main>
</body>
</html>
`.html,
    });
  };
