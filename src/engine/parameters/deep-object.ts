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

const gather = (name: string, query: QueryPairs, isOther: (key: string) => boolean): Branch => {
  const root: Branch = { values: [...(query.get(name) ?? [])], members: new Map() };
  const prefix = `${name}[`;
  for (const [key, values] of query) {
    const brackets = key.slice(name.length);
    if (!key.startsWith(prefix) || !bracketed.test(brackets) || isOther(key)) continue;
    const steps = brackets.slice(1, -1).split('][');
    if (steps.length > deepest) {
      throw new MalformedText(`must not nest deeper than ${deepest} levels`);
    }
    let at = root;
    for (const step of steps) {
      const next = at.members.get(step) ?? { values: [], members: new Map() };
      at.members.set(step, next);
      at = next;
    }
    at.values.push(...values);
  }
  return root;
};

/** Tells whether the members can only be the items of an array: `[]` or a number. */
const isListed = (members: ReadonlyMap<string, Branch>): boolean =>
  [...members.keys()].every(isPosition);

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
  const { values, members } = at;
  const kind = shape === undefined || shape.type === 'any' ? undefined : kindOf(shape);
  if (kind === 'list' && isListed(members)) return toList(at, shape);
  if (members.size === 0) {
    const [raw = '', ...more] = values;
    if (more.length > 0) throw new MalformedText('must not name a property more than once');
    return typedReader(shape)(formDecode(raw));
  }
  if (kind === undefined && isListed(members)) return toList(at, undefined);
  const record = emptyRecord<unknown>();
  for (const [key, member] of members) {
    record[key] = toValue(member, shape === undefined ? undefined : memberShape(shape, key));
  }
  return record;
};

/** Makes the reader of a deepObject parameter; undefined stands for an absent one. `isOther` tells of keys that are not its own. */
export const deepObjectReader =
  (name: string, shape: Shape, isOther: (key: string) => boolean) =>
  (query: QueryPairs): unknown => {
    const root = gather(name, query, isOther);
    const isAbsent = root.members.size === 0 && root.values.length === 0;
    return isAbsent ? undefined : toValue(root, shape);
  };
