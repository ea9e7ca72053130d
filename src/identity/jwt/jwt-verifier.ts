/** Verifies the access tokens of an outside issuer: JWTs (RFC 7519, RFC 9068), signed by keys that it publishes. */

import type { JWTHeaderParameters, JWTPayload } from 'jose';
import type { Principal } from '../../http/caller';
import { HttpError } from '../../http/http-error';
import { fetchJwks, type Issuer, jwksCache } from './jwks-cache';

/** Reads scopes between blanks (RFC 9068 section 2.2.3), or in a list. */
const readScopes = (claim: unknown): readonly string[] => {
  if (typeof claim === 'string') return claim.split(' ').filter((scope) => scope !== '');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : [];
};

/**
 * Reads the grant of a token; undefined where it is not an access token, has no subject, or is bound to a key (`cnf`, RFC 7800): such
 * a token must not be accepted as a bearer token (RFC 9449 section 7.2).
 */
export const readAccessClaims = (
  header: JWTHeaderParameters,
  claims: JWTPayload,
  untypedTokens: boolean,
) => {
  const { sub } = claims;
  const isThere = (name: string) => claims[name] !== undefined;
  // RFC 7515 section 4.1.9
  const type = (header.typ ?? '').toLowerCase().replace(/^application\//, '');
  // Where tokens without the type (RFC 9068 section 5) are accepted, scopes tell access tokens from ID tokens, which have none.
  const mayBeUntyped = untypedTokens && /^(?:jwt)?$/.test(type) && ['scope', 'scp'].some(isThere);
  // OpenID Connect Core 1.0, sections 2 and 3.3.2.11
  const isOfId = ['nonce', 'at_hash', 'c_hash'].some(isThere);
  if (isThere('cnf') || (type !== 'at+jwt' && (!mayBeUntyped || isOfId))) return undefined;
  // At most 255 characters (OpenID Connect Core 1.0 section 2), and no control characters, which harm databases and logs.
  if (typeof sub !== 'string' || !/^\P{C}{1,255}$/u.test(sub)) return undefined;
  const scopes = new Set([...readScopes(claims['scope']), ...readScopes(claims['scp'])]);
  // The subject is unique within the issuer.
  return { subject: sub, scopes: [...scopes] };
};

/**
 * Makes the function that verifies a token that was issued for an audience that is ours, and gives undefined where it is not valid. The
 * issuer is first asked for its keys when its first token arrives.
 * @param log receives refused tokens, and keys that are unavailable; never a token itself
 * @param clock gives milliseconds since 1970
 * @param privateIssuers origins that may be at any address; undefined: the configuration names the issuer
 */
export const jwtVerifier = async (
  source: Issuer,
  log: Readonly<Record<'debug' | 'warn', (fields: object, message: string) => void>>,
  clock: () => number,
  privateIssuers?: readonly string[],
) => {
  // The most bytes of a token; node:http limits all headers together to twice that.
  const maxTokenLength = 8 * 1024;
  // The difference that the clocks of both sides may have.
  const skewSeconds = 30;
  // The algorithms of public keys: with HMAC, the published key would be the secret (RFC 8725 section 2.1).
  const names = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519';
  const algorithms = names.split(' ');
  const { issuer, untypedTokens } = source;
  // An ES module, which require() cannot load before Node.js 20.19.
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose');
  const findKey = jwksCache({
    load: async () => createLocalJWKSet(await fetchJwks(source, { privateIssuers })),
    isMissing: (error) => error instanceof errors.JWKSNoMatchingKey,
    report: (err) => log.warn({ err }, "The token issuer's keys are unavailable"),
    clock,
  });

  const refuse = (reason: string): undefined => {
    log.debug({ reason }, 'An access token was refused');
    return undefined;
  };

  return async (
    token: string,
    isOurs: (audience: string) => boolean,
  ): Promise<Principal | undefined> => {
    if (token.length > maxTokenLength) return refuse('too long');
    const verified = await jwtVerify(token, findKey, {
      issuer,
      algorithms,
      requiredClaims: ['exp'],
      clockTolerance: skewSeconds,
      currentDate: new Date(clock()),
    }).catch((error: unknown) => {
      if (error instanceof HttpError) throw error;
      // An error that is not of the library comes from a key that the platform does not support.
      if (error instanceof errors.JOSEError) return refuse(error.code);
      log.warn({ err: error }, 'A key of the issuer of access tokens cannot be used');
      return undefined;
    });
    if (verified === undefined) return undefined;
    const audiences: readonly unknown[] = [verified.payload.aud].flat();
    const isForUs = audiences.some((named) => typeof named === 'string' && isOurs(named));
    if (!isForUs) return refuse('for another audience');
    const claims = readAccessClaims(verified.protectedHeader, verified.payload, untypedTokens);
    if (claims === undefined) return refuse('not an access token');
    const subject = `${issuer}:${claims.subject}`;
    const { scopes } = claims;
    return { username: undefined, subject, kind: 'issuer', scopes, credentialId: subject };
  };
};
