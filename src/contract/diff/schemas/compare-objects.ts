/** Compares the properties of objects. */

import { pointerTo } from '../../../base/json-pointer';
import { constraintsOf, type Schema, schemaOf } from '../../../model/schema';
import { bothOf, entryPairs, type Spot } from '../rules/finding';
import {
  type MergedSchema,
  matchesAll,
  type OtherProperties,
  type Property,
} from './merged-schema';
import { keywordOf, keywordsOf, plainWire, type SchemaPair } from './schema-pair';

/** The keyword of properties that a message of the side does not carry (OAS 3.0.3, Schema Object). */
const unsent = { request: 'readOnly', response: 'writeOnly', document: 'readOnly' } as const;

const isSent = ({ side }: SchemaPair, property: Property | undefined): boolean =>
  property === undefined || keywordOf(property.schema, unsent[side]) === undefined;

const requiredSpot = (pair: SchemaPair, schema: MergedSchema, name: string): Spot | undefined => {
  const pointer = schema.required().get(name);
  const isThere = pointer !== undefined && isSent(pair, schema.properties().get(name));
  return isThere ? { pointer } : undefined;
};

/** Compares whether a property is required; one that is declared nowhere has its place in `required` alone. */
const compareRequired = (pair: SchemaPair, name: string, property?: Spot): void => {
  const [before, after] = [requiredSpot(pair, pair.old, name), requiredSpot(pair, pair.new, name)];
  if (!before && after) pair.report('property-became-required', undefined, property ?? after);
  if (before && !after) pair.report('property-became-optional', before, property);
};

const wireOf = ({ wire }: SchemaPair, name = ''): SchemaPair['wire'] => ({
  ...wire,
  xml: wire.xml && { old: name, new: name, isProperty: name !== '' },
  octets: wire.octets === 'parts' ? 'whole' : undefined,
});

const compareKept = (pair: SchemaPair, name: string, old: Property, now: Property): void => {
  const isChanged = !pair.areSame(old.schemas, now.schemas);
  for (const keyword of isChanged ? (['readOnly', 'writeOnly'] as const) : []) {
    const both = [keywordOf(old.schema, keyword), keywordOf(now.schema, keyword)] as const;
    const access = keyword === 'readOnly' ? 'read-only' : 'write-only';
    const added = `property-became-${access}` as const;
    bothOf(pair, ...both, { added, removed: `property-became-not-${access}` });
  }
  compareRequired(pair, name, { pointer: now.pointer });
  if (isChanged && isSent(pair, old) && isSent(pair, now)) {
    pair.compareParts(old.schema, now.schema, wireOf(pair, name));
  }
};

/** A property that only the new schema declares, held against what the old one says of others. */
const compareAdded = (pair: SchemaPair, name: string, now: Property): void => {
  if (!isSent(pair, now)) return;
  const others = pair.old.others(name);
  const spot = { pointer: now.pointer };
  const wasRequired = pair.old.required().has(name);
  if (requiredSpot(pair, pair.new, name) && !wasRequired) {
    pair.report('required-property-added', undefined, spot);
    return;
  }
  if (others.kind === 'none') {
    pair.report('property-added-to-closed', undefined, spot);
    return;
  }
  if (wasRequired) compareRequired(pair, name, spot);
  pair.report('property-added', undefined, spot);
  if (others.kind === 'schema') pair.compareParts(others.schema, now.schema, wireOf(pair, name));
  if ((others.kind === 'any' || wasRequired) && isLimited(now)) {
    pair.report('property-declared', undefined, spot);
  }
};

const isLimited = ({ schema }: Property): boolean =>
  schema.parts.some((part) => constraintsOf(part).length > 0);

/** A property that only the old schema declares, held against what the new one says of others. */
const compareRemoved = (pair: SchemaPair, name: string, old: Property): void => {
  if (!isSent(pair, old)) return;
  const others = pair.new.others(name);
  const spot = { pointer: old.pointer };
  const wasRequired = requiredSpot(pair, pair.old, name) !== undefined;
  if (wasRequired && !pair.new.required().has(name)) {
    pair.report('required-property-removed', spot, undefined);
  } else if (others.kind !== 'none') pair.report('property-removed', spot, undefined);
  if (others.kind === 'none') {
    pair.report('property-forbidden', spot, undefined);
    return;
  }
  if (others.kind === 'schema') {
    pair.compareParts(old.schema, others.schema, wireOf(pair, name));
    return;
  }
  const isAny = others.kind === 'any' || pair.new.required().has(name);
  if (isAny && isLimited(old)) pair.report('property-undeclared', spot, undefined);
};

const describedBy = ({ merge }: MergedSchema, others: OtherProperties): MergedSchema =>
  others.kind === 'schema' ? others.schema : merge([]);

const compareOthers = (pair: SchemaPair): void => {
  const [old, now] = [pair.old.others(), pair.new.others()];
  const spotOf = ({ pointer }: MergedSchema, others: OtherProperties): Spot => ({
    pointer: 'pointer' in others ? others.pointer : pointerTo(pointer, 'additionalProperties'),
  });
  const [wasClosed, isClosed] = [old.kind === 'none', now.kind === 'none'];
  if (wasClosed !== isClosed) {
    const rule = isClosed ? 'additional-properties-forbidden' : 'additional-properties-allowed';
    pair.report(rule, spotOf(pair.old, old), spotOf(pair.new, now));
  } else if ([old.kind, now.kind].includes('schema')) {
    pair.compareParts(describedBy(pair.old, old), describedBy(pair.new, now), wireOf(pair));
  }
};

/** The entries of `patternProperties` by pattern, but those that every property matches. */
const patternsOf = (schema: MergedSchema): ReadonlyMap<string, Property> => {
  const { parts, merge } = schema;
  const entries = parts.flatMap(({ patternProperties = new Map<string, Schema>(), pointer }) =>
    [...patternProperties]
      .filter(([pattern]) => !matchesAll.has(pattern))
      .map(([pattern, one]) => [pattern, one, pointer] as const),
  );
  return new Map(
    entries.map(([pattern, , owner]) => {
      const schemas = entries.filter(([name]) => name === pattern).map(([, one]) => one);
      const pointer = pointerTo(`${owner}/patternProperties`, pattern);
      return [pattern, { schemas, schema: merge(schemas), pointer }];
    }),
  );
};

/** The rule of an entry that one schema alone has, by what the other one says of the properties; undefined: nothing to tell. */
const lonePatternRule = (entry: Property, isOld: boolean, other: MergedSchema) => {
  const { kind } = other.others();
  const isOpen = kind === 'unspecified' || kind === 'any';
  if (isOpen && !isLimited(entry)) return undefined;
  if (isOpen) return isOld ? 'pattern-property-removed' : 'pattern-property-added';
  // Properties that match several patterns must fit all of their schemas.
  if (patternsOf(other).size > 0) return 'pattern-properties-unclear';
  if (kind === 'schema') return undefined;
  return isOld ? 'pattern-property-forbidden' : 'pattern-property-allowed';
};

const text = schemaOf({ types: ['string'] });

/** Gives what the names of properties may be: texts. */
const namesOf = (schema: MergedSchema): MergedSchema =>
  schema.merge([...keywordsOf(schema, 'propertyNames').map(({ value }) => value), text]);

/** The names that are required where another one is there, but for those that always are. */
const dependentNames = (schema: MergedSchema): ReadonlyMap<string, Spot> =>
  new Map(
    keywordsOf(schema, 'dependentRequired').flatMap(({ value, pointer }) =>
      [...value].flatMap(([name, names]) =>
        names
          .filter((name) => !schema.required().has(name))
          .map((lacking) => {
            const spot = { pointer: pointerTo(pointer, name), text: `${lacking}, by ${name}` };
            return [JSON.stringify([name, lacking]), spot] as const;
          }),
      ),
    ),
  );

const comparePatterns = (pair: SchemaPair): void => {
  for (const [old, now] of entryPairs(patternsOf(pair.old), patternsOf(pair.new))) {
    const entry = now ?? old;
    if (entry === undefined) continue;
    const other = old ? pair.new : pair.old;
    const rule = old && now ? undefined : lonePatternRule(entry, old !== undefined, other);
    const others = describedBy(other, other.others());
    if (rule !== undefined) pair.report(rule, old, now);
    else pair.compareParts(old?.schema ?? others, now?.schema ?? others);
  }
};

/** Compares what objects hold. */
export const compareObjects = (pair: SchemaPair): void => {
  if (!pair.old.types.has('object') || !pair.new.types.has('object')) return;
  const names = [pair.old, pair.new].flatMap(({ properties, required }) => [
    ...properties().keys(),
    ...required().keys(),
  ]);
  for (const name of new Set(names)) {
    const [old, now] = [pair.old, pair.new].map(({ properties }) => properties().get(name));
    if (old && now) compareKept(pair, name, old, now);
    else if (now) compareAdded(pair, name, now);
    else if (old) compareRemoved(pair, name, old);
    else compareRequired(pair, name);
  }
  comparePatterns(pair);
  compareOthers(pair);
  pair.compareParts(namesOf(pair.old), namesOf(pair.new), plainWire);
  for (const [old, now] of entryPairs(dependentNames(pair.old), dependentNames(pair.new))) {
    bothOf(pair, old, now, 'dependent-required');
  }
};

/** Tells whether each object of the first schema has a property that the other one does not allow. */
export const isExcluded = (one: MergedSchema, other: MergedSchema): boolean =>
  [...one.required().keys()].some(
    (name) => !other.properties().has(name) && other.others(name).kind === 'none',
  );
