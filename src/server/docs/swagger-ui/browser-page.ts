/** The page on which Swagger UI lets a reader try the operations out, and the page to which a sign-in comes back. */

import { type Html, html, pageHeaders } from '../../../base/html/html';
import {
  headLines,
  iconLink,
  palette,
  serviceHeader,
  siteStyle,
} from '../../../base/html/page-style';
import type { ApiDocument } from '../../../engine';
import { docsClientId } from '../../../identity/oauth/clients';

/**
 * Makes the script that starts Swagger UI in the browser. It asks this server alone: no validator, no document of elsewhere (`url` in the page's query is not
 * looked at). Cookies go along by themselves, since the page and the service have one origin.
 *
 * @param closed - starts with a closed list of operations, as suits long documents
 * @param scopes - which the sign-in asks for unless they are unticked
 */
export const browserScript = (
  closed: boolean,
  scopes: readonly string[],
): string => String.raw`'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
// Fields of forms that are left empty are not sent, unless that is asked for.
const leaveOutEmpty = ({ React }) => ({
  wrapComponents: {
    ParameterIncludeEmpty: (Original) => (props) => React.createElement(Original, {
      ...props,
      isIncludedOptions: { ...props.isIncludedOptions, defaultValue: false },
    }),
  },
});
// Integers that a Number cannot hold are shown to the last digit; others are left to Swagger UI.
const longInteger = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
const exactly = (text) => {
  const marked = text.replace(longInteger, (token) => token[0] === '"' ? token : '"\\u0000' + token + '"');
  if (marked === text) return undefined;
  try {
    return JSON.stringify(JSON.parse(marked), null, 2).replace(/"\\u0000(-?\d+)"/g, '$1');
  } catch {
    return undefined; // It is no JSON, as Swagger UI will say.
  }
};
const showEveryDigit = ({ React }) => ({
  wrapComponents: {
    responseBody: (Original) => (props) => {
      const isJson = typeof props.content === 'string' && /json/.test(props.contentType);
      const content = isJson ? exactly(props.content) : undefined;
      const shown = content === undefined ? props : { ...props, content, contentType: 'text/plain' };
      return React.createElement(Original, shown);
    },
  },
});
// Accept is what the select of the response shows. Left to itself, Swagger UI takes JSON for chosen where it is there, and sends */*.
const acceptWhatIsShown = ({ React }) => ({
  wrapComponents: {
    response: (Original) => (props) => React.createElement(Original, { ...props, contentType: '' }),
  },
});
// The dialog opens at its top, since no field within it takes the focus, and closes when there are credentials.
const authorizeDialog = ({ React }) => ({
  wrapComponents: {
    Input: (Original) => (props) => React.createElement(Original, { ...props, autoFocus: false }),
  },
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize, { authActions }) => (given) => {
          authorize(given);
          if (Object.values(given).some((auth) => auth.value)) authActions.showDefinitions(false);
        },
        authorizeOauth2: (authorize, { authActions, errSelectors }) => (given) => {
          authorize(given);
          // A warning, such as that the state has changed, stays to be read.
          const warned = errSelectors.allErrors().some((error) => error.get('source') === 'auth');
          if (!warned) authActions.showDefinitions(false);
        },
      },
    },
  },
});
const ui = SwaggerUIBundle({
  url: new URL('openapi.json', location.href).href,
  dom_id: '#swagger-ui',
  layout: 'BaseLayout',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [leaveOutEmpty, showEveryDigit, acceptWhatIsShown, authorizeDialog],
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: ${JSON.stringify(closed ? 'none' : 'list')},
  defaultModelsExpandDepth: ${closed ? 0 : 1},
  filter: ${closed},
  validatorUrl: null,
  queryConfigEnabled: false,
  oauth2RedirectUrl: new URL('oauth2-redirect.html', location.href).href,
});
ui.initOAuth({
  clientId: ${JSON.stringify(docsClientId)},
  scopes: ${JSON.stringify(scopes)},
  usePkceWithAuthorizationCodeGrant: true,
});
`;

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
