/** Compares what a caller must present: each old way to be let in must still be one, by schemes that are the same. */

import type { LoadedDocument } from '../../../document/document';
import type { OAuthFlow, SecurityScheme } from '../../../model/document';
import type { Operation, SecurityRequirement } from '../../../model/operation';
import { valueKey } from '../../../schema/validation/checks/equality-checks';
import { fieldSpot, type PlacedObject, spotOf } from '../messages/message-comparison';
import { bothOf, entryPairs, type Reporter, type Spot } from '../rules/finding';

/** The two documents. */
export interface Documents {
  readonly old: LoadedDocument;
  readonly new: LoadedDocument;
}

const addressFields = [
  'authorizationUrl',
  'deviceAuthorizationUrl',
  'tokenUrl',
  'refreshUrl',
  'openIdConnectUrl',
  'oauth2MetadataUrl',
] as const;

/** A flow, or a scheme with URLs of its own. */
type Addressed = Partial<Record<(typeof addressFields)[number], string>> & PlacedObject;

const compareAddresses = ({ report }: Reporter, old: Addressed, now: Addressed): void => {
  for (const field of addressFields) {
    if (old[field] === undefined || old[field] === now[field]) continue;
    report(
      'oauth-address-changed',
      fieldSpot(old, field, old[field]),
      fieldSpot(now, field, now[field]),
    );
  }
};

/** Compares the flows of two schemes: a flow is a place that is called by its name. */
const compareFlows = (reporter: Reporter, old: SecurityScheme, now: SecurityScheme): void => {
  type Flow = OAuthFlow & Spot;
  const flowsOf = (scheme: SecurityScheme): ReadonlyMap<string, Flow> =>
    new Map(
      Object.entries(scheme.type === 'oauth2' ? scheme.flows : {}).map(([name, flow]) => [
        name,
        { ...flow, text: name, pointer: `${scheme.pointer}/flows/${name}` },
      ]),
    );
  const scopesOf = ({ scopes = {}, pointer }: Flow): ReadonlyMap<string, Spot> =>
    new Map(Object.keys(scopes).map((text) => [text, { pointer: `${pointer}/scopes`, text }]));
  for (const flows of entryPairs(flowsOf(old), flowsOf(now))) {
    const both = bothOf(reporter, ...flows, 'oauth-flow');
    if (both === undefined) continue;
    compareAddresses(reporter, ...both);
    for (const scopes of entryPairs(scopesOf(both[0]), scopesOf(both[1]))) {
      bothOf(reporter, ...scopes, 'oauth-scope');
    }
  }
};

/** Finds the new document's name of a scheme; the old name where it has no such scheme. */
const newSchemeName = (
  name: string,
  { old: { securitySchemes: olds }, new: { securitySchemes: news } }: Documents,
): string => {
  const scheme = olds.get(name);
  if (scheme === undefined || news.has(name)) return name;
  const keyOf = ({ pointer: _, description: _text, ...rest }: SecurityScheme) => valueKey(rest);
  return [...news].find(([, other]) => keyOf(other) === keyOf(scheme))?.[0] ?? name;
};

/** Compares a scheme of the old document with that of the new one, which may be called otherwise. */
const compareScheme = (reporter: Reporter, name: string, documents: Documents): void => {
  const old = documents.old.securitySchemes.get(name);
  const now = documents.new.securitySchemes.get(newSchemeName(name, documents));
  if (old === undefined || now === undefined) return;
  // The parts that tell callers what to send; URLs and scopes have other rules.
  const sentBy = (scheme: SecurityScheme): string => {
    const [place, key] = scheme.type === 'apiKey' ? [scheme.in, scheme.name] : [];
    const httpScheme = scheme.type === 'http' ? scheme.scheme.toLowerCase() : undefined;
    const keyName = place === 'header' ? key?.toLowerCase() : key;
    return JSON.stringify([scheme.type, place, keyName, httpScheme]);
  };
  if (sentBy(old) !== sentBy(now)) {
    const spots = [spotOf(old, sentBy(old)), spotOf(now, sentBy(now))] as const;
    reporter.report('security-scheme-changed', ...spots);
    return;
  }
  const deprecation = (scheme: SecurityScheme) =>
    scheme.deprecated ? fieldSpot(scheme, 'deprecated', true) : undefined;
  bothOf(reporter, deprecation(old), deprecation(now), {
    added: 'security-scheme-deprecated',
    removed: 'security-scheme-reactivated',
  });
  compareAddresses(reporter, old, now);
  compareFlows(reporter, old, now);
};

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
  nameIn: (name: string) => string = (name) => name,
): Requirements => {
  const own = `${pointer}/security`;
  const read = (requirement: SecurityRequirement): Requirement =>
    new Map(Object.entries(requirement).map(([name, scopes]) => [nameIn(name), new Set(scopes)]));
  return {
    pointer: document.spelledAt(own) === undefined ? '/security' : own,
    alternatives: security.length > 0 ? security.map(read) : [new Map()],
  };
};

const requirementText = (requirement: Requirement): string =>
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

/** Reports old ways to be let in that are gone, and new ones. */
const compareAlternatives = ({ report }: Reporter, old: Requirements, now: Requirements): void => {
  const spot = ({ pointer }: Requirements, requirement: Requirement): Spot => ({
    pointer,
    text: requirementText(requirement),
  });
  for (const before of old.alternatives) {
    if (now.alternatives.some((required) => satisfies(before, required))) continue;
    const after = now.alternatives.find((required) => haveSameSchemes(before, required));
    if (after) report('security-scope-added', spot(old, before), spot(now, after));
    else report('security-alternative-removed', spot(old, before), undefined);
  }
  for (const after of now.alternatives) {
    if (old.alternatives.some((presented) => satisfies(after, presented))) continue;
    const before = old.alternatives.find((presented) => haveSameSchemes(after, presented));
    if (before === undefined) report('security-alternative-added', undefined, spot(now, after));
    else if (satisfies(before, after)) {
      report('security-scope-removed', spot(old, before), spot(now, after));
    }
  }
};

const compareLogin = ({ report }: Reporter, old: Operation, now: Operation): void => {
  // The login that is needed, as the document spells it; undefined: none.
  const loginOf = ({ loggedInUser }: Operation): string | undefined => {
    if (loggedInUser?.required !== true) return undefined;
    const { parameter } = loggedInUser;
    return parameter === undefined ? 'required' : `{${parameter}}`;
  };
  const [before, after] = [loginOf(old), loginOf(now)];
  if (before === after) return;
  const spot = ({ pointer }: Operation, text: string | undefined): Spot | undefined =>
    text === undefined ? undefined : { pointer: `${pointer}/x-logged-in-user`, text };
  // A login of one account alone is stricter than a login of any account.
  const isStricter = after !== undefined && (before === undefined || after !== 'required');
  const rule = isStricter ? 'login-required' : 'login-not-required';
  report(rule, spot(old, before), spot(now, after));
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
      : { pointer, text: alternatives.map(requirementText).join(', or ') };
  if (bothOf(reporter, closed(old), closed(now), 'security') === undefined) return;
  compareAlternatives(reporter, old, now);
  const names = oldOperation.security.flatMap((requirement) => Object.keys(requirement));
  for (const name of names) compareScheme(reporter, name, documents);
};
