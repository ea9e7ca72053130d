/** Decides whether a service has an authorization server of ours, and makes it from the document and the configuration. */

import type { OpenAPIV3 } from 'openapi-types';
import { type ApiDocument, type SecurityHandlers, securitySchemesOf } from '../../engine';
import type { Config } from '../config/config';
import {
  type AuthorizationServer,
  type AuthorizationServerParts,
  authorizationServer,
} from '../oauth/authorization-server';
import type { ServiceScopes } from '../oauth/protocol/authorization-request';

type Scheme = OpenAPIV3.SecuritySchemeObject;

// RFC 6749 section 3.3, scope-token: what else a document says can never be asked for.
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

const declaredBy = (scheme: Scheme): [string, unknown][] =>
  scheme.type === 'oauth2'
    ? Object.values(scheme.flows ?? {}).flatMap((flow) => Object.entries(flow?.scopes ?? {}))
    : [];

/** Declared and required scopes; a document may require what it does not declare. */
export const documentScopes = (document: ApiDocument): ServiceScopes => {
  const declared = [...securitySchemesOf(document).values()].flatMap(declaredBy);
  const required = document.operations
    .flatMap(({ security }) => security.flatMap((requirement) => Object.values(requirement).flat()))
    .filter((scope) => scopeToken.test(scope));
  const known = new Map<string, string | undefined>();
  for (const [scope, description] of declared.filter(([name]) => scopeToken.test(name))) {
    known.set(scope, typeof description === 'string' && description ? description : undefined);
  }
  for (const scope of required) if (!known.has(scope)) known.set(scope, undefined);
  return { known, required: [...new Set(required)] };
};

/** What it is made of beside the document. */
type Parts = Pick<AuthorizationServerParts, 'origin' | 'db' | 'checkPassword' | 'clock'> & {
  readonly config: Pick<Config, 'authUrl' | 'port' | 'tokenTtlSeconds'>;
  readonly securityHandlers: SecurityHandlers;
};

const isKeyHeader = (scheme: Scheme): scheme is OpenAPIV3.ApiKeySecurityScheme =>
  scheme.type === 'apiKey' && scheme.in === 'header';

/** The header in which the document wants API keys. */
const keyHeaderOf = (document: ApiDocument): string => {
  const schemes = [...securitySchemesOf(document).values()];
  return (schemes.find(isKeyHeader)?.name ?? 'api_key').toLowerCase();
};

/** The port that callers on this machine use: what was asked for, or what was found free. */
const portOf = (configured: number, origin: string): number => {
  const { port, protocol } = new URL(origin);
  return configured || Number(port) || (protocol === 'https:' ? 443 : 80);
};

/** Undefined where the document's `{auth_url}` names an issuer elsewhere. */
export const builtInAuthorizationServer = (
  document: ApiDocument,
  { config, securityHandlers, ...parts }: Parts,
): AuthorizationServer | undefined => {
  const { name, basePath, definition } = document;
  const { origin } = parts;
  const { authUrl = origin + basePath, port, tokenTtlSeconds } = config;
  if (authUrl !== origin + basePath) return undefined;
  return authorizationServer({
    ...parts,
    name,
    title: definition.info.title,
    basePath,
    port: portOf(port, origin),
    scopes: documentScopes(document),
    keyHeader: keyHeaderOf(document),
    verifyKey: securityHandlers.apiKey,
    tokenTtlSeconds,
  });
};
