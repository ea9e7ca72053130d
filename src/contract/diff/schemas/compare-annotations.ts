/** Compares lists, exclusions, discriminators, defaults and deprecation. */

import { pointerTo } from '../../../base/json-pointer';
import { isPlainObject } from '../../../base/plain-object';
import type { Spot } from '../rules/finding';
import { keyIn } from '../values/value-text';
import type { MergedSchema } from './merged-schema';
import { bothOf, flagOf, type Keyword, keywordOf, type SchemaPair } from './schema-pair';

const compareUniqueness = (pair: SchemaPair): void => {
  const [old, now] = [flagOf(pair.old, 'uniqueItems'), flagOf(pair.new, 'uniqueItems')];
  bothOf(pair, old, now, { added: 'unique-items-added', removed: 'unique-items-removed' });
};

/** Compares the items of lists. */
export const compareItems = (pair: SchemaPair): void => {
  const { old, new: now, wire } = pair;
  if (!old.types.has('array') || !now.types.has('array')) return;
  compareUniqueness(pair);
  if (old.items === undefined && now.items === undefined) return;
  pair.compareParts(old.items ?? pair.mergeOld([]), now.items ?? pair.mergeNew([]), {
    ...wire,
    xml: wire.xml && { ...wire.xml, ...itemNames(pair, wire.xml), isProperty: false },
  });
};

const xmlName = (schema: MergedSchema): unknown => {
  const keyword = keywordOf(schema, 'xml');
  const xml: unknown = keyword && Reflect.get(keyword.holder, 'xml');
  return isPlainObject(xml) && xml['wrapped'] === true ? xml['name'] : undefined;
};

/** Items without a name are called as the element around them, if there is one, or as the property (OAS 3.0.3, XML Object). */
const itemNames = (
  pair: SchemaPair,
  names: { readonly old: string; readonly new: string },
): { readonly old: string; readonly new: string } => ({
  old: String(xmlName(pair.old) ?? names.old),
  new: String(xmlName(pair.new) ?? names.new),
});

/** Compares what is excluded. */
export const compareNot = (pair: SchemaPair): void => {
  const isSame = (old: MergedSchema, now: MergedSchema): boolean =>
    ['same', 'equal'].includes(pair.relationOf(old, now));
  const removed = pair.old.not.filter((old) => !pair.new.not.some((now) => isSame(old, now)));
  const added = pair.new.not.filter((now) => !pair.old.not.some((old) => isSame(old, now)));
  const rules = { added: 'not-added', removed: 'not-removed' } as const;
  const both = bothOf(pair, removed[0], added[0], rules);
  if (both) pair.report('not-changed', ...both);
};

/** Compares `default`. */
export const compareDefaults = (pair: SchemaPair): void => {
  const rules = { added: 'default-added', removed: 'default-removed' } as const;
  const defaults = [keywordOf(pair.old, 'default'), keywordOf(pair.new, 'default')] as const;
  const [old, now] = bothOf(pair, ...defaults, rules) ?? [];
  if (old === undefined || now === undefined) return;
  if (keyIn(old.holder, 'default') !== keyIn(now.holder, 'default')) {
    pair.report('default-changed', old, now);
  }
};

/** Compares `deprecated`. */
export const compareDeprecation = (pair: SchemaPair): void => {
  const [old, now] = [flagOf(pair.old, 'deprecated'), flagOf(pair.new, 'deprecated')];
  bothOf(pair, old, now, { added: 'schema-deprecated', removed: 'schema-reactivated' });
};

type Target = Spot & { readonly text: string };

interface Discriminator extends Spot {
  readonly property: string;
  readonly mapping: ReadonlyMap<string, Target>;
}

const readMapping = (mapping: unknown, pointer: string): Discriminator['mapping'] =>
  new Map(
    Object.entries(isPlainObject(mapping) ? mapping : {}).map(([value, target]) => [
      value,
      { pointer: pointerTo(pointer, value), text: String(target) },
    ]),
  );

const discriminatorOf = (schema: MergedSchema): Discriminator | undefined => {
  const keyword: Keyword | undefined = keywordOf(schema, 'discriminator');
  const value: unknown = keyword && Reflect.get(keyword.holder, 'discriminator');
  if (keyword === undefined || !isPlainObject(value)) return undefined;
  const { pointer } = keyword;
  const mapping = readMapping(value['mapping'], pointerTo(pointer, 'mapping'));
  return { pointer, property: String(value['propertyName']), mapping };
};

/** A mapping names a component or a reference to it (OAS 3.0.3, Discriminator Object). */
const targetOf = (text: string): unknown => ({
  $ref: /^[\w.-]+$/.test(text) ? `#/components/schemas/${text}` : text,
});

const compareTargets = (pair: SchemaPair, old: Target, now: Target | undefined): void => {
  if (now !== undefined) {
    if (!isSameTarget(pair, old.text, now.text)) {
      pair.report('discriminator-mapping-changed', old, now);
    }
    // A removed alternative is reported by itself.
  } else if (hasAlternative(pair, old.text)) {
    pair.report('discriminator-mapping-removed', old, undefined);
  }
};

const compareMappings = (pair: SchemaPair, old: Discriminator, now: Discriminator): void => {
  for (const [value, spot] of old.mapping) compareTargets(pair, spot, now.mapping.get(value));
  for (const [value, spot] of now.mapping) {
    if (!old.mapping.has(value)) pair.report('discriminator-mapping-added', undefined, spot);
  }
};

/** Tells whether the new schema still has the alternative that a value of the old mapping stood for. */
const hasAlternative = ({ new: now, mergeOld }: SchemaPair, target: string): boolean => {
  const { pointer } = mergeOld([targetOf(target)]);
  const alternatives = now.unions.flatMap(({ branches }) => branches);
  return [...now.parts, ...alternatives].some((one) => one.pointer === pointer);
};

/** A component may have another name and stay the same. */
const isSameTarget = (pair: SchemaPair, old: string, now: string): boolean =>
  old === now ||
  ['same', 'equal'].includes(
    pair.relationOf(pair.mergeOld([targetOf(old)]), pair.mergeNew([targetOf(now)])),
  );

/** Compares `discriminator`. */
export const compareDiscriminators = (pair: SchemaPair): void => {
  const rules = { added: 'discriminator-added', removed: 'discriminator-removed' } as const;
  const discriminators = [discriminatorOf(pair.old), discriminatorOf(pair.new)] as const;
  const [old, now] = bothOf(pair, ...discriminators, rules) ?? [];
  if (old === undefined || now === undefined) return;
  if (old.property !== now.property) {
    const named = (one: Discriminator) => ({ pointer: one.pointer, text: one.property });
    pair.report('discriminator-property-changed', named(old), named(now));
  }
  compareMappings(pair, old, now);
};
