/** Issues the tokens of users who have signed in. */

import type { TokenStorage } from '../storage/identity/tokens';
import { digest, newSecret } from './token';

/** A token that was issued to a user who has signed in. */
export interface LoginToken {
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
  userKey: string,
  ttlSeconds: number,
  now: number,
): Promise<LoginToken | undefined> => {
  const secret = newSecret();
  const expiresAt = now + ttlSeconds * 1000;
  await tokens.deleteExpired(now);
  const kept = await tokens.add({
    kind: 'login',
    hash: digest(secret),
    userKey,
    scopes: [],
    client: undefined,
    createdAt: now,
    expiresAt,
  });
  return kept ? { secret, expiresAt } : undefined;
};
