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
  type Wire,
} from './schema-pair';
import { valueSpot } from './spelling';

const itemWire = (pair: SchemaPair): Wire => {
  const { wire } = pair;
  return {
    ...wire,
    xml: wire.xml && { ...wire.xml, ...itemNames(pair, wire.xml), isProperty: false },
    octets: wire.octets && 'whole',
  };
};

/** Compares the items of lists. */
export const compareItems = (pair: SchemaPair): void => {
  const { old, new: now } = pair;
  if (!old.types.has('array') || !now.types.has('array')) return;
  const unique = [keywordOf(old, 'uniqueItems'), keywordOf(now, 'uniqueItems')] as const;
  // One item alone is unique.
  bothUnlessIdle(pair, unique, 'unique-items', (_one, _own, other) => !mayExceed(other, 1));
  const prefix = Math.max(old.prefixLength, now.prefixLength);
  // Past the prefix all items are the same.
  const isThere = (at: number) => [old, now].some((schema) => mayExceed(schema, at));
  for (let at = 0; at <= prefix && isThere(at); at += 1) {
    const [oldItem, newItem] = [old.item(at), now.item(at)];
    if (oldItem ?? newItem)
      pair.compareParts(oldItem ?? old.merge([]), newItem ?? now.merge([]), itemWire(pair));
  }
};

const xmlName = (schema: MergedSchema): string | undefined => {
  const { nodeType, name } = keywordOf(schema, 'xml')?.value ?? {};
  return nodeType === 'element' ? name : undefined;
};

/** Items without a name are called as the element around them, if there is one, or as the property (OAS 3.0.3, XML Object). */
const itemNames = (
  pair: SchemaPair,
  names: { readonly old: string; readonly new: string },
): { readonly old: string; readonly new: string } => ({
  old: xmlName(pair.old) ?? names.old,
  new: xmlName(pair.new) ?? names.new,
});

/** Compares what is excluded. */
export const compareNot = (pair: SchemaPair): void => {
  const notsOf = (schema: MergedSchema): readonly MergedSchema[] =>
    keywordsOf(schema, 'not').map(({ value }) => schema.merge([value]));
  const [olds, news] = [notsOf(pair.old), notsOf(pair.new)];
  const removed = olds.filter(
    (old) => !news.some((now) => isEqual(pair, old, now)) && !areDisjoint(old, pair.new),
  );
  const added = news.filter(
    (now) => !olds.some((old) => isEqual(pair, old, now)) && !areDisjoint(now, pair.old),
  );
  const both = bothOf(pair, removed[0], added[0], 'not');
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
  const [old, now] = bothOf(pair, defaultOf(pair.old), defaultOf(pair.new), 'default') ?? [];
  if (old === undefined || now === undefined) return;
  if (valueKey(old.value) !== valueKey(now.value)) pair.report('default-changed', old, now);
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
  const targetOf = (schema: Schema, at: string): Target => {
    return { pointer: at, text: schema.component ?? `#${schema.pointer}`, schema };
  };
  const targets = new Map<string | undefined, Target>(
    [...mapping].map(([name, schema]) => [
      name,
      targetOf(schema, pointerTo(pointerTo(pointer, 'mapping'), name)),
    ]),
  );
  if (defaultMapping === undefined) return targets;
  return targets.set(undefined, targetOf(defaultMapping, pointerTo(pointer, 'defaultMapping')));
};

/** Tells whether the new schema still has the alternative that a value of the old mapping stood for. */
const hasAlternative = ({ new: now }: SchemaPair, { pointer }: Schema): boolean => {
  const alternatives = now.unions().flatMap(({ branches }) => branches);
  return [...now.parts, ...alternatives].some((schema) => schema.pointer === pointer);
};

/** A component may have another name and stay the same. */
const isSameTarget = (pair: SchemaPair, { text, schema }: Target, now: Target): boolean =>
  text === now.text ||
  (schema.error === undefined &&
    now.schema.error === undefined &&
    isEqual(pair, pair.old.merge([schema]), pair.new.merge([now.schema])));

const compareMappings = (
  pair: SchemaPair,
  old: Keyword<Discriminator>,
  now: Keyword<Discriminator>,
): void => {
  for (const [oldTarget, newTarget] of entryPairs(targetsOf(old), targetsOf(now))) {
    // A removed alternative is reported by itself.
    if (oldTarget && !newTarget && !hasAlternative(pair, oldTarget.schema)) continue;
    const both = bothOf(pair, oldTarget, newTarget, 'discriminator-mapping');
    if (both && !isSameTarget(pair, ...both)) pair.report('discriminator-mapping-changed', ...both);
  }
};

/** Compares `discriminator`. */
export const compareDiscriminators = (pair: SchemaPair): void => {
  const discriminators = [
    keywordOf(pair.old, 'discriminator'),
    keywordOf(pair.new, 'discriminator'),
  ] as const;
  const [old, now] = bothOf(pair, ...discriminators, 'discriminator') ?? [];
  if (old === undefined || now === undefined) return;
  if (old.value.propertyName !== now.value.propertyName) {
    const named = ({ pointer, value }: Keyword<Discriminator>) => ({
      pointer,
      text: value.propertyName,
    });
    pair.report('discriminator-property-changed', named(old), named(now));
  }
  compareMappings(pair, old, now);
};
