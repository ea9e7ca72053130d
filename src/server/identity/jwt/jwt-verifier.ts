/** Verifies the access tokens of an outside issuer: JWTs (RFC 7519, RFC 9068), signed by keys that it publishes. */

import type { JWTHeaderParameters, JWTPayload, JWTVerifyGetKey } from 'jose';
import { HttpError, type Principal } from '../../../engine';
import { fetchJwks, type JwksSource, jwksCache } from './jwks-cache';

/** What an access token grants. */
interface AccessClaims {
  /** `sub`: unique within the issuer. */
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** Upper and lower case, and a leading `application/`, make no difference (RFC 7515 section 4.1.9). */
const typeOf = ({ typ = '' }: JWTHeaderParameters): string =>
  typ.toLowerCase().replace(/^application\//, '');

// OpenID Connect Core 1.0, sections 2 and 3.3.2.11
const claimsOfIdTokens = ['nonce', 'at_hash', 'c_hash'];

/**
 * RFC 9068 gives access tokens a type of their own, so that an ID token is never taken for one (section 5). Where tokens
 * without it are taken, scopes must say what they are for: ID tokens have none.
 */
const isAccessToken = (
  header: JWTHeaderParameters,
  claims: JWTPayload,
  untypedTokens: boolean,
): boolean => {
  const type = typeOf(header);
  if (type === 'at+jwt') return true;
  return (
    untypedTokens &&
    (type === 'jwt' || type === '') &&
    (claims['scope'] !== undefined || claims['scp'] !== undefined) &&
    !claimsOfIdTokens.some((name) => claims[name] !== undefined)
  );
};

/** Scopes between blanks (RFC 9068 section 2.2.3), or as a list of texts. */
const scopesOf = (claim: unknown): readonly string[] => {
  if (typeof claim === 'string') return claim.split(' ').filter((scope) => scope !== '');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : [];
};

/** At most 255 characters (OpenID Connect Core 1.0 section 2), and none that a database or a log would stumble over. */
const subjectPattern = /^\P{C}{1,255}$/u;

/**
 * What the token grants; undefined where it is no access token, has no subject, or is bound to a key that its holder would
 * have to prove (`cnf`, RFC 7800): as a mere bearer token such a token must not be taken (RFC 9449 section 7.2).
 */
export const readAccessClaims = (
  header: JWTHeaderParameters,
  claims: JWTPayload,
  untypedTokens: boolean,
): AccessClaims | undefined => {
  const { sub } = claims;
  if (!isAccessToken(header, claims, untypedTokens) || claims['cnf'] !== undefined)
    return undefined;
  if (typeof sub !== 'string' || !subjectPattern.test(sub)) return undefined;
  const scopes = new Set([...scopesOf(claims['scope']), ...scopesOf(claims['scp'])]);
  return { subject: sub, scopes: [...scopes] };
};

/** Whom to trust, and how far. */
interface IssuerOptions extends JwksSource {
  /** Whether tokens that do not say they are access tokens (`typ: at+jwt`) are taken where they look like ones. */
  readonly untypedTokens: boolean;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Logs refused tokens, and keys that are unavailable; never a token itself. */
  readonly log: {
    debug(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/** Verifies a token that was issued for the audience; undefined where it is not valid. */
export type VerifyJwt = (token: string, audience: string) => Promise<Principal | undefined>;

/** Bytes that a token may have; node:http bounds all headers together at twice that. */
const maxTokenLength = 8 * 1024;

/** Signatures that a public key checks: with HMAC, the published key would be the secret (RFC 8725 section 2.1). */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** How far the clocks of both sides may differ. */
const skewSeconds = 30;

/** Whether a bearer token can be a JWT; our own tokens have no dots. */
export const looksLikeJwt = (token: string): boolean => token.includes('.');

/** Makes the security handler; the issuer is first asked when its first token comes. */
export const jwtVerifier = async (options: IssuerOptions): Promise<VerifyJwt> => {
  const { issuer, untypedTokens, clock, log } = options;
  // An ES module, which require() cannot load before Node.js 20.19.
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose');
  const findKey = jwksCache({
    load: async () => {
      const find = createLocalJWKSet(await fetchJwks(options));
      return (header, token) =>
        find(header, token).catch((error: unknown) => {
          if (error instanceof errors.JWKSNoMatchingKey) return undefined;
          throw error;
        });
    },
    report: (err) => log.warn({ err }, "The token issuer's keys are unavailable"),
    clock,
  });

  const keyOf: JWTVerifyGetKey = async (header, token) => {
    const key = await findKey(header, token);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };

  const refuse = (reason: string): undefined => {
    log.debug({ reason }, 'An access token was refused');
    return undefined;
  };

  return async (token, audience) => {
    if (token.length > maxTokenLength) return refuse('too long');
    const verified = await jwtVerify(token, keyOf, {
      issuer,
      audience,
      algorithms,
      requiredClaims: ['exp'],
      clockTolerance: skewSeconds,
      currentDate: new Date(clock()),
    }).catch((error: unknown) => {
      if (error instanceof HttpError) throw error;
      // What is not of the library's own errors comes of a key that the platform does not take.
      if (error instanceof errors.JOSEError) return refuse(error.code);
      log.warn({ err: error }, 'A key of the issuer of access tokens cannot be used');
      return undefined;
    });
    if (verified === undefined) return undefined;
    const claims = readAccessClaims(verified.protectedHeader, verified.payload, untypedTokens);
    if (claims === undefined) return refuse('not an access token');
    const subject = `${issuer}:${claims.subject}`;
    return { username: undefined, subject, scopes: claims.scopes, credentialId: subject };
  };
};
