/** What the engine asks of whoever keeps identities: is this credential good, and whose is it? */

import type { Awaitable } from '../lang/awaitable';
import type { Caller, ClientFacts } from './caller';

/** The request as far as a verifier may look at it. */
export interface VerifierRequest extends ClientFacts {
  /** Upper case. */
  readonly method: string;
  /** Lower-case names, as node:http gives them. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Says whose a credential is; undefined where it is not, or no longer, good. May throw, or reject with, an HttpError (429 when a
 * limit is used up, 403 when a browser's session comes from another origin).
 */
export type Verify<Credential> = (
  credential: Credential,
  request: VerifierRequest,
) => Awaitable<Caller | undefined>;

/** The verifiers of one service. A scheme whose type has no verifier can never be satisfied. */
export interface Verifiers {
  /** For `type: apiKey`. */
  readonly apiKey?: Verify<string>;
  /** For `type: http, scheme: bearer`, `oauth2` and `openIdConnect` (RFC 6750). */
  readonly bearer?: Verify<string>;
  /** For `type: http, scheme: basic` (RFC 7617). */
  readonly basic?: Verify<{ readonly username: string; readonly password: string }>;
  /** For `type: http` with any other scheme, by its name in lower case; the credential is what follows the name. */
  readonly http?: Readonly<Record<string, Verify<string>>>;
  /** The login that a browser carries of itself; asked only where an operation needs a login and no bearer token came. */
  readonly session?: (request: VerifierRequest) => Awaitable<Caller | undefined>;
  /** Whether an account of that name exists; decides between "not found" and "somebody else's". */
  readonly accountExists?: (name: string) => Promise<boolean>;
}
