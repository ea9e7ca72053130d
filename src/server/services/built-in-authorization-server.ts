/** Decides whether a service has an authorization server of ours, and makes it from the document and the configuration. */

import type { OpenAPIV3 } from 'openapi-types';
import type { ApiDocument, SecurityHandlers } from '../../engine';
import type { Config } from '../config/config';
import type { CheckPassword } from '../identity/password-check';
import { type AuthorizationServer, authorizationServer } from '../oauth/authorization-server';
import type { Database } from '../storage/database/database';
import { documentScopes } from './document-scopes';

/** What it is made of beside the document. */
export interface BuiltInAuthorizationParts {
  readonly config: Pick<Config, 'authUrl' | 'port' | 'tokenTtlSeconds'>;
  readonly origin: string;
  readonly db: Database;
  readonly checkPassword: CheckPassword;
  readonly securityHandlers: SecurityHandlers;
  readonly clock: () => number;
}

const isKeyHeader = (
  scheme: OpenAPIV3.SecuritySchemeObject | OpenAPIV3.ReferenceObject,
): scheme is OpenAPIV3.ApiKeySecurityScheme =>
  'type' in scheme && scheme.type === 'apiKey' && scheme.in === 'header';

/** The header in which the document wants API keys. */
const keyHeaderOf = ({ definition }: ApiDocument): string => {
  const schemes = Object.values(definition.components?.securitySchemes ?? {});
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
  { config, origin, db, checkPassword, securityHandlers, clock }: BuiltInAuthorizationParts,
): AuthorizationServer | undefined => {
  const { name, basePath, definition } = document;
  const { authUrl = origin + basePath, port, tokenTtlSeconds } = config;
  if (authUrl !== origin + basePath) return undefined;
  return authorizationServer({
    name,
    title: definition.info.title,
    origin,
    basePath,
    port: portOf(port, origin),
    scopes: documentScopes(document),
    keyHeader: keyHeaderOf(document),
    db,
    checkPassword,
    verifyKey: securityHandlers.apiKey,
    tokenTtlSeconds,
    clock,
  });
};
