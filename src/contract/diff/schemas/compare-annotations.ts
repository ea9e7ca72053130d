/** Compares lists, exclusions, discriminators, defaults and deprecation. */

import { pointerTo } from '../../../base/json-pointer';
import type { Discriminator, Schema } from '../../../model/schema';
import { valueKey } from '../../../schema/validation/checks/equality-checks';
import { bothOf, entryPairs, type Spot } from '../rules/finding';
import { areDisjoint } from './compare-unions';
import type { MergedSchema } from './merged-schema';
import { mayExceed } from './possible-values';
import {
  bothUnlessIdle,
  isEqual,
  type Keyword,
  keywordOf,
  keywordsOf,
  type SchemaPair,
  valueSpot,
  type Wire,
} from './schema-pair';

/** Compares the items of lists. */
export const compareItems = (pair: SchemaPair): void => {
  const { old, new: now } = pair;
  if (!old.types.has('array') || !now.types.has('array')) return;
  const unique = [keywordOf(old, 'uniqueItems'), keywordOf(now, 'uniqueItems')] as const;
  // One item alone is unique.
  bothUnlessIdle(pair, unique, 'unique-items', (_one, _own, other) => !mayExceed(other, 1));
  // Items without a name have that of the element around them, if there is one, or of the property (OAS 3.0.3, XML Object).
  const nameOf = (schema: MergedSchema): string | undefined => {
    const { nodeType, name } = keywordOf(schema, 'xml')?.value ?? {};
    return nodeType === 'element' ? name : undefined;
  };
  const { xml, octets } = pair.wire;
  const names = xml && { old: nameOf(old) ?? xml.old, new: nameOf(now) ?? xml.new };
  const itemXml = names && { ...names, isProperty: false };
  const wire: Wire = { ...pair.wire, xml: itemXml, octets: octets && 'whole' };
  const prefix = Math.max(old.prefixLength, now.prefixLength);
  // Past the prefix all items are the same.
  const isThere = (at: number) => [old, now].some((schema) => mayExceed(schema, at));
  for (let at = 0; at <= prefix && isThere(at); at += 1) {
    const [oldItem, newItem] = [old.item(at), now.item(at)];
    if (oldItem ?? newItem)
      pair.compareParts(oldItem ?? old.merge([]), newItem ?? now.merge([]), wire);
  }
};

/** Compares what is excluded. */
export const compareNot = (pair: SchemaPair): void => {
  const notsOf = (schema: MergedSchema): readonly MergedSchema[] =>
    keywordsOf(schema, 'not').map(({ value }) => schema.merge([value]));
  const [olds, news] = [notsOf(pair.old), notsOf(pair.new)];
  const removed = olds.find(
    (old) => !news.some((now) => isEqual(pair, old, now)) && !areDisjoint(old, pair.new),
  );
  const added = news.find(
    (now) => !olds.some((old) => isEqual(pair, old, now)) && !areDisjoint(now, pair.old),
  );
  const both = bothOf(pair, removed, added, 'not');
  if (both) pair.report('not-changed', ...both);
};

/** Finds the default, which may also be false or null. */
const defaultOf = ({ parts, document }: MergedSchema): Keyword | undefined => {
  const part = parts.find(({ default: value }) => value !== undefined);
  if (part === undefined) return undefined;
  return { ...valueSpot(document, document.fieldOf(part, 'default')), part, value: part.default };
};

/** Compares `default`. */
export const compareDefaults = (pair: SchemaPair): void => {
  const both = bothOf(pair, defaultOf(pair.old), defaultOf(pair.new), 'default');
  const [key, other] = (both ?? []).map(({ value }) => valueKey(value));
  if (both && key !== other) pair.report('default-changed', ...both);
};

/** Compares `deprecated`. */
export const compareDeprecation = (pair: SchemaPair): void => {
  const [old, now] = [keywordOf(pair.old, 'deprecated'), keywordOf(pair.new, 'deprecated')];
  bothOf(pair, old, now, { added: 'schema-deprecated', removed: 'schema-reactivated' });
};

type Target = Spot & { readonly text: string; readonly schema: Schema };

/** Lists the targets by value; that of values which name none by undefined. */
const targetsOf = ({
  value: { mapping, defaultMapping },
  pointer,
}: Keyword<Discriminator>): ReadonlyMap<string | undefined, Target> => {
  const targets = new Map<string | undefined, Target>();
  const add = (name: string | undefined, schema: Schema, at: string) =>
    targets.set(name, { pointer: at, text: schema.component ?? `#${schema.pointer}`, schema });
  for (const [name, schema] of mapping) {
    add(name, schema, pointerTo(pointerTo(pointer, 'mapping'), name));
  }
  if (defaultMapping) add(undefined, defaultMapping, pointerTo(pointer, 'defaultMapping'));
  return targets;
};

/** Compares `discriminator`. */
export const compareDiscriminators = (pair: SchemaPair): void => {
  const [before, after] = [pair.old, pair.new].map((schema) => keywordOf(schema, 'discriminator'));
  const both = bothOf(pair, before, after, 'discriminator');
  if (both === undefined) return;
  const [old, now] = both.map(({ pointer, value }) => ({ pointer, text: value.propertyName }));
  if (old?.text !== now?.text) pair.report('discriminator-property-changed', old, now);
  const alternatives = pair.new.unions().flatMap(({ branches }) => branches);
  const kept = new Set([...pair.new.parts, ...alternatives].map(({ pointer }) => pointer));
  // A component may have another name and stay the same.
  const isSame = (one: Target, other: Target): boolean =>
    one.text === other.text ||
    ((one.schema.error ?? other.schema.error) === undefined &&
      isEqual(pair, pair.old.merge([one.schema]), pair.new.merge([other.schema])));
  for (const [oldTarget, newTarget] of entryPairs(targetsOf(both[0]), targetsOf(both[1]))) {
    // A removed alternative is reported by itself.
    if (oldTarget && !newTarget && !kept.has(oldTarget.schema.pointer)) continue;
    const targets = bothOf(pair, oldTarget, newTarget, 'discriminator-mapping');
    if (targets && !isSame(...targets)) pair.report('discriminator-mapping-changed', ...targets);
  }
};
