/** Makes secrets for tokens and keys, and the digests that stand for them in the database. */

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret: 256 random bits in base64url, 43 characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

// The same few credentials come with request after request, and making the digest takes as long as looking it up: 4 us. They are
// held in memory alone, where requests hold them anyway.
const digests = new Map<string, string>();
const mostRemembered = 1000;
const longestRemembered = 256;

/**
 * The SHA-256 of a text in hexadecimal digits. Fit for secrets with full entropy only; passwords need a slow hash.
 */
export const digest = (text: string): string => {
  const known = digests.get(text);
  if (known !== undefined) return known;
  const made = hash('sha256', text, 'hex');
  if (text.length > longestRemembered) return made;
  if (digests.size >= mostRemembered) digests.clear();
  digests.set(text, made);
  return made;
};

/** Whether two texts are equal, in a time that does not tell where they differ. */
export const equalTexts = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Where two digests are put to be compared, a comparison at a time. */
const scratch = [Buffer.alloc(64), Buffer.alloc(64)] as const;

/** The same for two that `digest` made, as each request with a credential needs it: in a fourth of the time. */
export const equalDigests = (one: string, other: string): boolean => {
  const [left, right] = scratch;
  if (one.length !== left.length || other.length !== right.length) return false;
  left.write(one, 'latin1');
  right.write(other, 'latin1');
  return timingSafeEqual(left, right);
};
