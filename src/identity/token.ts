/** Makes secrets for tokens and keys, and the digests that stand for them in the database. */

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { memoize } from '../base/memoize';
import type { NewToken, TokenKind, TokenStorage } from '../storage/identity/tokens';

/** A clock, in milliseconds since 1970. */
export type Clock = () => number;

/** Makes a secret: 256 random bits as 43 characters of base64url. It never begins with the mark of an option of a command. */
export const newSecret = (): string => {
  const secret = randomBytes(32).toString('base64url');
  return secret.startsWith('-') ? newSecret() : secret;
};

/**
 * Makes the SHA-256 of a text in hexadecimal digits, for secrets with full entropy; passwords need a slow hash. The digests of the
 * latest texts are kept, because the same few credentials come with request after request.
 */
export const digest = memoize((text: string): string => hash('sha256', text, 'hex'), { max: 1000 });

/** Tells whether two texts are equal, in a time that does not reveal where they differ. */
export const equalTexts = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Makes a token: its text, and the row that stands for it. Times are milliseconds since 1970. */
export const newToken = (
  grant: Pick<NewToken, 'kind' | 'userKey' | 'scopes' | 'client'>,
  ttlSeconds: number,
  now: number,
) => {
  const secret = newSecret();
  const expiresAt = now + ttlSeconds * 1000;
  const stored: NewToken = { ...grant, hash: digest(secret), createdAt: now, expiresAt };
  return { secret, stored };
};

/** Issues the token of a sign-in, and deletes those that have expired by `now`; undefined where the user was deleted. */
export const issueLogin = async (
  tokens: TokenStorage,
  kind: Exclude<TokenKind, 'access-token'>,
  userKey: string,
  ttlSeconds: number,
  now: number,
) => {
  const grant = { kind, userKey, scopes: [], client: undefined };
  const { secret, stored } = newToken(grant, ttlSeconds, now);
  await tokens.deleteExpired(now);
  return (await tokens.add(stored)) ? { secret, expiresAt: stored.expiresAt } : undefined;
};
