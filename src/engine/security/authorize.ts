/** What deciding about a caller means: the function type, what it is compiled from, and the refusals. */

import type { OpenAPIV3 } from 'openapi-types';
import type { References } from '../document/references/references';
import { HttpError } from '../http/http-error';
import { sharedHeaders } from '../http/shared-headers';
import type { SecurityRequest } from './credentials';
import type { Principal } from './principal';
import type { SecurityHandlers } from './security-handlers';

/**
 * Lets a request in: gives the caller, or undefined where no caller is asked for.
 * @param path the raw values of the path template's names
 * @throws HttpError 401 with a challenge, 403, or what a security handler throws
 */
export type Authorize = (
  request: SecurityRequest,
  path: Readonly<Record<string, string>>,
) => Promise<Principal | undefined>;

/** What security is compiled from. */
export interface SecurityContext {
  readonly definition: OpenAPIV3.Document;
  readonly references: References;
  readonly securityHandlers: SecurityHandlers;
  /** Names the service in challenges (RFC 9110 section 11.5). */
  readonly realm: string;
}

/** Makes what makes a 401 with its challenges (RFC 9110 section 15.5.2). */
export const unauthenticated = (
  challenges: readonly string[],
  message: string,
): (() => HttpError) => {
  const headers = sharedHeaders({ 'WWW-Authenticate': [...new Set(challenges)].join(', ') });
  return () => new HttpError(401, 'unauthenticated', message, { headers });
};

/** The challenge after a bearer token that was presented and refused (RFC 6750 section 3.1). */
export const refusedToken = (realm: string): string =>
  `Bearer realm="${realm}", error="invalid_token", error_description="The access token is unknown, expired or ended"`;
