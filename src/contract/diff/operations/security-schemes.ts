/** The security schemes of two documents: which of them are the same, and what has changed in them. */

import type { LoadedDocument } from '../../../document/document';
import type { OAuthFlow, SecurityScheme } from '../../../model/document';
import { fieldSpot, type Placed, spotOf } from '../messages/message-comparison';
import { entryPairs, type Spot } from '../rules/finding';
import type { DiffRuleId } from '../rules/rules';
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

/** The differences between two documents' schemes. */
interface SchemeComparison {
  /** Gives the new document's name of a scheme; the old name where it has no such scheme. */
  newName(name: string): string;
  /** Gives the changes of a scheme. */
  changesOf(name: string): readonly SchemeChange[];
}

/** The two documents, and what their operations share. */
export interface Shared {
  readonly old: LoadedDocument;
  readonly new: LoadedDocument;
  readonly schemes: SchemeComparison;
}

/** A change of a scheme. */
interface SchemeChange {
  readonly rule: DiffRuleId;
  readonly old: Spot | undefined;
  readonly new: Spot | undefined;
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

const addressChanges = (old: Addressed, now: Addressed): readonly SchemeChange[] =>
  addressFields
    .filter((field) => old[field] !== undefined && old[field] !== now[field])
    .map((field) => ({
      rule: 'oauth-address-changed',
      old: fieldSpot(old, field, old[field]),
      new: fieldSpot(now, field, now[field]),
    }));

type Flow = OAuthFlow & Placed & { readonly name: string };

const scopesOf = ({ scopes = {}, pointer }: Flow): ReadonlyMap<string, Spot> =>
  new Map(Object.keys(scopes).map((text) => [text, { pointer: `${pointer}/scopes`, text }]));

const scopeChanges = (old: Flow, now: Flow): readonly SchemeChange[] =>
  entryPairs(scopesOf(old), scopesOf(now))
    .filter(([was, is]) => was === undefined || is === undefined)
    .map(([was, is]) => ({
      rule: was === undefined ? 'oauth-scope-added' : 'oauth-scope-removed',
      old: was,
      new: is,
    }));

const flowsOf = (scheme: SecurityScheme): ReadonlyMap<string, Flow> =>
  new Map(
    Object.entries(scheme.type === 'oauth2' ? scheme.flows : {}).map(([name, flow]) => [
      name,
      { ...flow, name, pointer: `${scheme.pointer}/flows/${name}` },
    ]),
  );

const flowChanges = (old: SecurityScheme, now: SecurityScheme): readonly SchemeChange[] => {
  return entryPairs(flowsOf(old), flowsOf(now)).flatMap(([was, is]): readonly SchemeChange[] => {
    if (was && is) return [...addressChanges(was, is), ...scopeChanges(was, is)];
    const [before, after] = [was && spotOf(was, was.name), is && spotOf(is, is.name)];
    return [{ rule: was ? 'oauth-flow-removed' : 'oauth-flow-added', old: before, new: after }];
  });
};

const deprecationChanges = (old: SecurityScheme, now: SecurityScheme): readonly SchemeChange[] => {
  const [was, is] = [old, now].map((one) => one.deprecated && fieldSpot(one, 'deprecated', true));
  if (!was === !is) return [];
  const rule = is ? 'security-scheme-deprecated' : 'security-scheme-reactivated';
  return [{ rule, old: was || undefined, new: is || undefined }];
};

const schemeChanges = (old: SecurityScheme, now: SecurityScheme): readonly SchemeChange[] => {
  const [was, is] = [kindOf(old), kindOf(now)];
  if (was !== is) {
    return [{ rule: 'security-scheme-changed', old: spotOf(old, was), new: spotOf(now, is) }];
  }
  return [...deprecationChanges(old, now), ...addressChanges(old, now), ...flowChanges(old, now)];
};

/** Compares the schemes of two documents; those that are called otherwise and are the same are known to be. */
export const compareSchemes = (
  { securitySchemes: olds }: LoadedDocument,
  { securitySchemes: news }: LoadedDocument,
): SchemeComparison => {
  const newName = (name: string): string => {
    const scheme = olds.get(name);
    if (scheme === undefined || news.has(name)) return name;
    const key = wholeKey(scheme);
    return [...news].find(([, other]) => wholeKey(other) === key)?.[0] ?? name;
  };
  return {
    newName,
    changesOf: (name) => {
      const [scheme, next] = [olds.get(name), news.get(newName(name))];
      return scheme && next ? schemeChanges(scheme, next) : [];
    },
  };
};
