/** The script that starts Swagger UI in the browser. */

/** What Swagger UI is told of a service. */
export interface BrowserSettings {
  /** Whether the list of operations starts closed, as suits long documents. */
  readonly closed: boolean;
  /** Scopes that the sign-in asks for unless they are unticked. */
  readonly scopes: readonly string[];
}

/** The OAuth client that the page is (RFC 6749 section 2.2); its redirect is `oauth2-redirect.html` beside the page. */
export const docsClientId = 'docs';

/**
 * The script. It asks nobody but this server: no validator, no document of elsewhere (`url` in the page's query is not
 * looked at). Cookies go along by themselves, since the page and the service have one origin.
 */
export const browserScript = ({
  closed,
  scopes,
}: BrowserSettings): string => String.raw`'use strict';
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
const ui = SwaggerUIBundle({
  url: new URL('openapi.json', location.href).href,
  dom_id: '#swagger-ui',
  layout: 'BaseLayout',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [leaveOutEmpty, showEveryDigit],
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
