/** Finds where values stand in a YAML tree, also those that aliases and merge keys bring from elsewhere in the file. */

import { isMap, isNode, isSeq, type Pair, type YAMLMap } from 'yaml';
import { pointerSteps } from '../../lang/json-pointer';
import { memoize } from '../../lang/memoize';
import type { TextPosition } from '../../lang/text-position';
import type { SourceText } from './source-text';
import { isMerge, keyText } from './yaml-values';

/** A member of a map, or an item of a list, which has no key. */
interface Member {
  readonly key: unknown;
  readonly value: unknown;
}

type Members = ReadonlyMap<string, Member>;

/** Makes the finder of positions. */
export const yamlPositions = (
  contents: unknown,
  positionOf: (offset: number) => TextPosition,
  targets: ReadonlyMap<unknown, unknown>,
): SourceText['locate'] => {
  const behindAlias = (node: unknown): unknown => targets.get(node) ?? node;

  const mergedMembers = ({ value }: Pair): (readonly [string, Member])[] => {
    const source = behindAlias(value);
    const sources = isSeq(source) ? source.items : [source];
    return sources.flatMap((one) => [...membersOf(behindAlias(one))]);
  };

  const mapMembers = ({ items }: YAMLMap): Members => {
    const own = items
      .filter((pair) => !isMerge(pair))
      .map((pair): [string, Member] => [keyText(pair.key) ?? '', pair]);
    // What stands first wins: a map's own members, then those of the first map merged in.
    const merged = items.filter(isMerge).flatMap(mergedMembers);
    return new Map([...own, ...merged].reverse());
  };

  const readMembers = (node: unknown): Members => {
    if (isMap(node)) return mapMembers(node);
    const items = isSeq(node) ? node.items : [];
    return new Map(items.map((value, index) => [String(index), { key: undefined, value }]));
  };

  const membersOf: (node: unknown) => Members = memoize(readMembers);

  const offsetOf = (node: unknown): number | undefined =>
    isNode(node) ? node.range?.[0] : undefined;

  return (pointer, ofKey = false) => {
    let found: Member = { key: undefined, value: contents };
    let complete = true;
    for (const step of pointerSteps(pointer)) {
      const next = membersOf(behindAlias(found.value)).get(step);
      complete = next !== undefined;
      if (next === undefined) break;
      found = next;
    }
    // A value that is left out, as in `get:`, stands where its key does.
    const value = offsetOf(found.value) ?? offsetOf(found.key) ?? 0;
    return positionOf(ofKey && complete ? (offsetOf(found.key) ?? value) : value);
  };
};
