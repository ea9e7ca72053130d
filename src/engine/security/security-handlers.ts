/** What the engine asks of the program that knows identities: is this credential good, and whose is it? */

import type { ClientInfo, Principal } from './principal';

/** The request as far as a security handler may look at it. */
export interface CredentialRequest extends ClientInfo {
  /** Upper case. */
  readonly method: string;
  /** Lower-case names, as node:http gives them. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Says whose a credential is; undefined where it is not, or no longer, good. May throw, or reject with, an HttpError (429 when a
 * limit is used up, 403 when a browser's session comes from another origin).
 */
export type SecurityHandler<Credential> = (
  credential: Credential,
  request: CredentialRequest,
) => Principal | undefined | Promise<Principal | undefined>;

/** The security handlers of one service. A scheme whose type has no security handler can never be satisfied. */
export interface SecurityHandlers {
  /** For `type: apiKey`. */
  readonly apiKey?: SecurityHandler<string>;
  /** For `type: http, scheme: bearer`, `oauth2` and `openIdConnect` (RFC 6750). */
  readonly bearer?: SecurityHandler<string>;
  /** For `type: http, scheme: basic` (RFC 7617). */
  readonly basic?: SecurityHandler<{ readonly username: string; readonly password: string }>;
  /** For `type: http` with any other scheme, by its name in lower case; the credential is what follows the name. */
  readonly http?: Readonly<Record<string, SecurityHandler<string>>>;
  /** The login that a browser carries of itself; asked only where an operation needs a login and no bearer token came. */
  readonly session?: (
    request: CredentialRequest,
  ) => Principal | undefined | Promise<Principal | undefined>;
  /** Whether an account of that name exists; decides between "not found" and "somebody else's". */
  readonly accountExists?: (name: string) => Promise<boolean>;
}
