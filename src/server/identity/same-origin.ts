/** Tells whether a browser sends a request on behalf of another site. */

import type { CredentialRequest } from '../../engine';

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/**
 * Whether the headers that browsers add name another origin: Sec-Fetch-Site (Fetch Metadata) where it is sent, else
 * Origin (RFC 6454) against Host. The scheme is not compared, because a proxy may speak TLS for us. A request with
 * neither header does not come from a page of today's browsers.
 */
export const comesFromAnotherOrigin = ({ headers }: CredentialRequest): boolean => {
  const site = first(headers['sec-fetch-site']);
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = first(headers['origin']);
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== first(headers['host'])?.toLowerCase();
};
