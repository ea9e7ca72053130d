/** The security schemes of two documents: which of them are the same, and what has changed in them. */

import { isPlainObject, type PlainObject } from '../../../base/plain-object';
import type { Spot } from '../rules/finding';
import type { DiffRuleId } from '../rules/rules';
import type { SourceObject, SourceObjects } from '../values/source-objects';
import { keyIn } from '../values/value-text';

type Schemes = ReadonlyMap<string, SourceObject>;

const schemesOf = ({ document, entries }: SourceObjects): Schemes =>
  new Map(entries(document.definition.components?.securitySchemes));

/** Gives the parts of a scheme that tell callers what to send; URLs and scopes have other rules. */
const kindOf = ({ value }: SourceObject): string => {
  const scheme = typeof value['scheme'] === 'string' ? value['scheme'].toLowerCase() : undefined;
  const name = value['in'] === 'header' ? String(value['name']).toLowerCase() : value['name'];
  return JSON.stringify([value['type'], value['in'], name, scheme]);
};

const wholeKey = ({ value }: SourceObject): string => {
  const { description: _description, ...rest } = value;
  return keyIn({ rest }, 'rest');
};

/** The differences between two documents' schemes. */
export interface SchemeComparison {
  /** Gives the new document's name of a scheme; the old name where it has no such scheme. */
  newName(name: string): string;
  /** Gives the changes of a scheme. */
  changesOf(name: string): readonly SchemeChange[];
}

/** A change of a scheme. */
interface SchemeChange {
  readonly rule: DiffRuleId;
  readonly old: Spot | undefined;
  readonly new: Spot | undefined;
}

const membersOf = (value: PlainObject, field: string): Readonly<Record<string, unknown>> => {
  const members = value[field];
  return isPlainObject(members) ? members : {};
};

const addresses = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'openIdConnectUrl'] as const;

const addressChanges = (old: SourceObject, now: SourceObject): readonly SchemeChange[] =>
  addresses
    .filter((field) => old.value[field] !== undefined && old.value[field] !== now.value[field])
    .map((field) => ({
      rule: 'oauth-address-changed',
      old: { pointer: `${old.pointer}/${field}`, text: String(old.value[field]) },
      new: { pointer: `${now.pointer}/${field}`, text: String(now.value[field]) },
    }));

const scopeChanges = (old: SourceObject, now: SourceObject): readonly SchemeChange[] => {
  const [olds, news] = [membersOf(old.value, 'scopes'), membersOf(now.value, 'scopes')];
  const spot = ({ pointer }: SourceObject, text: string): Spot => ({
    pointer: `${pointer}/scopes`,
    text,
  });
  const removed = Object.keys(olds).filter((name) => !Object.hasOwn(news, name));
  const added = Object.keys(news).filter((name) => !Object.hasOwn(olds, name));
  return [
    ...removed.map((name) => ({
      rule: 'oauth-scope-removed' as const,
      old: spot(old, name),
      new: undefined,
    })),
    ...added.map((name) => ({
      rule: 'oauth-scope-added' as const,
      old: undefined,
      new: spot(now, name),
    })),
  ];
};

const flowChanges = (old: SourceObject, now: SourceObject): readonly SchemeChange[] => {
  const [olds, news] = [membersOf(old.value, 'flows'), membersOf(now.value, 'flows')];
  const flowAt = ({ pointer }: SourceObject, flows: object, name: string): SourceObject => {
    const value: unknown = Reflect.get(flows, name);
    return { value: isPlainObject(value) ? value : {}, pointer: `${pointer}/flows/${name}` };
  };
  return [...new Set([...Object.keys(olds), ...Object.keys(news)])].flatMap((name) => {
    const [was, is] = [flowAt(old, olds, name), flowAt(now, news, name)];
    if (!Object.hasOwn(news, name)) {
      const spot = { pointer: was.pointer, text: name };
      return [{ rule: 'oauth-flow-removed' as const, old: spot, new: undefined }];
    }
    if (!Object.hasOwn(olds, name)) {
      const spot = { pointer: is.pointer, text: name };
      return [{ rule: 'oauth-flow-added' as const, old: undefined, new: spot }];
    }
    return [...addressChanges(was, is), ...scopeChanges(was, is)];
  });
};

const schemeChanges = (old: SourceObject, now: SourceObject): readonly SchemeChange[] => {
  const [was, is] = [kindOf(old), kindOf(now)];
  if (was !== is) {
    const spot = ({ pointer }: SourceObject, text: string): Spot => ({ pointer, text });
    return [{ rule: 'security-scheme-changed', old: spot(old, was), new: spot(now, is) }];
  }
  return [...addressChanges(old, now), ...flowChanges(old, now)];
};

/** Compares the schemes of two documents; those that are called otherwise and are the same are known to be. */
export const compareSchemes = (old: SourceObjects, now: SourceObjects): SchemeComparison => {
  const [olds, news] = [schemesOf(old), schemesOf(now)];
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
