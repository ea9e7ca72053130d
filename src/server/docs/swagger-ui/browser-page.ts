/** The page on which Swagger UI lets a reader try the operations out, and the page to which a sign-in comes back. */

import type { ApiDocument } from '../../../engine';
import { pageHeaders } from '../../html/content-policy';
import { type Html, html } from '../../html/html';
import { iconLink } from '../page/icon';
import { headLines, serviceHeader } from '../page/page-frame';

/** Files that a page asks for, by name, with the version of their content. */
export type Versions = Readonly<Record<string, string>>;

const address = (name: string, versions: Versions): string => `${name}?v=${versions[name] ?? ''}`;

/**
 * Swagger UI styles some elements by `style` properties, which no policy counts as inline styles, and draws its icons from
 * `data:` addresses in its stylesheet.
 */
export const browserPageHeaders = pageHeaders([
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
]);

/** The page; all addresses are relative, so that it works wherever the service is mounted. */
export const browserPage = (
  { definition }: Pick<ApiDocument, 'definition'>,
  versions: Versions,
): Html => {
  const { title, version } = definition.info;
  return html`<!doctype html>
<html lang="en">
<head>
${headLines(html`${title} ${version}: try it out`)}
<link rel="stylesheet" href="${address('swagger-ui.css', versions)}">
<link rel="stylesheet" href="${address('browser.css', versions)}">
</head>
<body>
${serviceHeader('./')}
<div id="swagger-ui"></div>
<noscript><p class="site-note">“Try it out” needs JavaScript. The <a href="reference">reference page</a> works without it.</p></noscript>
<script src="${address('swagger-ui-bundle.js', versions)}"></script>
<script src="${address('browser.js', versions)}"></script>
</body>
</html>
`;
};

/** Passes the response of an authorization server to the page that requested it (RFC 6749 section 4.2.2). */
export const redirectPage = (versions: Versions): Html => html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Signing in</title>
${iconLink}
<script src="${address('oauth2-redirect.js', versions)}"></script>
</html>
`;

/** The page that a sign-in comes back to needs its script alone. */
export const redirectPageHeaders = pageHeaders(["script-src 'self'", 'img-src data:']);
