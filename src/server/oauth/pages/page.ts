/** Puts a page together, with the headers that keep it from being framed, filled in or kept by others. */

import type { HttpResponse } from '../../../engine';
import { pageHeaders } from '../../html/content-policy';
import { type Html, html, trusted } from '../../html/html';
import { style, styleSource } from './style';
import type { Texts } from './texts';

/** What a page is made of. */
export interface Page {
  readonly texts: Texts;
  readonly title: string;
  /** The name of the service. */
  readonly service: string;
  readonly content: Html;
  /** Whether others could read a password: the connection is not encrypted, and leaves this machine. */
  readonly isExposed: boolean;
  readonly status?: number;
  /** Where the page's form may lead to beside the page itself. */
  readonly redirectUri?: string;
  readonly headers?: HttpResponse['headers'];
}

/**
 * Browsers hold redirects after a form to `form-action`, too (CSP Level 3 section 6.4.1), so the client's origin stands there. An
 * IPv6 address has no place in that grammar: its scheme stands for it.
 */
const formSource = (redirectUri: string | undefined): string => {
  if (redirectUri === undefined) return "'none'";
  const { protocol, host, hostname } = new URL(redirectUri);
  return `'self' ${hostname.startsWith('[') ? protocol : `${protocol}//${host}`}`;
};

const documentOf = ({
  texts,
  title,
  service,
  content,
  isExposed,
}: Page): Html => html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – ${service}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
<p class="service">${service}</p>
${isExposed ? html`<p class="warning" role="note">${texts.unencrypted}</p>` : undefined}
${content}
</main>
</body>
</html>
`;

/** Makes the response. */
export const pageResponse = (page: Page): HttpResponse => ({
  status: page.status ?? 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': page.texts.language,
    'Cache-Control': 'no-store',
    ...pageHeaders([`style-src ${styleSource}`], formSource(page.redirectUri)),
    'X-Frame-Options': 'DENY',
    ...page.headers,
  },
  body: documentOf(page).html,
});
