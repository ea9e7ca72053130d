/** Tells forms that our pages have shown from those that others make up (cross-site request forgery, RFC 6749 section 10.12). */

import type { CredentialRequest } from '../../engine';
import { comesFromAnotherOrigin } from '../identity/same-origin';
import { digest, equalTexts } from '../identity/token';

/**
 * What a form of that query carries to show that it is ours, made of a secret that only this browser and we have.
 *
 * @param purpose a form of one kind is none of another
 */
export const csrfToken = (purpose: string, secret: string, query: string): string =>
  digest(JSON.stringify([purpose, secret, query]));

/** Whether the form carries what formToken made. */
export const isCsrfToken = (given: string | undefined, wanted: string): boolean =>
  given !== undefined && equalTexts(given, wanted);

/**
 * Whether the browser says that another site sent the form. Where it names no origin, which our own referrer policy makes it do
 * (Fetch section 3.2), the form's token decides alone.
 */
export const isCrossSite = (request: CredentialRequest): boolean => {
  const { 'sec-fetch-site': site, origin } = request.headers;
  return (site !== undefined || origin !== 'null') && comesFromAnotherOrigin(request);
};
