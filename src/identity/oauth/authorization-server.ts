/** The authorization server of one service: its scopes, its endpoints and its metadata. */

import { pointerTo } from '../../base/json-pointer';
import type { UnplacedDiagnostic } from '../../document/diagnostics/diagnostic';
import { type ApiDocument, routeTable, type SecurityHandlers } from '../../engine';
import type { HttpResponse } from '../../http/send';
import {
  apiKeysIn,
  type OAuth2Scheme,
  type OAuthFlow,
  type SecurityScheme,
} from '../../model/document';
import type { Database } from '../../storage/database/database';
import { knexClients } from '../../storage/identity/clients';
import { knexOAuthCodes } from '../../storage/identity/oauth-codes';
import { knexTokens } from '../../storage/identity/tokens';
import type { CheckPassword } from '../password-check';
import type { Clock } from '../token';
import { authorizationEndpoint } from './authorization-endpoint';
import { browserSessions } from './browser-sessions';
import { clientDocuments } from './client-documents';
import { clientFinder, docsClient } from './clients';
import { grants, type OAuthParts } from './grants';
import { authorizePages, contextOf, type PageRequest } from './pages';
import { pageLanguages } from './texts';
import { tokenEndpoints } from './token-endpoints';

/** The paths of the endpoints below the service. */
export const endpointPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  introspect: '/oauth/introspect',
} as const;

/** The endpoints that the addresses of a flow lead to. */
const flowEndpoints: Readonly<Record<Exclude<keyof OAuthFlow, 'scopes'>, string | undefined>> = {
  authorizationUrl: endpointPaths.authorize,
  tokenUrl: endpointPaths.token,
  refreshUrl: endpointPaths.token,
  // Devices get no codes here (RFC 8628).
  deviceAuthorizationUrl: undefined,
};

/** Makes the path of the metadata of the service at that path (RFC 8414 section 3.1). */
export const metadataPath = (basePath: string): string =>
  `/.well-known/oauth-authorization-server${basePath}`;

const oauthSchemes = ({ securitySchemes }: Pick<ApiDocument, 'securitySchemes'>) =>
  [...securitySchemes.values()].filter((scheme) => scheme.type === 'oauth2');

/** Lists where a document says that metadata is (OAS 3.2.0, section "Relative References in API URLs"). */
export const metadataUrls = (document: ApiDocument, serverUrl: string): readonly URL[] =>
  oauthSchemes(document)
    .flatMap(({ oauth2MetadataUrl = [] }) => oauth2MetadataUrl)
    .filter((url) => URL.canParse(url, serverUrl))
    .map((url) => new URL(url, serverUrl));

/**
 * Warns of addresses of OAuth flows that lead to this server, and there to nothing.
 *
 * @param serverUrl - the URL of the service, which `{auth_url}` stands for
 * @param isServed - whether the service has an authorization server
 */
export const deadFlowAddresses = (
  document: ApiDocument,
  serverUrl: string,
  isServed: boolean,
): readonly UnplacedDiagnostic[] => {
  const findOperation = routeTable(document.operations);
  const isDead = (address: string, endpoint: string | undefined): boolean => {
    const url = address.replace('{auth_url}', serverUrl);
    if (!URL.canParse(url, serverUrl)) return false;
    const { href, pathname } = new URL(url, serverUrl);
    if (!href.startsWith(`${serverUrl}/`)) return false;
    const path = pathname.slice(new URL(serverUrl).pathname.replace(/\/$/, '').length);
    return (path !== endpoint || !isServed) && findOperation(path) === undefined;
  };
  const warningsOf = ({ pointer, flows }: OAuth2Scheme) =>
    Object.entries(flows).flatMap(([flow, addresses]) =>
      Object.entries(flowEndpoints).flatMap(([name, endpoint]): UnplacedDiagnostic[] => {
        const address = addresses[name as keyof typeof flowEndpoints];
        if (address === undefined || !isDead(address, endpoint)) return [];
        const served = endpoint
          ? `Write {auth_url}${endpoint}.`
          : 'Devices use authorizationCode, or tokens by the admin program.';
        const advice = isServed ? served : 'This service signs no users in.';
        const message = `Nothing is served at the ${name} of the flow ${flow}. ${advice}`;
        const place = ['flows', flow, name].reduce<string>(pointerTo, pointer);
        return [{ severity: 'warning', rule: 'oauth-flow', message, pointer: place }];
      }),
    );
  return oauthSchemes(document).flatMap(warningsOf);
};

// RFC 6749 section 3.3, scope-token: other scopes of a document cannot be requested.
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** Lists what operations require of schemes of these types: scopes, or roles. */
const requiredOf = (
  { operations, securitySchemes }: Pick<ApiDocument, 'operations' | 'securitySchemes'>,
  isOfType: (type: SecurityScheme['type']) => boolean,
): readonly string[] => {
  const names = operations.flatMap(({ security }) =>
    security.flatMap(Object.entries<readonly string[]>).flatMap(([name, scopes]) => {
      const scheme = securitySchemes.get(name);
      return scheme !== undefined && isOfType(scheme.type) ? scopes : [];
    }),
  );
  return [...new Set(names.filter((name) => scopeToken.test(name)))];
};

const isOAuth = (type: SecurityScheme['type']): boolean =>
  type === 'oauth2' || type === 'openIdConnect';

/** Collects declared and required scopes; a document may require scopes that it does not declare. */
export const documentScopes = (document: ApiDocument) => {
  const flows = oauthSchemes(document).flatMap((scheme) => Object.values(scheme.flows));
  const declared = flows.flatMap(({ scopes }) => Object.entries(scopes));
  const required = requiredOf(document, isOAuth);
  const known = new Map<string, string | undefined>();
  for (const [scope, description] of declared.filter(([name]) => scopeToken.test(name))) {
    known.set(scope, description || undefined);
  }
  for (const scope of required) if (!known.has(scope)) known.set(scope, undefined);
  const roles = requiredOf(document, (type) => !isOAuth(type));
  return {
    known,
    required,
    /** Those and the roles that other schemes require: an administrator grants these, and no user may. */
    all: [...new Set([...known.keys(), ...roles])],
  };
};

/** Makes the authorization server of a service; undefined where the `{auth_url}` of the document names another issuer. */
export const builtInAuthorizationServer = (
  document: ApiDocument,
  surroundings: {
    readonly config: {
      /** The URL for `{auth_url}` in the documents; undefined: each service's own base. */
      readonly authUrl: string | undefined;
      readonly port: number;
      readonly tokenTtlSeconds: number;
      /** Origins of documents about clients without registration, or `*`. */
      readonly clientOrigins: readonly string[];
    };
    /** The origin under which callers reach the program. */
    readonly origin: string;
    readonly db: Database;
    readonly checkPassword: CheckPassword;
    readonly securityHandlers: Pick<SecurityHandlers, 'apiKey'>;
    readonly log: Readonly<Record<'info', (fields: object, message: string) => void>>;
    readonly clock: Clock;
  },
) => {
  const { config, origin, db, checkPassword, securityHandlers, log, clock } = surroundings;
  const { name, basePath, info } = document;
  const issuer = origin + basePath;
  const { authUrl = issuer, tokenTtlSeconds, clientOrigins: origins } = config;
  if (authUrl !== issuer) return undefined;
  const scopes = documentScopes(document);
  const tokens = knexTokens(db, name);
  const codes = knexOAuthCodes(db, name);
  // The port that callers on this machine use; 0 in the configuration means any free one, which the origin names.
  const { port: named, protocol } = new URL(origin);
  const port = config.port || Number(named) || (protocol === 'https:' ? 443 : 80);
  const docs = docsClient(origin, basePath, port);
  const report = (clientId: string, reason: string): void =>
    log.info({ service: name, clientId, reason }, 'The document about a client cannot be used');
  const documents = origins.length > 0 ? clientDocuments({ origins, report, clock }) : undefined;
  const parts: OAuthParts = {
    ...{ service: name, issuer, scopes, tokens, codes, checkPassword, clock },
    findClient: clientFinder(knexClients(db, name), docs, documents),
    grants: grants({ tokens, codes, clock }, tokenTtlSeconds),
    pages: authorizePages(info.title, scopes, tokenTtlSeconds, `${issuer}/docs/`),
    sessions: browserSessions(tokens, basePath, tokenTtlSeconds, clock),
    verifyKey: securityHandlers.apiKey,
    keyHeader: (apiKeysIn('header', document)[0] ?? 'api_key').toLowerCase(),
  };
  return {
    authorize: authorizationEndpoint(parts),
    ...tokenEndpoints(parts),
    metadata: {
      issuer,
      authorization_endpoint: issuer + endpointPaths.authorize,
      token_endpoint: issuer + endpointPaths.token,
      revocation_endpoint: issuer + endpointPaths.revoke,
      introspection_endpoint: issuer + endpointPaths.introspect,
      scopes_supported: [...scopes.known.keys()],
      response_types_supported: ['code', 'token'],
      response_modes_supported: ['query', 'fragment'],
      grant_types_supported: ['authorization_code', 'implicit'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ui_locales_supported: pageLanguages,
      ...(documents && { client_id_metadata_document_supported: true }),
    },
    /** The paths below the service at which the document says that the metadata is, beside `metadataPath`. */
    metadataPaths: metadataUrls(document, issuer)
      .filter(({ href }) => href.startsWith(`${issuer}/`))
      .map(({ href }) => href.slice(issuer.length)),
    /** Makes a page for a user whose request failed in the server. */
    failurePage: (request: PageRequest, status: number, headers: HttpResponse['headers']) =>
      parts.pages.error(status === 503 ? 'busy' : 'failed', contextOf(request), status, headers),
  };
};

/** The authorization server of one service. */
export type AuthorizationServer = NonNullable<ReturnType<typeof builtInAuthorizationServer>>;
