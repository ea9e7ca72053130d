/** The sender of a request, the network of its address, and the holder of the credential that it carries. */

import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * The holder of a credential that was found good.
 * @example { username: 'ann', subject: 'user:ann', scopes: ['read'], credentialId: 'token-7' }
 */
export interface Principal {
  /** The account's name, where this credential is a login of that account; nothing else counts as "logged in". */
  readonly username: string | undefined;
  /** Whom the credential belongs to, for limits and logs (an account, a client, a key's label). */
  readonly subject: string;
  /** Granted scopes (RFC 6749 section 3.3), and roles; empty for logins and keys. */
  readonly scopes: readonly string[];
  /**
   * The kind of the credential, and its name where an operator gave it one, for counts. It never names a user.
   * @example 'api-key:shop', 'client:app', 'user'
   */
  readonly kind?: string;
  /** An opaque handle of the credential itself, by which it can be ended. Never the credential. */
  readonly credentialId: string;
}

/** The peer of a request. */
export interface ClientInfo {
  /** The peer's address, after trusted proxies. */
  readonly address: string;
  /** True for a connection over TLS. */
  readonly secure: boolean;
}

/** Identifies the peer of a request. */
export type ClientOf = (request: IncomingMessage) => ClientInfo;

/** The request as far as a security handler may look at it. */
export interface CredentialRequest extends ClientInfo {
  /** As it was sent: case matters. */
  readonly method: string;
  /** Lower-case names, as node:http gives them. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The request as its host has it: that of node:http or Express, of Fastify or Hono. */
  readonly host?: unknown;
  /** The id of the request in the log. */
  readonly requestId?: string | undefined;
}

/** The names of security handlers that are for schemes of a kind, and not for one by its name. */
export const handlerKinds: ReadonlySet<string> = new Set([
  ...['apiKey', 'bearer', 'basic', 'http', 'session', 'accountExists'],
]);

/** The request as a handler may look at it, beside what has been read of it. */
export interface Client extends CredentialRequest {
  /** Aborts when the caller has left, so that nothing needs to be waited for any more. */
  readonly signal: AbortSignal;
}

/**
 * Gives the network of an address, by which a host is recognized: an IPv6 host chooses the last 64 bits itself (RFC 4291 section
 * 2.5.4), and an IPv4 address may be written as one of IPv6. Other texts stay as they are.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
    : parsed.toString();
};

/** Tells whether an address, also an IPv4 one in the form of IPv6, is one of the public internet: no private, loopback, link-local or reserved one. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
