/** Compares the properties of objects. */

import { pointerTo } from '../../../base/json-pointer';
import type { Spot } from '../rules/finding';
import type { MergedSchema, OtherProperties, Property } from './merged-schema';
import { bothOf, flagOf, type SchemaPair } from './schema-pair';

/** The keyword of properties that a message of the side does not carry (OAS 3.0.3, Schema Object). */
const unsent = { request: 'readOnly', response: 'writeOnly', document: 'readOnly' } as const;

const isSent = ({ side }: SchemaPair, property: Property | undefined): boolean =>
  property === undefined || flagOf(property.schema, unsent[side]) === undefined;

const requiredSpot = (pair: SchemaPair, schema: MergedSchema, name: string): Spot | undefined => {
  const pointer = schema.required.get(name);
  const isThere = pointer !== undefined && isSent(pair, schema.properties.get(name));
  return isThere ? { pointer } : undefined;
};

const accessRules = [
  ['readOnly', 'property-became-read-only', 'property-became-not-read-only'],
  ['writeOnly', 'property-became-write-only', 'property-became-not-write-only'],
] as const;

const compareAccess = (pair: SchemaPair, old: Property, now: Property): void => {
  for (const [keyword, added, removed] of accessRules) {
    bothOf(pair, flagOf(old.schema, keyword), flagOf(now.schema, keyword), { added, removed });
  }
};

const compareRequired = (pair: SchemaPair, name: string, property: Spot): void => {
  const [was, is] = [requiredSpot(pair, pair.old, name), requiredSpot(pair, pair.new, name)];
  if (!was && is) pair.report('property-became-required', undefined, property);
  if (was && !is) pair.report('property-became-optional', was, property);
};

const xmlOf = (pair: SchemaPair, name: string): SchemaPair['wire'] => ({
  ...pair.wire,
  xml: pair.wire.xml && { old: name, new: name, isProperty: true },
});

const compareKept = (pair: SchemaPair, name: string, old: Property, now: Property): void => {
  const isChanged = !pair.haveSameText(old.schemas, now.schemas);
  if (isChanged) compareAccess(pair, old, now);
  compareRequired(pair, name, { pointer: now.pointer });
  if (isChanged && isSent(pair, old) && isSent(pair, now)) {
    pair.compareParts(old.schema, now.schema, xmlOf(pair, name));
  }
};

/** A property that only the new schema declares, held against what the old one says of others. */
const compareAdded = (pair: SchemaPair, name: string, now: Property): void => {
  if (!isSent(pair, now)) return;
  const { others } = pair.old;
  const spot = { pointer: now.pointer };
  const was = pair.old.required.has(name);
  if (requiredSpot(pair, pair.new, name) && !was) {
    pair.report('required-property-added', undefined, spot);
    return;
  }
  if (others.kind === 'none') {
    pair.report('property-added-to-closed', undefined, spot);
    return;
  }
  pair.report('property-added', undefined, spot);
  if (others.kind === 'schema') pair.compareParts(others.schema, now.schema, xmlOf(pair, name));
  if ((others.kind === 'any' || was) && isLimited(now)) {
    pair.report('property-declared', undefined, spot);
  }
};

const isLimited = ({ schema }: Property): boolean => schema.parts.length > 0;

/** A property that only the old schema declares, held against what the new one says of others. */
const compareRemoved = (pair: SchemaPair, name: string, old: Property): void => {
  if (!isSent(pair, old)) return;
  const { others } = pair.new;
  const spot = { pointer: old.pointer };
  const wasRequired = requiredSpot(pair, pair.old, name) !== undefined;
  if (wasRequired && !pair.new.required.has(name)) {
    pair.report('required-property-removed', spot, undefined);
  } else if (others.kind !== 'none') pair.report('property-removed', spot, undefined);
  if (others.kind === 'none') {
    pair.report('property-forbidden', spot, undefined);
    return;
  }
  if (others.kind === 'schema') {
    pair.compareParts(old.schema, others.schema, xmlOf(pair, name));
    return;
  }
  const isAny = others.kind === 'any' || pair.new.required.has(name);
  if (isAny && isLimited(old)) pair.report('property-undeclared', spot, undefined);
};

const compareProperty = (pair: SchemaPair, name: string): void => {
  const [old, now] = [pair.old.properties.get(name), pair.new.properties.get(name)];
  if (old && now) compareKept(pair, name, old, now);
  else if (now) compareAdded(pair, name, now);
  else if (old) compareRemoved(pair, name, old);
  else compareRequired(pair, name, { pointer: pair.new.pointer });
};

const spotOf = ({ pointer, others }: MergedSchema): Spot => ({
  pointer: 'pointer' in others ? others.pointer : pointerTo(pointer, 'additionalProperties'),
});

const describedOthers = (others: OtherProperties, merge: SchemaPair['mergeOld']): MergedSchema =>
  others.kind === 'schema' ? others.schema : merge([]);

const compareOthers = (pair: SchemaPair): void => {
  const [old, now] = [pair.old.others, pair.new.others];
  const [wasClosed, isClosed] = [old.kind === 'none', now.kind === 'none'];
  if (wasClosed !== isClosed) {
    const rule = isClosed ? 'additional-properties-forbidden' : 'additional-properties-allowed';
    pair.report(rule, spotOf(pair.old), spotOf(pair.new));
  } else if ([old.kind, now.kind].includes('schema')) {
    pair.compareParts(describedOthers(old, pair.mergeOld), describedOthers(now, pair.mergeNew), {
      ...pair.wire,
      xml: pair.wire.xml && { old: '', new: '', isProperty: false },
    });
  }
};

/** Compares what objects hold. */
export const compareObjects = (pair: SchemaPair): void => {
  if (!pair.old.types.has('object') || !pair.new.types.has('object')) return;
  const names = [pair.old, pair.new].flatMap(({ properties, required }) => [
    ...properties.keys(),
    ...required.keys(),
  ]);
  for (const name of new Set(names)) compareProperty(pair, name);
  compareOthers(pair);
};

/** Tells whether each object of the first schema has a property that the other one does not allow. */
export const isExcluded = (one: MergedSchema, other: MergedSchema): boolean =>
  other.others.kind === 'none' &&
  [...one.required.keys()].some((name) => !other.properties.has(name));
