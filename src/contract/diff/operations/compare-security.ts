/** Compares what a caller must present: each old way to be let in must still be one. */

import type { LoadedDocument } from '../../../document/document';
import type { Operation, SecurityRequirement } from '../../../model/operation';
import { bothOf, type Reporter, type Spot } from '../rules/finding';
import { compareScheme, type Documents, newSchemeName } from './security-schemes';

/** Scheme names and the scopes of each; all of them must be presented. */
type Requirement = ReadonlyMap<string, ReadonlySet<string>>;

interface Requirements {
  readonly pointer: string;
  /** One of them must hold. */
  readonly alternatives: readonly Requirement[];
}

/** Reads the requirements of an operation; an empty list, or none, requires nothing. */
const requirementsOf = (
  { pointer, security }: Operation,
  document: LoadedDocument,
  nameOf: (name: string) => string = (name) => name,
): Requirements => {
  const own = `${pointer}/security`;
  const read = (one: SecurityRequirement): Requirement =>
    new Map(Object.entries(one).map(([name, scopes]) => [nameOf(name), new Set(scopes)]));
  return {
    pointer: document.spelledAt(own) === undefined ? '/security' : own,
    alternatives: security.length > 0 ? security.map(read) : [new Map()],
  };
};

const textOf = (requirement: Requirement): string =>
  [...requirement]
    .map(([name, scopes]) => (scopes.size > 0 ? `${name} (${[...scopes].join(', ')})` : name))
    .join(' and ') || 'nothing';

const hasAll = (one: Iterable<string>, other: { has(name: string): boolean }): boolean =>
  [...one].every((name) => other.has(name));

/** Tells whether the credentials of the first satisfy the other. */
const satisfies = (presented: Requirement, required: Requirement): boolean =>
  [...required].every(([name, scopes]) => {
    const granted = presented.get(name);
    return granted !== undefined && hasAll(scopes, granted);
  });

const haveSameSchemes = (one: Requirement, other: Requirement): boolean =>
  one.size === other.size && hasAll(one.keys(), other);

const compareOld = (
  { report }: Reporter,
  requirement: Requirement,
  old: Requirements,
  now: Requirements,
): void => {
  if (now.alternatives.some((one) => satisfies(requirement, one))) return;
  const spot = (pointer: string, one: Requirement): Spot => ({ pointer, text: textOf(one) });
  const next = now.alternatives.find((one) => haveSameSchemes(requirement, one));
  const before = spot(old.pointer, requirement);
  if (next) report('security-scope-added', before, spot(now.pointer, next));
  else report('security-alternative-removed', before, undefined);
};

const compareNew = (
  { report }: Reporter,
  requirement: Requirement,
  old: Requirements,
  now: Requirements,
): void => {
  if (old.alternatives.some((one) => satisfies(requirement, one))) return;
  const before = old.alternatives.find((one) => haveSameSchemes(requirement, one));
  const spot = { pointer: now.pointer, text: textOf(requirement) };
  if (before === undefined) report('security-alternative-added', undefined, spot);
  else if (satisfies(before, requirement)) {
    report('security-scope-removed', { pointer: old.pointer, text: textOf(before) }, spot);
  }
};

/** The login that is needed, as the document spells it; undefined: none. */
const loginOf = ({ loggedInUser }: Operation): string | undefined => {
  if (loggedInUser?.required !== true) return undefined;
  const { parameter } = loggedInUser;
  return parameter === undefined ? 'required' : `{${parameter}}`;
};

const compareLogin = ({ report }: Reporter, old: Operation, now: Operation): void => {
  const [was, is] = [loginOf(old), loginOf(now)];
  const spot = (operation: Operation, text: string): Spot => ({
    pointer: `${operation.pointer}/x-logged-in-user`,
    text,
  });
  // A login of one account alone is stricter than a login of any account.
  const isStricter = is !== undefined && is !== was && (was === undefined || is !== 'required');
  if (isStricter) report('login-required', was ? spot(old, was) : undefined, spot(now, is));
  else if (was !== is && was) {
    report('login-not-required', spot(old, was), is ? spot(now, is) : undefined);
  }
};

/** Compares the security of two operations. */
export const compareSecurity = (
  reporter: Reporter,
  oldOperation: Operation,
  newOperation: Operation,
  documents: Documents,
): void => {
  const old = requirementsOf(oldOperation, documents.old, (name) => newSchemeName(name, documents));
  const now = requirementsOf(newOperation, documents.new);
  compareLogin(reporter, oldOperation, newOperation);
  const closed = ({ pointer, alternatives }: Requirements): Spot | undefined =>
    alternatives.some(({ size }) => size === 0)
      ? undefined
      : { pointer, text: alternatives.map(textOf).join(', or ') };
  if (bothOf(reporter, closed(old), closed(now), 'security') === undefined) return;
  for (const requirement of old.alternatives) compareOld(reporter, requirement, old, now);
  for (const requirement of now.alternatives) compareNew(reporter, requirement, old, now);
  const names = oldOperation.security.flatMap((one) => Object.keys(one));
  for (const name of names) compareScheme(reporter, name, documents);
};
