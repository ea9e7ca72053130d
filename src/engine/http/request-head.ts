/** What the head of a request says: its target (RFC 9112 section 3.2), and whether a body follows. */

import type { IncomingMessage } from 'node:http';

/** Path and query of a target: a server must take one in absolute form, too (RFC 9112 section 3.2.2). */
export const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');

/** A target taken apart: the raw path, and the raw query without `?`. */
export const splitTarget = (target: string): { readonly path: string; readonly query: string } => {
  const url = originForm(target);
  const mark = url.indexOf('?');
  return mark < 0
    ? { path: url, query: '' }
    : { path: url.slice(0, mark), query: url.slice(mark + 1) };
};

/** Whether a body was sent at all (RFC 9112 section 6): a transfer coding announces it, or a length other than zero. */
export const bodyAnnounced = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
