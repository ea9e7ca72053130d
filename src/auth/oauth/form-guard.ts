/** Tells forms that our pages have shown from those that others make up (cross-site request forgery, RFC 6749 section 10.12). */

import type { VerifierRequest } from '../../openapi/verifier';
import { digest, equalDigests } from '../token';

/**
 * What a form of that query carries to show that it is ours, made of a secret that only this browser and we have.
 *
 * @param purpose a form of one kind is none of another
 */
export const formToken = (purpose: string, secret: string, query: string): string =>
  digest(JSON.stringify([purpose, secret, query]));

/** Whether the form carries what formToken made. */
export const isFormToken = (given: string | undefined, wanted: string): boolean =>
  given !== undefined && equalDigests(given, wanted);

/**
 * Whether the browser says that another site sent the form. Where it says nothing, or names no origin (which our own referrer
 * policy makes it do, Fetch section 3.2), the form's token decides alone.
 */
export const isForeignForm = ({ headers }: VerifierRequest): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (typeof origin !== 'string' || origin === 'null') return false;
  return !URL.canParse(origin) || new URL(origin).host !== String(host).toLowerCase();
};
