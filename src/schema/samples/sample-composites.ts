/** Candidates for arrays and objects: with all parts of responses first, then with the required ones. */

import { writeJson } from '../../base/json/write-json';
import { constraintsOf, isNever, type Schema, schemaOf } from '../../model/schema';
import { valueKey } from '../validation/checks/equality-checks';
import { type Facets, facetsOf, isMarked, leastItems, slotsOf } from './facets';
import { ownChecks } from './sample-checks';
import { keywordValues, planOf, type SamplePlan } from './sample-plan';
import { encodedText, isJsonText, patternTexts, sampleTexts, searchedTexts } from './sample-texts';
import { type Composite, type Replay, take } from './sampling';

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

/** Lists the values to try for a slot among so many, its own first, with their keys. */
function* optionsOf({ values, turn }: Slot, from: number, count: number) {
  for (let index = 0; index < count; index += 1) {
    const at = from + ((turn + index) % count);
    const item = values.reaches(at) ? values.at(at) : undefined;
    if (item !== undefined) yield { ...item, key: valueKey(item.value) };
  }
}

/** Makes the array of different values from an index on, up to where no choice of them is left (a matching by augmenting paths). */
const differentItems = (slots: readonly Slot[], from: number): unknown[] => {
  const array: unknown[] = [];
  const owners = new Map<string, number>();
  const isFilled = (at: number, tried: Set<string>): boolean => {
    const [slot] = slots.slice(at, at + 1);
    for (const { value, key } of slot ? optionsOf(slot, from, slots.length) : []) {
      const owner = owners.get(key);
      const isNew = tried.size < tried.add(key).size;
      if (isNew && (owner === undefined || isFilled(owner, tried))) {
        owners.set(key, at);
        array[at] = value;
        return true;
      }
    }
    return false;
  };
  slots.every((_, at) => isFilled(at, new Set()));
  return array;
};

/** Makes the array of the values from an index on, up to where there is none; the last ones are repeated where items need not differ. */
const arrayFrom = (slots: readonly Slot[], from: number, areUnique: boolean): unknown[] => {
  if (areUnique) return differentItems(slots, from);
  const items = slots.map(({ values, turn }) => values.at(from + turn));
  const end = items.indexOf(undefined);
  return items.slice(0, end < 0 ? undefined : end).map((item) => item?.value);
};

/** Values of one part that are mixed with those of others, and composites before such mixtures. */
const MOST_MIXED = 4;
const MOST_IN_A_ROW = 20;
const MOST_MIXTURES = 1_000;

/** Lists for each part the number of one of its values, undefined for none, in all mixtures; the last parts change first. */
function* mixturesOf(
  parts: readonly { readonly values: Replay; readonly isRequired: boolean }[],
): Iterable<readonly (number | undefined)[]> {
  const options = parts.map(({ values, isRequired }) => [
    ...Array.from({ length: MOST_MIXED }, (_, index) => index).filter(values.reaches),
    ...(isRequired ? [] : [undefined]),
  ]);
  for (let turn = 0, rest = 0; rest === 0; turn += 1) {
    rest = turn;
    const mixture = options.toReversed().map((all) => {
      const option = all[rest % all.length];
      rest = Math.floor(rest / all.length);
      return option;
    });
    if (rest === 0) yield mixture.toReversed();
  }
}

/** Makes arrays, each from the next values on. */
function* arraysOf(slots: readonly Slot[], areUnique: boolean): Iterable<unknown[]> {
  yield arrayFrom(slots, 0, areUnique);
  for (let from = 1; slots.some(({ values }) => values.reaches(from)); from += 1) {
    yield arrayFrom(slots, from, areUnique);
  }
}

/** Makes arrays of mixed values, also longer ones. */
function* mixedArrays(slots: readonly Slot[], least: number): Iterable<unknown[]> {
  for (let count = least; count <= slots.length; count += 1) {
    const parts = slots.slice(0, count).map(({ values }) => ({ values, isRequired: true }));
    for (const mixture of mixturesOf(parts)) {
      yield mixture.map((index, at) => parts[at]?.values.at(index ?? 0)?.value);
    }
  }
}

/** Arrays, the most telling first. Where no item can be made they are empty, if they may be. */
export function* sampleArrays(composite: Composite): Iterable<unknown[]> {
  const { facets, lean } = composite;
  const { maxItems, positions, uniqueItems } = facets;
  const least = leastItems(facets);
  if (least > MOST_ITEMS || least > maxItems) return;
  const count = Math.min(maxItems, Math.max(least, lean ? 0 : Math.max(1, positions)));
  const need = least > 0 ? 'required' : 'optional';
  const slots = slotValues(composite, count, need);
  for (const array of take(arraysOf(slots, uniqueItems), MOST_IN_A_ROW)) {
    if (array.length >= least) yield array;
    if (least === 0 && array.length > 0) yield [];
  }
  const longer = slotValues(composite, Math.min(maxItems, count + 2), need);
  yield* take(mixedArrays(longer, least), MOST_MIXTURES);
  yield* arraysOf(slots, uniqueItems);
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

/** Names that fit the schemas of names. */
function* fittingNames(named: SamplePlan): Iterable<string> {
  const facets = facetsOf(named);
  const texts = facets.forbidden.length > 0 ? searchedTexts(facets) : sampleTexts(facets);
  const checks = ownChecks(named);
  for (const name of facets.enumerated ?? texts) {
    if (checks.every((check) => check.accepts(name))) yield String(name);
  }
}

/** Names for undeclared properties, those that patterns ask for first. */
function* freeNames({ nameSchemas, namePatterns }: Facets): Iterable<string> {
  const makers = namePatterns.flatMap((pattern) => patternTexts(pattern) ?? []);
  const lengths = { least: 0, most: Number.POSITIVE_INFINITY };
  for (const make of makers) yield make(0, lengths);
  if (nameSchemas.length > 0) {
    yield* fittingNames(planOf([...nameSchemas, schemaOf({ types: ['string'] })]));
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

/** Makes objects, each of the next values. */
function* objectsOf(members: readonly Member[]): Iterable<Record<string, unknown>> {
  for (let index = 1; members.some(({ values }) => values.reaches(index)); index += 1) {
    yield objectOf(members, index);
  }
}

/** Makes objects of mixed values, without some of the members that may be left out. */
function* mixedObjects(
  members: readonly Member[],
  { minProperties, maxProperties }: Facets,
): Iterable<Record<string, unknown>> {
  for (const mixture of mixturesOf(members)) {
    const chosen = members.flatMap(({ name, values }, at) => {
      const index = mixture[at];
      return index === undefined ? [] : [[name, values.at(index)?.value] as const];
    });
    const isSized = chosen.length >= minProperties && chosen.length <= maxProperties;
    if (isSized) yield Object.fromEntries(chosen);
  }
}

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
  yield* take(objectsOf(varied), MOST_IN_A_ROW);
  yield* take(mixedObjects(members, facets), MOST_MIXTURES);
  yield* objectsOf(varied);
}
