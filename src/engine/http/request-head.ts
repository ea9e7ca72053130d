/** The head of a request: its target (RFC 9112 section 3.2), its method, and whether a body follows. */

import type { IncomingMessage } from 'node:http';

/** Returns the path and query of a target, which may come in absolute form (RFC 9112 section 3.2.2). */
export const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');

/** Splits a target into the raw path and the raw query without `?`. */
export const splitTarget = (target: string): { readonly path: string; readonly query: string } => {
  const url = originForm(target);
  const mark = url.indexOf('?');
  return mark < 0
    ? { path: url, query: '' }
    : { path: url.slice(0, mark), query: url.slice(mark + 1) };
};

/** Tells from the head whether a body follows (RFC 9112 section 6). */
export const bodyAnnounced = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const safeMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Tells whether a method, in upper case, is safe (RFC 9110 section 9.2.1). */
export const isSafeMethod = (method: string | undefined): boolean => safeMethods.has(method);
