/** The page on which Swagger UI lets a reader try the operations out, and the page to which a sign-in comes back. */

import { type Html, html, pageHeaders } from '../../../base/html/html';
import { headLines, iconLink, serviceHeader } from '../../../base/html/page-frame';
import { palette, siteStyle } from '../../../base/html/page-style';
import type { ApiDocument } from '../../../engine';

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
  { info: { title, version } }: Pick<ApiDocument, 'info'>,
  versions: Versions,
): Html => html`<!doctype html>
<html lang="en">
<head>
${headLines(html`${title} ${version}: try it out`)}
<link rel="stylesheet" href="${address('swagger-ui.css', versions)}">
<link rel="stylesheet" href="${address('browser.css', versions)}">
</head>
<body>
${serviceHeader}
<div id="swagger-ui"></div>
<noscript><p class="site-note">This page needs JavaScript. The document is readable without it: <a href="../openapi.yaml">YAML</a>.</p></noscript>
<script src="${address('swagger-ui-bundle.js', versions)}"></script>
<script src="${address('browser.js', versions)}"></script>
</body>
</html>
`;

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

/** The stylesheet. */
export const browserStyle = `${palette}
html { background: var(--paper); }
body { margin: 0; background: var(--paper); color: var(--ink); }
${siteStyle}.site { padding-inline: max(1rem, calc((100vw - 1460px) / 2 + 20px)); }
.site-note { margin: 2rem; font: 1rem/1.5 system-ui, sans-serif; }
.swagger-ui .info { margin: 2rem 0; }
/* The document that the page reads is not the one to hand on: that one is linked above. */
.swagger-ui .info .link { display: none; }
.swagger-ui .scheme-container { box-shadow: none; border: solid var(--line); border-width: 1px 0; padding: 1rem 0; }
/* There is one server: this one. */
.swagger-ui .servers-title, .swagger-ui .servers { display: none; }
.swagger-ui :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
/* Swagger UI's own light colours have too little contrast (WCAG 2.2, 1.4.3), and its links lie too close (2.5.8). */
.swagger-ui .opblock .opblock-summary-path a { display: inline-block; min-height: 24px; padding: 2px 0; }
html:not(.dark-mode) .swagger-ui .info .title small { background: #4a5560; }
html:not(.dark-mode) .swagger-ui .info .title small.version-stamp { background: #2f6b00; }
html:not(.dark-mode) .swagger-ui .btn.authorize { color: #14603f; border-color: #14603f; }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #14603f; }
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method { background: #1a5fb0; }
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method { background: #14714a; }
html:not(.dark-mode) .swagger-ui .opblock-put .opblock-summary-method { background: #98560a; }
html:not(.dark-mode) .swagger-ui .opblock-patch .opblock-summary-method { background: #0e6f6a; }
html:not(.dark-mode) .swagger-ui .opblock-delete .opblock-summary-method { background: #b3261e; }
/* What an authorization server refused is shown as one long line of JSON. */
.swagger-ui .errors-wrapper *, .swagger-ui .auth-container .errors * { white-space: pre-wrap; overflow-wrap: anywhere; }
html.dark-mode .swagger-ui .scheme-container { background: var(--paper); }
@media (max-width: 40rem) {
  .swagger-ui .wrapper { padding: 0 .75rem; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; padding: .25rem 0 0; }
}
`;
