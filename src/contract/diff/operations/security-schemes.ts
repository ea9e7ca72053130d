/** The security schemes of two documents: which of them are the same, and what has changed in them. */

import type { LoadedDocument } from '../../../document/document';
import type { OAuthFlow, SecurityScheme } from '../../../model/document';
import { fieldSpot, type Placed, spotOf } from '../messages/message-comparison';
import { bothOf, entryPairs, type Reporter, type Spot } from '../rules/finding';
import { valueKey } from '../schemas/spelling';

/** Gives the parts of a scheme that tell callers what to send; URLs and scopes have other rules. */
const kindOf = (scheme: SecurityScheme): string => {
  const place = scheme.type === 'apiKey' ? scheme.in : undefined;
  const name = scheme.type === 'apiKey' ? scheme.name : undefined;
  const httpScheme = scheme.type === 'http' ? scheme.scheme.toLowerCase() : undefined;
  const header = place === 'header' ? name?.toLowerCase() : name;
  return JSON.stringify([scheme.type, place, header, httpScheme]);
};

const wholeKey = ({ pointer: _pointer, description: _description, ...rest }: SecurityScheme) =>
  valueKey(rest);

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
type Addressed = Partial<Record<(typeof addressFields)[number], string>> & Placed;

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

type Flow = OAuthFlow & Spot;

const scopesOf = ({ scopes = {}, pointer }: Flow): ReadonlyMap<string, Spot> =>
  new Map(Object.keys(scopes).map((text) => [text, { pointer: `${pointer}/scopes`, text }]));

/** The flows of a scheme as places that are called by their names. */
const flowsOf = (scheme: SecurityScheme): ReadonlyMap<string, Flow> =>
  new Map(
    Object.entries(scheme.type === 'oauth2' ? scheme.flows : {}).map(([name, flow]) => [
      name,
      { ...flow, text: name, pointer: `${scheme.pointer}/flows/${name}` },
    ]),
  );

const compareFlows = (reporter: Reporter, old: SecurityScheme, now: SecurityScheme): void => {
  for (const flows of entryPairs(flowsOf(old), flowsOf(now))) {
    const both = bothOf(reporter, ...flows, 'oauth-flow');
    if (both === undefined) continue;
    compareAddresses(reporter, ...both);
    for (const [was, is] of entryPairs(scopesOf(both[0]), scopesOf(both[1])))
      bothOf(reporter, was, is, 'oauth-scope');
  }
};

const compareDeprecation = (
  reporter: Reporter,
  ...schemes: readonly [SecurityScheme, SecurityScheme]
): void => {
  const [was, is] = schemes.map((one) =>
    one.deprecated ? fieldSpot(one, 'deprecated', true) : undefined,
  );
  const rules = {
    added: 'security-scheme-deprecated',
    removed: 'security-scheme-reactivated',
  } as const;
  bothOf(reporter, was, is, rules);
};

/** Finds the new document's name of a scheme; the old name where it has no such scheme. */
export const newSchemeName = (
  name: string,
  { old: { securitySchemes: olds }, new: { securitySchemes: news } }: Documents,
): string => {
  const scheme = olds.get(name);
  if (scheme === undefined || news.has(name)) return name;
  const key = wholeKey(scheme);
  return [...news].find(([, other]) => wholeKey(other) === key)?.[0] ?? name;
};

/** Compares a scheme of the old document with that of the new one, which may be called otherwise. */
export const compareScheme = (reporter: Reporter, name: string, documents: Documents): void => {
  const old = documents.old.securitySchemes.get(name);
  const now = documents.new.securitySchemes.get(newSchemeName(name, documents));
  if (old === undefined || now === undefined) return;
  const [was, is] = [kindOf(old), kindOf(now)];
  if (was !== is) {
    reporter.report('security-scheme-changed', spotOf(old, was), spotOf(now, is));
    return;
  }
  compareDeprecation(reporter, old, now);
  compareAddresses(reporter, old, now);
  compareFlows(reporter, old, now);
};
