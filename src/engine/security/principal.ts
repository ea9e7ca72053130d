/** Who calls: what a security handler says of a credential, and what the connection says of the client. */

import type { IncomingMessage } from 'node:http';

/** The holder of a credential that was found good. */
export interface Principal {
  /** The account's name, where this credential is a login of that account; nothing else counts as "logged in". */
  readonly username: string | undefined;
  /** Whom the credential belongs to, for limits and logs (an account, a client, a key's label). */
  readonly subject: string;
  /** Granted scopes (RFC 6749 section 3.3); empty for logins and keys. */
  readonly scopes: readonly string[];
  /** An opaque handle of the credential itself, by which it can be ended. Never the credential. */
  readonly credentialId: string;
}

/** Facts of a request that identity may depend on. */
export interface ClientInfo {
  /** The peer's address, after trusted proxies. */
  readonly address: string;
  /** Whether the caller reached us over TLS. */
  readonly secure: boolean;
}

/** Tells who sent a request. */
export type ClientOf = (request: IncomingMessage) => ClientInfo;
