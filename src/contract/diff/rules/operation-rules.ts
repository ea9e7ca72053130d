/** The rules of operations, their security and their addresses. */

import { changes, keeps, lowers, narrows, type Rule, unclear, weighs } from './rule';

export const operationRules = {
  'operation-added': keeps('the operation is new'),
  'operation-removed': changes('the operation is gone'),
  'deprecated-operation-removed': unclear(
    'the operation is gone; it was deprecated, and whether it is still called is not known',
  ),
  'operation-id-changed': unclear(
    'the operationId is another one; requests stay the same, the names in generated clients do not',
  ),
  'operation-deprecated': keeps('the operation is deprecated'),
  'operation-reactivated': keeps('the operation is no longer deprecated'),
  'callback-added': weighs('warning', 'warning', 'a callback is new; callers must answer it'),
  'callback-removed': unclear('a callback is gone; whether callers wait for it is not known'),
  // Addresses.
  'server-path-removed': changes('a base path is gone'),
  'server-path-added': keeps('a base path is new'),
  // Security.
  'security-added': narrows('credentials are required where none were'),
  'security-removed': lowers('no credentials are required any more'),
  'security-alternative-removed': narrows('security alternative removed'),
  'security-alternative-added': lowers('security alternative added'),
  'security-scope-added': narrows('more scopes are required'),
  'security-scope-removed': lowers('fewer scopes are required'),
  'security-scheme-changed': changes('the security scheme is of another kind'),
  'oauth-flow-removed': changes('an OAuth flow is gone'),
  'oauth-flow-added': keeps('an OAuth flow is new'),
  'oauth-scope-removed': unclear(
    'the scheme no longer declares a scope; whether it is still granted is not known',
  ),
  'oauth-scope-added': keeps('the scheme declares another scope'),
  'oauth-address-changed': unclear(
    'an address of the security scheme is another one; whether the old one still answers is not known',
  ),
  'login-required': narrows('a login is required'),
  'login-not-required': lowers('a login is no longer required, or that of any account is accepted'),
} as const satisfies Record<string, Rule>;
