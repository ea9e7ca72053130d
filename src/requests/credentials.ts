/** Credentials: which of them lets a request in, and where it stands in the request (OAS 3.0.3, Security Scheme Object). */

import type { SecurityScheme } from '../model/document';
import type { Operation } from '../model/operation';
import { type OutgoingRequest, withHeader } from './request-case';

/** A credential as it is given. */
export interface Credential {
  /** The name of a security scheme, or `x-logged-in-user` for the token of a login. */
  readonly scheme: string;
  /** The scopes that it has; undefined: all. */
  readonly scopes?: readonly string[] | undefined;
  /** A key, a token, or `user:password` for HTTP Basic. */
  readonly value: string;
}

/** A secret text and what stands for it in reports. */
export interface Secret {
  readonly text: string;
  /** The name of a shell variable. */
  readonly variable: string;
}

/** The place of a credential in a request. */
export interface Placement {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly text: string;
}

/** The name of what our extension of that name asks for: the token of a login. */
export const loginScheme = 'x-logged-in-user';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Tells whether a scheme is HTTP Basic. */
export const isBasic = (scheme: SecurityScheme | undefined): boolean =>
  scheme?.type === 'http' && scheme.scheme.toLowerCase() === 'basic';

/** The header Authorization with credentials of an HTTP scheme. */
export const authorization = (scheme: 'Basic' | 'Bearer', value: string): Placement => ({
  in: 'header',
  name: 'Authorization',
  text: `${scheme} ${value}`,
});

/** Gives the place that a scheme has for a credential; undefined for schemes that no header can carry, such as digest. */
export const placementOf = (
  scheme: SecurityScheme | undefined,
  value: string,
): Placement | undefined => {
  if (scheme?.type === 'apiKey') return { in: scheme.in, name: scheme.name, text: value };
  if (isBasic(scheme)) return authorization('Basic', base64(value));
  const isOther = scheme?.type === 'http' && scheme.scheme.toLowerCase() !== 'bearer';
  return isOther ? undefined : authorization('Bearer', value);
};

/** Adds credentials to a request. */
export const place = (
  request: OutgoingRequest,
  placements: readonly Placement[],
): OutgoingRequest => {
  let authorized = request;
  for (const { in: location, name, text } of placements) {
    const { target, headers } = authorized;
    if (location === 'query') {
      const pair = `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
      authorized = { ...authorized, target: `${target}${target.includes('?') ? '&' : '?'}${pair}` };
    } else if (location === 'cookie') {
      const others = headers.find(([other]) => other.toLowerCase() === 'cookie')?.[1];
      const cookie = `${others ? `${others}; ` : ''}${name}=${text}`;
      authorized = withHeader(authorized, 'Cookie', cookie);
    } else authorized = withHeader(authorized, name, text);
  }
  return authorized;
};

/** Gives the alternatives that an operation requires, each with schemes and their scopes; none where it is public. */
export const requirementsOf = ({
  security,
  loggedInUser,
}: Operation): readonly Readonly<Record<string, readonly string[]>>[] =>
  loggedInUser === undefined ? security : [...security, { [loginScheme]: [] }];

/** Tells whether a request without credentials is refused. */
export const needsCredential = (operation: Operation): boolean => {
  const { loggedInUser, security } = operation;
  if (loggedInUser?.required) return true;
  return security.length > 0 && security.every((one) => Object.keys(one).length > 0);
};

const suffices = ({ scopes }: Credential, needed: readonly string[]): boolean =>
  scopes === undefined || needed.every((scope) => scopes.includes(scope));

/** The ways to satisfy an operation, first alternative first; none where a credential is missing. */
export const sufficientCredentials = (
  operation: Operation,
  credentials: readonly Credential[],
): Credential[][] => {
  const requirements = requirementsOf(operation);
  if (requirements.length === 0) return [[]];
  // All ways of choosing a credential for each scheme of a requirement.
  const ways = requirements.flatMap((requirement) =>
    Object.entries(requirement).reduce<Credential[][]>(
      (chosen, [name, scopes]) => {
        const fitting = credentials.filter((one) => one.scheme === name && suffices(one, scopes));
        return chosen.flatMap((way) => fitting.map((one) => [...way, one]));
      },
      [[]],
    ),
  );
  return operation.loggedInUser?.required === false ? [...ways, []] : ways;
};

/** Credentials of the operation's schemes that satisfy none of its requirements, for lack of scopes. */
export const insufficientCredentials = (
  operation: Operation,
  credentials: readonly Credential[],
): Credential[] => {
  const requirements = requirementsOf(operation);
  return credentials.filter((one) => {
    const asking = requirements.filter((requirement) => Object.hasOwn(requirement, one.scheme));
    return (
      asking.length > 0 &&
      asking.every((requirement) => !suffices(one, requirement[one.scheme] ?? []))
    );
  });
};

/** The secrets of credentials, each under a variable named after its scheme. */
export const secretsOf = (credentials: readonly Credential[]): Secret[] =>
  credentials.flatMap(({ scheme, value }, index) => {
    const before = credentials.slice(0, index).filter((one) => one.scheme === scheme).length;
    const name = scheme
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, '_')
      .replace(/^(?=\d)/, '_');
    const variable = before === 0 ? name : `${name}_${before + 1}`;
    return [
      { text: value, variable },
      { text: base64(value), variable: `${variable}_BASE64` },
    ];
  });
