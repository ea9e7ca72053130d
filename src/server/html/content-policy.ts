/** What pages of ours let a browser do (Content Security Policy Level 3): as little as they need. */

import { createHash } from 'node:crypto';

/** The source expression that lets exactly this inline style or script in (section 2.3.1). */
export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Headers for a page; `directives` are what it may do beyond nothing. */
export const pageHeaders = (
  ...directives: readonly string[]
): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    ...directives,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
});
