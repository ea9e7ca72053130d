/** Makes secrets for tokens and keys, and the digests that stand for them in the database. */

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { memoize } from '../../engine';
import type { TokenKind, TokenStorage } from '../../storage/identity/tokens';

/** A new secret: 256 random bits in base64url, 43 characters, none of which reads as an option of a command. */
export const newSecret = (): string => {
  const secret = randomBytes(32).toString('base64url');
  return secret.startsWith('-') ? newSecret() : secret;
};

/**
 * The SHA-256 of a text in hexadecimal digits. Fit for secrets with full entropy only; passwords need a slow hash. The same few
 * credentials come with request after request; they are remembered in memory alone, where requests hold them anyway.
 */
export const digest = memoize((text: string): string => hash('sha256', text, 'hex'), { max: 1000 });

/** Whether two texts are equal, in a time that does not reveal where they differ. */
export const equalTexts = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** A token that was issued to a user who has signed in. */
interface LoginToken {
  /** The token; it stands here and nowhere else. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Issues a token, and deletes those that have expired; undefined where the user was deleted.
 *
 * @param now - milliseconds since 1970
 */
export const issueLogin = async (
  tokens: TokenStorage,
  kind: Exclude<TokenKind, 'access-token'>,
  userKey: string,
  ttlSeconds: number,
  now: number,
): Promise<LoginToken | undefined> => {
  const secret = newSecret();
  const expiresAt = now + ttlSeconds * 1000;
  await tokens.deleteExpired(now);
  const isAdded = await tokens.add({
    ...{ kind, hash: digest(secret), userKey, scopes: [], client: undefined },
    ...{ createdAt: now, expiresAt },
  });
  return isAdded ? { secret, expiresAt } : undefined;
};
