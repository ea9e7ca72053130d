/** `name[key][key]=value` pairs as one nested value (OAS 3.0.3, Style Values, deepObject). */

import { MalformedText } from '../../base/malformed-text';
import { emptyRecord } from '../../base/plain-object';
import { itemShape, memberShape, type Shape } from '../../schema/shape';
import { formDecode, isPosition, kindOf, type QueryPairs, typedReader } from './typed-value';

/** The values given under one name, and those under the names inside its brackets. */
interface Branch {
  readonly values: string[];
  readonly members: Map<string, Branch>;
}

const deepest = 10;
const bracketed = /^(?:\[[^[\]]*\])+$/;

const branch = (values: readonly string[] = []): Branch => ({
  values: [...values],
  members: new Map(),
});

const grow = (root: Branch, keys: readonly string[]): Branch => {
  if (keys.length > deepest) throw new MalformedText(`must not nest deeper than ${deepest} levels`);
  let at = root;
  for (const key of keys) {
    const next = at.members.get(key) ?? branch();
    at.members.set(key, next);
    at = next;
  }
  return at;
};

const gather = (name: string, query: QueryPairs, isOther: (key: string) => boolean): Branch => {
  const root = branch(query.get(name));
  const prefix = `${name}[`;
  for (const [key, values] of query) {
    const brackets = key.slice(name.length);
    if (!key.startsWith(prefix) || !bracketed.test(brackets) || isOther(key)) continue;
    grow(root, brackets.slice(1, -1).split('][')).values.push(...values);
  }
  return root;
};

const single = (values: readonly string[], shape: Shape | undefined): unknown => {
  const [raw = '', ...more] = values;
  if (more.length > 0) throw new MalformedText('must not name a property more than once');
  return typedReader(shape)(formDecode(raw));
};

/** Tells whether the members can only be the items of an array: `[]` or a number. */
const isListed = (members: ReadonlyMap<string, Branch>): boolean =>
  [...members.keys()].every(isPosition);

const toObject = (members: ReadonlyMap<string, Branch>, shape: Shape | undefined): unknown => {
  const record = emptyRecord<unknown>();
  for (const [key, member] of members) {
    record[key] = toValue(member, shape === undefined ? undefined : memberShape(shape, key));
  }
  return record;
};

/** Returns the items in the order of their numbers, those without one first. Gaps close, so that no number makes a long array. */
const toList = ({ values, members }: Branch, shape: Shape | undefined): unknown[] => {
  const numbered = [...members].sort(([one], [other]) => Number(one) - Number(other));
  const below = numbered.flatMap(([key, member]): (string | Branch)[] =>
    key === '' && member.members.size === 0 ? member.values : [member],
  );
  return [...values, ...below].map((item, index) => {
    const inner = shape && itemShape(shape, index);
    return typeof item === 'string' ? typedReader(inner)(formDecode(item)) : toValue(item, inner);
  });
};

/** Reads by the shape; names that do not suit it give the value their own form, for validation to refuse. */
const toValue = (at: Branch, shape: Shape | undefined): unknown => {
  const kind = shape === undefined || shape.type === 'any' ? undefined : kindOf(shape);
  if (kind === 'list' && isListed(at.members)) return toList(at, shape);
  if (at.members.size === 0) return single(at.values, shape);
  if (kind === undefined && isListed(at.members)) return toList(at, undefined);
  return toObject(at.members, shape);
};

/** Makes the reader of a deepObject parameter; undefined stands for an absent one. `isOther` tells of keys that are not its own. */
export const deepObjectReader =
  (name: string, shape: Shape, isOther: (key: string) => boolean) =>
  (query: QueryPairs): unknown => {
    const root = gather(name, query, isOther);
    const isAbsent = root.members.size === 0 && root.values.length === 0;
    return isAbsent ? undefined : toValue(root, shape);
  };
