/** Who may do what, for the hand-written peer. */

import type { IncomingMessage } from 'node:http';
import { digest } from '../database';
import { bearerToken } from '../store';
import { Failure } from './http';

export const unauthenticated = (): Failure =>
  new Failure(401, 'Not logged in', { 'WWW-Authenticate': 'Bearer' });

/** The digest of the bearer token. */
export const tokenHash = ({ headers }: IncomingMessage): string => {
  const token = bearerToken(headers.authorization);
  if (token === undefined) throw unauthenticated();
  return digest(token);
};

/** Throws unless the scopes are among those granted. */
export const demandScopes = (granted: string | undefined, needed: string): void => {
  if (granted === undefined) throw unauthenticated();
  const list = granted.split(' ');
  if (!list.includes(`write:${needed}`) || !list.includes(`read:${needed}`)) {
    throw new Failure(403, 'Not allowed for this login', { 'WWW-Authenticate': 'Bearer' });
  }
};
