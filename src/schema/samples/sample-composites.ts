/** Candidates for arrays and objects: with all parts of responses first, then with the required ones. */

import { isPlainObject } from '../../base/plain-object';
import { constraintsOf, isNever } from '../../model/schema';
import { countLimits } from './sample-numbers';
import {
  declaredNames,
  keywordValues,
  planOf,
  propertySchemas,
  type SamplePlan,
} from './sample-plan';
import type { Composite, Replay } from './sampling';

/** Longer arrays are not made, whatever a schema requires. */
const MOST_ITEMS = 1_000;

/** Takes as many items as asked for, from an index on; the last one is repeated where items need not differ. */
const itemsFrom = (items: Replay, from: number, count: number, areUnique: boolean): unknown[] =>
  Array.from({ length: count }, (_, index) => index + from)
    .filter((index) => !areUnique || items.reaches(index))
    .flatMap((index) => items.at(index) ?? [])
    .map(({ value }) => value);

const itemsOf = ({ plan, sampleParts }: Composite, least: number): Replay =>
  sampleParts({
    schemas: keywordValues(plan, 'items'),
    need: least > 0 ? 'required' : 'optional',
    step: '0',
    siblings: 1,
    preferred: [],
  });

/** Makes arrays of one length, each from the next item on. */
function* arraysOf(items: Replay, count: number, areUnique: boolean): Iterable<unknown[]> {
  yield itemsFrom(items, 0, count, areUnique);
  for (let from = 1; count > 0 && items.reaches(from); from += 1) {
    yield itemsFrom(items, from, count, areUnique);
  }
}

/** Arrays, the most telling first. Where no item can be made they are empty, if they may be. */
export function* sampleArrays(composite: Composite): Iterable<unknown[]> {
  const { plan, lean } = composite;
  const { least, most } = countLimits(plan, 'Items');
  if (least > MOST_ITEMS || least > most) return;
  const areUnique = keywordValues(plan, 'uniqueItems').includes(true);
  const count = Math.min(most, Math.max(least, lean ? 0 : 1));
  for (const array of arraysOf(itemsOf(composite, least), count, areUnique)) {
    if (array.length >= least) yield array;
    if (least === 0 && array.length > 0) yield [];
  }
}

/** Lists the mapping's keys that lead to a component, and the component's name. */
const tagsOf = (mapping: unknown, component: string): string[] => {
  const keys = Object.entries(isPlainObject(mapping) ? mapping : {})
    .filter(([, target]) => target === component || String(target).endsWith(`/${component}`))
    .map(([key]) => key);
  return [...keys, component];
};

/** Lists by property the values that name the schema by which the value was reached. */
const discriminatorTags = (plan: SamplePlan): ReadonlyMap<string, readonly string[]> => {
  const { component } = plan;
  if (component === undefined) return new Map();
  return new Map(
    keywordValues(plan, 'discriminator').flatMap((discriminator): [string, string[]][] => {
      if (!isPlainObject(discriminator)) return [];
      const { propertyName, mapping } = discriminator;
      return typeof propertyName === 'string' ? [[propertyName, tagsOf(mapping, component)]] : [];
    }),
  );
};

/** More properties are not made up, whatever a schema requires. */
const MOST_MADE_UP = 100;

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly values: Replay;
}

const requiredNames = (plan: SamplePlan): Set<string> =>
  new Set(
    keywordValues(plan, 'required')
      .flat()
      .filter((name) => typeof name === 'string'),
  );

/** Names undeclared properties: as many as are required and, in a map, one to show its values. */
const madeUpNames = (plan: SamplePlan, declared: number, lean: boolean): string[] => {
  const { least, most } = countLimits(plan, 'Properties');
  const additional = keywordValues(plan, 'additionalProperties');
  const isMap =
    declared === 0 &&
    additional.length > 0 &&
    additional.every((schema) => !isNever(schema) && constraintsOf(schema).length > 0);
  const shown = isMap && !lean ? 1 : 0;
  const count = Math.min(most, MOST_MADE_UP, Math.max(least - declared, shown));
  return Array.from({ length: Math.max(0, count) }, (_, index) => `property${index + 1}`);
};

/** Lists the properties that may stand in the object, in the document's order. */
const propertiesOf = ({ plan, lean, sampleParts }: Composite): Member[] => {
  const required = requiredNames(plan);
  const named = new Set([...declaredNames(plan), ...required]);
  const names = [...named, ...madeUpNames(plan, named.size, lean)];
  const tags = discriminatorTags(plan);
  return names.flatMap((name): Member[] => {
    const schemas = propertySchemas(plan, name);
    if (schemas === undefined) return [];
    if (keywordValues(planOf(schemas), 'writeOnly').includes(true)) return [];
    const isRequired = required.has(name);
    const values = sampleParts({
      schemas,
      need: isRequired ? 'required' : 'optional',
      step: name,
      siblings: names.length,
      preferred: tags.get(name) ?? [],
    });
    return [{ name, isRequired, values }];
  });
};

/** Chooses the members of the object: the required ones, and of the others as many as asked for. */
const chosenMembers = (members: readonly Member[], wanted: number): Member[] => {
  let left = wanted - members.filter(({ isRequired }) => isRequired).length;
  return members.filter((member) => {
    if (member.isRequired) return true;
    if (left <= 0 || !member.values.reaches(0)) return false;
    left -= 1;
    return true;
  });
};

const objectOf = (members: readonly Member[], index: number): Record<string, unknown> =>
  Object.fromEntries(members.map(({ name, values }) => [name, values.at(index)?.value]));

/** Objects, the most telling first; none where a required property has no value. */
export function* sampleObjects(composite: Composite): Iterable<Record<string, unknown>> {
  const { plan, lean } = composite;
  const { least, most } = countLimits(plan, 'Properties');
  const members = propertiesOf(composite);
  if (members.some(({ isRequired, values }) => isRequired && !values.reaches(0))) return;
  const full = chosenMembers(members, most);
  const bare = chosenMembers(members, least);
  if (!lean) yield objectOf(full, 0);
  yield objectOf(bare, 0);
  const varied = lean ? bare : full;
  for (let index = 1; varied.some(({ values }) => values.reaches(index)); index += 1) {
    yield objectOf(varied, index);
  }
}
