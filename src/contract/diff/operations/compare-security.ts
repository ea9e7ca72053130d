/** Compares what a caller must present: each old way to be let in must still be one, by schemes that are the same. */

import type { LoadedDocument } from '../../../document/document';
import type { OAuthFlow, SecurityScheme } from '../../../model/document';
import type { Operation } from '../../../model/operation';
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
    const [before, after] = [old, now].map((place) => fieldSpot(place, field, place[field]));
    report('oauth-address-changed', before, after);
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

/** A way to be let in: scheme names and the scopes of each, all of which must be presented. */
interface Alternative extends Spot {
  readonly schemes: ReadonlyMap<string, readonly string[]>;
}

/** Reads the alternatives of an operation; an empty list, or none, requires nothing. */
const alternativesOf = (
  { pointer, security }: Operation,
  document: LoadedDocument,
  nameIn: (name: string) => string = (name) => name,
): readonly Alternative[] => {
  const own = `${pointer}/security`;
  const place = document.spelledAt(own) === undefined ? '/security' : own;
  return (security.length > 0 ? security : [{}]).map((requirement) => {
    const schemes = Object.entries(requirement).map(
      ([name, scopes]) => [nameIn(name), scopes] as const,
    );
    const texts = schemes.map(([name, scopes]) =>
      scopes.length > 0 ? `${name} (${[...new Set(scopes)].join(', ')})` : name,
    );
    return { pointer: place, text: texts.join(' and ') || 'nothing', schemes: new Map(schemes) };
  });
};

/** Tells whether the credentials of the first satisfy the other. */
const satisfies = (presented: Alternative, required: Alternative): boolean =>
  [...required.schemes].every(([name, scopes]) => {
    const granted = presented.schemes.get(name);
    return granted !== undefined && scopes.every((scope) => granted.includes(scope));
  });

const haveSameSchemes = ({ schemes }: Alternative, other: Alternative): boolean =>
  schemes.size === other.schemes.size &&
  [...schemes.keys()].every((name) => other.schemes.has(name));

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
  const { report } = reporter;
  const olds = alternativesOf(oldOperation, documents.old, (name) =>
    newSchemeName(name, documents),
  );
  const news = alternativesOf(newOperation, documents.new);
  compareLogin(reporter, oldOperation, newOperation);
  const closed = (alternatives: readonly Alternative[]): Spot | undefined =>
    alternatives.some(({ schemes }) => schemes.size === 0)
      ? undefined
      : {
          pointer: alternatives[0]?.pointer ?? '',
          text: alternatives.map(({ text }) => text).join(', or '),
        };
  if (bothOf(reporter, closed(olds), closed(news), 'security') === undefined) return;
  // Old ways to be let in that are gone, and new ones.
  for (const before of olds) {
    if (news.some((required) => satisfies(before, required))) continue;
    const after = news.find((required) => haveSameSchemes(before, required));
    report(after ? 'security-scope-added' : 'security-alternative-removed', before, after);
  }
  for (const after of news) {
    if (olds.some((presented) => satisfies(after, presented))) continue;
    const before = olds.find((presented) => haveSameSchemes(after, presented));
    if (before === undefined) report('security-alternative-added', undefined, after);
    else if (satisfies(before, after)) report('security-scope-removed', before, after);
  }
  const names = oldOperation.security.flatMap((requirement) => Object.keys(requirement));
  for (const name of names) compareScheme(reporter, name, documents);
};
