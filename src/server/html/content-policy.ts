/** What a browser lets our pages do (Content Security Policy Level 3): as little as they need. */

import { createHash } from 'node:crypto';

/** The source expression that allows exactly this inline style or script (section 2.3.1). */
export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Headers for a page.
 *
 * @param directives - what it may load
 * @param formAction - where its forms may lead to (section 6.4.1)
 */
export const pageHeaders = (
  directives: readonly string[],
  formAction = "'none'",
): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    ...directives,
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
});
