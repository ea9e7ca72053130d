/** Finds what two documents say in the same words: most of what two versions have, and nothing to be compared. */

import { isPlainObject } from '../../../base/plain-object';
import { numberText } from '../../../document/source/exact-numbers';
import type { SourceObjects } from './source-objects';

const prefix = '#/components/schemas/';

/** A test whether two objects are equal, with all that they refer to. */
type IsSame = (old: object, now: object) => boolean;

type Members = Readonly<Record<string, unknown>>;

const schemasOf = ({ document }: SourceObjects): Members =>
  isPlainObject(document.definition.components?.schemas)
    ? document.definition.components.schemas
    : {};

/** The names of components that a value refers to; undefined where it refers to anything else. */
const referredBy = (value: object): readonly string[] | undefined => {
  const refs: string[] = [];
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const ref: unknown = Reflect.get(next, '$ref');
    if (typeof ref === 'string') refs.push(ref);
    for (const member of Object.values(next)) pending.push(member);
  }
  const areNames = refs.every((ref) => ref.startsWith(prefix));
  return areNames ? refs.map((ref) => ref.slice(prefix.length)) : undefined;
};

const haveSameMembers = (old: object, now: object, areSame: IsSame): boolean => {
  const keys = Object.keys(old);
  if (keys.length !== Object.keys(now).length) return false;
  return keys.every((key) => {
    if (!Object.hasOwn(now, key) || numberText(old, key) !== numberText(now, key)) return false;
    const [one, other]: [unknown, unknown] = [Reflect.get(old, key), Reflect.get(now, key)];
    if (typeof one !== 'object' || one === null) return one === other;
    return typeof other === 'object' && other !== null && areSame(one, other);
  });
};

/** Compares word by word; each object is looked at once for the one that it is held against. */
const wordByWord = (): IsSame => {
  const known = new WeakMap<object, { readonly now: object; readonly isSame: boolean }>();
  const areSame: IsSame = (old, now) => {
    const before = known.get(old);
    if (before?.now === now) return before.isSame;
    const isSame = Array.isArray(old) === Array.isArray(now) && haveSameMembers(old, now, areSame);
    known.set(old, { now, isSame });
    return isSame;
  };
  return areSame;
};

/** Gives the references of each component that is equal in both documents; undefined for the others. */
const unchangedComponents = (
  olds: Members,
  news: Members,
  areSame: IsSame,
): ReadonlyMap<string, readonly string[] | undefined> =>
  new Map(
    Object.entries(olds).map(([name, old]) => {
      const now = Object.hasOwn(news, name) ? news[name] : undefined;
      const isUnchanged = isPlainObject(old) && isPlainObject(now) && areSame(old, now);
      return [name, isUnchanged ? referredBy(old) : undefined];
    }),
  );

/** The names that refer to each name. */
const referringTo = (
  components: ReadonlyMap<string, readonly string[] | undefined>,
): ReadonlyMap<string, readonly string[]> => {
  const referring = new Map<string, string[]>();
  for (const [name, targets = []] of components) {
    for (const target of targets) referring.set(target, [...(referring.get(target) ?? []), name]);
  }
  return referring;
};

/** The components that say the same in both documents, as do all that they lead to. */
const sameComponents = (olds: Members, news: Members, areSame: IsSame): ReadonlySet<string> => {
  const components = unchangedComponents(olds, news, areSame);
  const referring = referringTo(components);
  const missing = [...referring.keys()].filter((name) => !components.has(name));
  const changed = [...components].filter(([, names]) => names === undefined).map(([name]) => name);
  // A set that grows while it is walked is walked to its end.
  const different = new Set([...changed, ...missing]);
  for (const name of different) {
    for (const one of referring.get(name) ?? []) different.add(one);
  }
  return new Set([...components.keys()].filter((name) => !different.has(name)));
};

/** Makes the test for two documents. */
export const sameText = (old: SourceObjects, now: SourceObjects): IsSame => {
  const areSame = wordByWord();
  const same = sameComponents(schemasOf(old), schemasOf(now), areSame);
  const known = new WeakMap<object, boolean>();
  const leadsToSame = (value: object): boolean => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const result = referredBy(value)?.every((name) => same.has(name)) === true;
    known.set(value, result);
    return result;
  };
  return (one, other) => areSame(one, other) && leadsToSame(one);
};
