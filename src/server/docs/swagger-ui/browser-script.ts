/** The script that starts Swagger UI in the browser. */

import { docsClientId } from '../../../identity/oauth/clients';

/** The settings of Swagger UI for a service. */
export interface BrowserSettings {
  /** Starts with a closed list of operations, as suits long documents. */
  readonly closed: boolean;
  /** Scopes that the sign-in asks for unless they are unticked. */
  readonly scopes: readonly string[];
}

/**
 * The script. It asks this server alone: no validator, no document of elsewhere (`url` in the page's query is not
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
