/** Which credentials there are, and which of them an operation asks for. */

import type { OpenAPIV3 } from 'openapi-types';
import type { Operation, SecurityRequirement } from '../../../engine';
import { type Html, html, type Part } from '../../html/html';
import { markdown } from '../page/markdown';
import { type Reference, schemeAnchor } from './reference';
import { entry } from './schema-view';

const loginWords = ({ loggedInUser }: Operation): Html | undefined => {
  if (loggedInUser === undefined) return undefined;
  const { required, parameter } = loggedInUser;
  if (!required) return html`Login optional.`;
  return parameter === undefined
    ? html`A login is needed.`
    : html`The login of the user that <code>${parameter}</code> names is needed.`;
};

const schemeWord = (name: string, { document }: Reference): Part =>
  Object.hasOwn(document.definition.components?.securitySchemes ?? {}, name)
    ? html`<a href="#${schemeAnchor(name)}">${name}</a>`
    : name;

const requirementWords = (requirement: SecurityRequirement, reference: Reference): Html => {
  const schemes = Object.entries(requirement).map(([name, scopes], index) => {
    const words = scopes.map((scope, at) => html`${at > 0 && ', '}<code>${scope}</code>`);
    return [
      index > 0 && ' and ',
      schemeWord(name, reference),
      words.length > 0 && [' with ', words],
    ];
  });
  return schemes.length === 0 ? html`nothing` : html`${schemes}`;
};

/** What an operation asks for. */
export const credentialsLine = (operation: Operation, reference: Reference): Html => {
  const requirements = operation.security.map((requirement, index) => [
    index > 0 && ', or ',
    requirementWords(requirement, reference),
  ]);
  const login = loginWords(operation);
  const asked = requirements.length > 0 && html`Requires ${requirements}. `;
  return html`<p class="asks">${asked}${login}${!asked && !login && 'Public.'}</p>`;
};

const flowEntries = (scheme: OpenAPIV3.OAuth2SecurityScheme): readonly Part[] =>
  Object.entries(scheme.flows).flatMap(([name, flow]) => {
    if (name.startsWith('x-') || typeof flow !== 'object') return [];
    const facts: Readonly<Record<string, unknown>> = { ...flow };
    const addresses = ['authorizationUrl', 'tokenUrl', 'refreshUrl'].flatMap((key) =>
      typeof facts[key] === 'string' ? [html`<p>${key}: <code>${facts[key]}</code></p>`] : [],
    );
    const scopes = Object.entries(flow.scopes ?? {}).map(([scope, description]) =>
      entry(html`<code>${scope}</code>`, [], [description]),
    );
    return [html`<p>Flow: ${name}</p>${addresses}<dl class="entries">${scopes}</dl>`];
  });

const schemeWords = (scheme: OpenAPIV3.SecuritySchemeObject): Part => {
  switch (scheme.type) {
    case 'apiKey':
      return html`<p>An API key in the ${scheme.in} <code>${scheme.name}</code>.</p>`;
    case 'http':
      return html`<p>HTTP authentication: <code>${scheme.scheme}</code>.</p>`;
    case 'openIdConnect':
      return html`<p>OpenID Connect: <code>${scheme.openIdConnectUrl}</code></p>`;
    default:
      return html`<p>OAuth 2.0; the token is sent as <code>Authorization: Bearer TOKEN</code>.</p>${flowEntries(scheme)}`;
  }
};

/** The section that explains the schemes. */
export const credentialsSection = ({ document }: Reference): Part => {
  const schemes = Object.entries(document.definition.components?.securitySchemes ?? {});
  if (schemes.length === 0) return undefined;
  const sections = schemes.map(([name, target]) => {
    const scheme = document.references.find<OpenAPIV3.SecuritySchemeObject>(target);
    return html`<section class="item" id="${schemeAnchor(name)}"><h3>${name}</h3>
${markdown(scheme?.description, 3)}${scheme && schemeWords(scheme)}</section>`;
  });
  return html`<section id="credentials"><h2>Credentials</h2>${sections}</section>`;
};
