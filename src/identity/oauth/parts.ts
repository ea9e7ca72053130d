/** The parts that all endpoints of an authorization server are made of. */

import type { SecurityHandlers } from '../../engine';
import type { CodeStorage } from '../../storage/identity/oauth-codes';
import type { TokenStorage } from '../../storage/identity/tokens';
import type { CheckPassword } from '../password-check';
import type { ServiceScopes } from './authorization-request';
import type { BrowserSessions } from './browser-sessions';
import type { FindClient } from './clients';
import type { Grants } from './grants';
import type { AuthorizePages } from './pages';

/** The parts of one service. */
export interface OAuthParts {
  readonly service: string;
  /** The URL of the authorization server (RFC 9207). */
  readonly issuer: string;
  readonly scopes: ServiceScopes;
  readonly findClient: FindClient;
  readonly tokens: TokenStorage;
  readonly codes: CodeStorage;
  readonly grants: Grants;
  readonly pages: AuthorizePages;
  readonly sessions: BrowserSessions;
  readonly checkPassword: CheckPassword;
  readonly verifyKey: SecurityHandlers['apiKey'];
  /** The header that carries API keys, in lower case. */
  readonly keyHeader: string;
  /** Gives milliseconds since 1970. */
  readonly clock: () => number;
}
