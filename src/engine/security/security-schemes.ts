/** The security schemes of a document, and those that operations require and no security handler verifies. */

import { pointerOf } from '../../base/json-pointer';
import type { UnplacedDiagnostic } from '../../document/diagnostics/diagnostic';
import { handlerKinds } from '../../http/caller';
import type { Model, SecurityScheme } from '../../model/document';
import type { Operation } from '../../model/operation';

/** The kinds of schemes that are verified: security handlers, or any value for each that exists. */
export interface VerifiedSchemes {
  readonly apiKey?: unknown;
  readonly bearer?: unknown;
  readonly basic?: unknown;
  /** By the scheme's name in lower case. */
  readonly http?: Readonly<Record<string, unknown>>;
  /** By the name of a scheme. */
  readonly [scheme: string]: unknown;
}

const kindOf = (scheme: SecurityScheme): string =>
  scheme.type === 'http' ? `http ${scheme.scheme}` : scheme.type;

const adviceFor = ({ type }: SecurityScheme, kinds: readonly string[]): string => {
  if (type === 'mutualTLS') {
    return 'Client certificates are not read here. Let a proxy ask for them, and require a scheme of another kind.';
  }
  return kinds.length === 0
    ? 'Give the service a security handler for it.'
    : `Use a scheme of a kind that is verified (${kinds.join(', ')}), or give the service a security handler for this one.`;
};

const warning = (name: string, message: string): UnplacedDiagnostic => ({
  severity: 'warning',
  rule: 'unverified-scheme',
  pointer: pointerOf(['components', 'securitySchemes', name]),
  message,
});

/** The kinds whose credentials are tokens, which always have scopes, if none. */
const tokenKinds = /^(?:http bearer|oauth2|openIdConnect)$/i;

/** Warns of roles that are no condition for a caller of whom no scope is known. */
const unaskedRoles = (
  name: string,
  scheme: SecurityScheme,
  secured: readonly Operation[],
): readonly UnplacedDiagnostic[] => {
  const roles = secured.flatMap(({ security }) =>
    security.flatMap((requirement) => requirement[name] ?? []),
  );
  if (roles.length === 0 || tokenKinds.test(kindOf(scheme))) return [];
  const listed = [...new Set(roles)].join(', ');
  const message = `The roles ${listed} of the scheme ${name} (${kindOf(scheme)}) are asked only of callers whose scopes are known, and keys and passwords may have none. Require a bearer token for them.`;
  return [warning(name, message)];
};

/**
 * Warns of schemes that are required and not verified, by the consequence for callers, and of roles that may not be asked for.
 * @param verified security handlers, for instance
 * @example unverifiedSchemes(document, { apiKey: true }).map(document.locate)
 */
export const unverifiedSchemes = (
  document: Pick<Model, 'securitySchemes' | 'operations'>,
  verified: VerifiedSchemes,
): readonly UnplacedDiagnostic[] => {
  const { apiKey, bearer, basic, http = {} } = verified;
  const kinds = [
    ...(apiKey === undefined ? [] : ['apiKey']),
    ...(bearer === undefined ? [] : ['http bearer', 'oauth2', 'openIdConnect']),
    ...(basic === undefined ? [] : ['http basic']),
    ...Object.keys(http)
      .filter((name) => http[name] !== undefined && name !== 'bearer' && name !== 'basic')
      .map((name) => `http ${name}`),
  ];
  // Names of HTTP schemes are case-insensitive (RFC 9110 section 11.1).
  const isVerified = (scheme: SecurityScheme): boolean =>
    kinds.some((kind) => kind.toLowerCase() === kindOf(scheme).toLowerCase());
  const isNamed = (name: string, { type }: SecurityScheme): boolean =>
    type !== 'mutualTLS' && !handlerKinds.has(name) && verified[name] !== undefined;
  const unverified = new Map(
    [...document.securitySchemes].filter(
      ([name, scheme]) => !isVerified(scheme) && !isNamed(name, scheme),
    ),
  );
  const secured = document.operations.filter(({ invalidReason }) => invalidReason === undefined);
  const namesOf = (operation: Operation) =>
    operation.security.map((requirement) => Object.keys(requirement));
  return [...document.securitySchemes].flatMap(([name, scheme]) => {
    if (!unverified.has(name)) return unaskedRoles(name, scheme, secured);
    const using = secured.filter((operation) =>
      namesOf(operation).some((names) => names.includes(name)),
    );
    if (using.length === 0) return [];
    const isClosed = using.some((operation) =>
      namesOf(operation).every((names) => names.some((other) => unverified.has(other))),
    );
    const effect = isClosed
      ? 'operations that require it always answer 401'
      : 'it cannot grant access';
    const what = `The scheme ${name} (${kindOf(scheme)}) is not verified: ${effect}`;
    return [warning(name, `${what}. ${adviceFor(scheme, kinds)}`)];
  });
};
