/** Makes secrets for tokens and keys, and the digests that stand for them in the database. */

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { memoize } from '../../engine';

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
