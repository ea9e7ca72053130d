/** Reads the subject and the scopes of a verified JWT, if it is an access token. */

import type { JWTHeaderParameters, JWTPayload } from 'jose';

/** What an access token grants. */
export interface AccessClaims {
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
