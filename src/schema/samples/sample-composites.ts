/** Candidates for arrays and objects: with all parts of responses first, then with the required ones. */

import { writeJson } from '../../base/json/write-json';
import { constraintsOf, isNever, type Schema, schemaOf } from '../../model/schema';
import { type Facets, facetsOf, isMarked, leastItems, slotsOf } from './facets';
import { keywordValues, planOf, type SamplePlan } from './sample-plan';
import { encodedText, isJsonText, patternTexts, sampleTexts } from './sample-texts';
import type { Composite, Replay } from './sampling';

/** Longer arrays are not made, whatever a schema requires. */
const MOST_ITEMS = 1_000;

/** An item of an array: the values that it may have, and its number among those that have the same. */
interface Slot {
  readonly values: Replay;
  readonly turn: number;
}

/** Gives slots of the same schemas the same values, so that each takes another one of them. */
const slotValues = (
  { facets, sampleParts }: Composite,
  count: number,
  need: 'required' | 'optional',
): Slot[] => {
  const groups: { readonly schemas: readonly Schema[]; readonly values: Replay; size: number }[] =
    [];
  return slotsOf(facets, count).map((schemas, index) => {
    const isAlike = (other: readonly Schema[]) =>
      other.length === schemas.length && other.every((one, at) => one === schemas[at]);
    const known = groups.find((group) => isAlike(group.schemas));
    const part = { schemas, need, step: String(index), siblings: 1, preferred: [] };
    const group = known ?? { schemas, values: sampleParts(part), size: 0 };
    if (known === undefined) groups.push(group);
    group.size += 1;
    return { values: group.values, turn: group.size - 1 };
  });
};

/** Makes the array of the values from an index on, up to where there is none; the last ones are repeated where items need not differ. */
const arrayFrom = (slots: readonly Slot[], from: number, areUnique: boolean): unknown[] => {
  const array: unknown[] = [];
  for (const { values, turn } of slots) {
    const item = areUnique && !values.reaches(from + turn) ? undefined : values.at(from + turn);
    if (item === undefined) break;
    array.push(item.value);
  }
  return array;
};

/** Makes arrays, each from the next values on. */
function* arraysOf(slots: readonly Slot[], areUnique: boolean): Iterable<unknown[]> {
  yield arrayFrom(slots, 0, areUnique);
  for (let from = 1; slots.some(({ values }) => values.reaches(from)); from += 1) {
    yield arrayFrom(slots, from, areUnique);
  }
}

/** Arrays, the most telling first. Where no item can be made they are empty, if they may be. */
export function* sampleArrays(composite: Composite): Iterable<unknown[]> {
  const { facets, lean } = composite;
  const { maxItems, positions, uniqueItems } = facets;
  const least = leastItems(facets);
  if (least > MOST_ITEMS || least > maxItems) return;
  const count = Math.min(maxItems, Math.max(least, lean ? 0 : Math.max(1, positions)));
  const slots = slotValues(composite, count, least > 0 ? 'required' : 'optional');
  for (const array of arraysOf(slots, uniqueItems)) {
    if (array.length >= least) yield array;
    if (least === 0 && array.length > 0) yield [];
  }
}

/** Texts that hold a value of another format (JSON Schema Validation, section 8), then others. */
export function* sampleStrings({ facets, sampleParts }: Composite): Iterable<unknown> {
  if (isJsonText(facets)) {
    const { schemas } = facets.content;
    const part = { schemas, need: 'optional', step: '', siblings: 1, preferred: [] } as const;
    const inner = sampleParts(part).at(0);
    if (inner !== undefined) yield encodedText(writeJson(inner.value), facets);
  }
  for (const text of sampleTexts(facets)) {
    const isEncoded = typeof text !== 'string' || facets.format === 'byte';
    yield isEncoded ? text : encodedText(text, facets);
  }
}

/** Lists by property the values that name the schema by which the value was reached. */
const discriminatorTags = (plan: SamplePlan): ReadonlyMap<string, readonly string[]> => {
  const { component } = plan;
  if (component === undefined) return new Map();
  return new Map(
    keywordValues(plan, 'discriminator').map(({ propertyName, mapping }) => {
      const keys = [...mapping]
        .filter(([, target]) => target.component === component)
        .map(([key]) => key);
      return [propertyName, [...keys, component]];
    }),
  );
};

/** More properties are not made up, whatever a schema requires. */
const MOST_MADE_UP = 100;

/** Names for undeclared properties, those that patterns ask for first. */
function* freeNames({ nameSchemas, namePatterns }: Facets): Iterable<string> {
  const makers = namePatterns.flatMap((pattern) => patternTexts(pattern) ?? []);
  const lengths = { least: 0, most: Number.POSITIVE_INFINITY };
  for (const make of makers) yield make(0, lengths);
  if (nameSchemas.length > 0) {
    const named = planOf([...nameSchemas, schemaOf({ types: ['string'] })]);
    const { enumerated } = facetsOf(named);
    for (const name of enumerated ?? sampleTexts(facetsOf(named))) yield String(name);
    return;
  }
  for (let index = 1; index <= MOST_MADE_UP; index += 1) yield `property${index}`;
  for (let index = 1; index <= MOST_MADE_UP; index += 1) {
    for (const make of makers) yield make(index, lengths);
  }
}

/** Lists names of properties that are allowed and not declared. */
export const undeclaredNames = (facets: Facets, count: number): string[] => {
  const found = new Set<string>();
  let tries = 0;
  for (const name of count > 0 ? freeNames(facets) : []) {
    const isKnown = facets.names.includes(name) || facets.required.has(name);
    if (!isKnown && facets.propertyAt(name) !== undefined) found.add(name);
    tries += 1;
    if (found.size >= count || tries > 3 * MOST_MADE_UP) break;
  }
  return [...found];
};

/** The number of undeclared properties that show what a map holds. */
export const shownInMap = (facets: Facets): number => {
  const { names, namePatterns, propertyAt } = facets;
  if (namePatterns.length > 0) return namePatterns.length;
  const additional = propertyAt('property1') ?? [];
  const isMap =
    names.length === 0 &&
    additional.length > 0 &&
    additional.every((schema) => !isNever(schema) && constraintsOf(schema).length > 0);
  return isMap ? 1 : 0;
};

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly values: Replay;
}

/** Lists the properties that may stand in the object, in the document's order. */
const propertiesOf = ({ plan, facets, lean, sampleParts }: Composite): Member[] => {
  const { required, minProperties, maxProperties, propertyAt } = facets;
  const named = new Set([...facets.names, ...required]);
  const missing = Math.max(minProperties - named.size, lean ? 0 : shownInMap(facets));
  const madeUp = undeclaredNames(facets, Math.min(maxProperties, MOST_MADE_UP, missing));
  const names = [...named, ...madeUp];
  const tags = discriminatorTags(plan);
  return names.flatMap((name): Member[] => {
    const schemas = propertyAt(name);
    if (schemas === undefined || isMarked(planOf(schemas), 'writeOnly')) return [];
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
  const { facets, lean } = composite;
  const members = propertiesOf(composite);
  if (members.some(({ isRequired, values }) => isRequired && !values.reaches(0))) return;
  const full = chosenMembers(members, facets.maxProperties);
  const bare = chosenMembers(members, facets.minProperties);
  if (!lean) yield objectOf(full, 0);
  yield objectOf(bare, 0);
  const varied = lean ? bare : full;
  for (let index = 1; varied.some(({ values }) => values.reaches(index)); index += 1) {
    yield objectOf(varied, index);
  }
}
