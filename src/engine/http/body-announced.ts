/** Tells from a request's headers whether a body comes with it. */

import type { IncomingMessage } from 'node:http';

/** Whether a body was sent at all (RFC 9112 section 6): a transfer coding announces it, or a length other than zero. */
export const bodyAnnounced = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
