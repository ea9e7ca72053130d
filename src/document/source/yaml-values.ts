/** Makes plain values of a YAML tree: aliases and merge keys followed within bounds, keys told apart, numbers exact. */

import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { exactNumber } from '../../base/exact-number';
import { isPlainObject, type PlainObject, setOwn } from '../../base/plain-object';
import type { Steps } from '../../base/run-in-steps';
import type { RuleName } from '../diagnostics/diagnostic';
import type { LoadLimits } from './source-text';

/** Returns the text of a key as the file spells it; undefined where it is not plain text. */
export const keyText = (key: unknown): string | undefined => {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
};

/** Tells whether a member merges others into its map (`<<`, as YAML 1.1 and most tools have it). */
export const isMerge = (pair: Pair): boolean =>
  isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.value === '<<';

/** Returns the value of a scalar; the parser gives integers, also in hexadecimal or octal, as bigint. */
const scalarValue = ({ value, source = '' }: Scalar, { numberOf }: LoadLimits): unknown => {
  // A number that is too long is none, so that it is not rounded.
  if (typeof value === 'number') {
    return numberOf(source) ?? (Number.isFinite(value) ? Number.NaN : value);
  }
  if (typeof value !== 'bigint') return value;
  const digits = /^-?\d+$/.test(source) ? source : String(value);
  return numberOf(digits) ?? (numberOf === exactNumber ? value : Number.NaN);
};

/** Converts the tree of one file; gives its values, and the node that each alias stands for. */
export function* yamlValues(
  contents: unknown,
  refuse: (rule: RuleName, message: string, node: unknown) => never,
  limits: LoadLimits,
): Steps<{ readonly value: unknown; readonly targets: ReadonlyMap<unknown, unknown> }> {
  // The size counts the values that one consists of, those of its aliases included.
  const anchors = new Map<string, { node: unknown; value: unknown; size: number } | 'open'>();
  const targets = new Map<unknown, unknown>();
  let size = 0;
  let repeated = 0;

  const repeat = (count: number, node: unknown): void => {
    size += count;
    repeated += count;
    if (repeated <= limits.repeatedValues) return;
    refuse('too-large', 'Aliases repeat too much of the file. Write fewer of them.', node);
  };

  const readAlias = (alias: Alias): unknown => {
    const anchored = anchors.get(alias.source);
    if (anchored === undefined || anchored === 'open') {
      const fault = anchored
        ? 'contains itself by this alias. Use a $ref instead.'
        : 'is not defined before this alias. Define it.';
      return refuse('yaml', `The anchor &${alias.source} ${fault}`, alias);
    }
    targets.set(alias, anchored.node);
    repeat(anchored.size, alias);
    return anchored.value;
  };

  function* merge(object: PlainObject, { value }: Pair, map: YAMLMap): Steps<void> {
    const source = yield* read(value);
    const node = value ?? map;
    const merged: readonly unknown[] = Array.isArray(source) ? source : [source];
    for (const members of merged) {
      if (!isPlainObject(members)) {
        refuse('yaml', 'The merge key << must name a map or a list of maps. Correct it.', node);
      }
      const missing = Object.keys(members).filter((key) => !Object.hasOwn(object, key));
      repeat(missing.length, node);
      for (const key of missing) setOwn(object, key, members[key]);
    }
  }

  function* readMap(map: YAMLMap): Steps<PlainObject> {
    yield;
    const object: PlainObject = {};
    for (const { key, value } of map.items.filter((pair) => !isMerge(pair))) {
      const name = keyText(key);
      if (name === undefined) {
        refuse('yaml', 'A key must be plain text. Quote it, or write it out.', key ?? map);
      } else if (Object.hasOwn(object, name)) {
        const message = `Duplicate key ${name}. Remove or rename one of the two.`;
        refuse('duplicate-key', message, key);
      } else setOwn(object, name, yield* read(value));
    }
    // A map's own members win, wherever the merge key stands.
    for (const pair of map.items) if (isMerge(pair)) yield* merge(object, pair, map);
    return object;
  }

  function* readSeq(seq: YAMLSeq): Steps<unknown[]> {
    const list: unknown[] = [];
    for (const node of seq.items) list.push(yield* read(node));
    return list;
  }

  function* read(node: unknown): Steps<unknown> {
    size += 1;
    if (isAlias(node)) return readAlias(node);
    if (!isCollection(node) && !isScalar(node)) return null;
    const { anchor } = node;
    const before = size;
    if (anchor !== undefined) anchors.set(anchor, 'open');
    let value: unknown;
    if (isScalar(node)) value = scalarValue(node, limits);
    else value = yield* isMap(node) ? readMap(node) : readSeq(node);
    if (anchor !== undefined) anchors.set(anchor, { node, value, size: size - before + 1 });
    return value;
  }

  return { value: yield* read(contents), targets };
}
