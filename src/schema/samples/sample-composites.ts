/** Candidates for arrays and objects: with all parts of responses first, then with the required ones. */

import { writeJson } from '../../base/json/write-json';
import { constraintsOf, isNever, type Schema, schemaOf } from '../../model/schema';
import { valueKey } from '../validation/checks/equality-checks';
import { ownChecks } from './sample-checks';
import { planOf, type SamplePlan } from './sample-plan';
import { encodedText, isJsonText, patternTexts, sampleTexts, searchedTexts } from './sample-texts';
import { type Composite, largest, type Replay, take } from './sampling';

/** An item of an array: the values that it may have, and its number among those that have the same. */
interface Slot {
  readonly values: Replay;
  readonly turn: number;
}

/** Gives slots of the same schemas the same values, so that each takes another one of them. */
const slotValues = (
  { plan, sampleParts }: Composite,
  count: number,
  need: 'required' | 'optional',
): Slot[] => {
  const slots: (Slot & { readonly schemas: readonly Schema[] })[] = [];
  for (const [index, schemas] of plan.slots(count).entries()) {
    const isAlike = (other: readonly Schema[]) =>
      other.length === schemas.length && other.every((one, at) => one === schemas[at]);
    const [first, ...others] = slots.filter((slot) => isAlike(slot.schemas));
    const part = { schemas, need, step: String(index), siblings: 1, preferred: [] };
    const values = first?.values ?? sampleParts(part);
    slots.push({ schemas, values, turn: first ? 1 + others.length : 0 });
  }
  return slots;
};

/** Makes the array of different values from an index on, up to where no choice of them is left (a matching by augmenting paths). */
const differentItems = (slots: readonly Slot[], from: number): unknown[] => {
  const array: unknown[] = [];
  const owners = new Map<string, number>();
  const isFilled = (at: number, tried: Set<string>): boolean =>
    slots.some((_, next) => {
      const { values, turn = 0 } = slots[at] ?? {};
      // Its own value is tried first.
      const index = from + ((turn + next) % slots.length);
      if (!values?.reaches(index)) return false;
      const value = values.at(index)?.value;
      const key = valueKey(value);
      const owner = owners.get(key);
      const isNew = tried.size < tried.add(key).size;
      if (!isNew || (owner !== undefined && !isFilled(owner, tried))) return false;
      owners.set(key, at);
      array[at] = value;
      return true;
    });
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
    ...Array.from({ length: MOST_MIXED }, (_, index) => index).filter((index) =>
      values.reaches(index),
    ),
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
  for (let from = 0; from === 0 || slots.some(({ values }) => values.reaches(from)); from += 1) {
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
  const { plan, lean } = composite;
  const { maxItems, positions, uniqueItems, leastItems: least } = plan;
  if (least > largest.response.items || least > maxItems) return;
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
export function* sampleStrings({ plan, sampleParts }: Composite): Iterable<unknown> {
  if (isJsonText(plan)) {
    const { schemas } = plan.content;
    const part = { schemas, need: 'optional', step: '', siblings: 1, preferred: [] } as const;
    const inner = sampleParts(part).at(0);
    if (inner !== undefined) yield encodedText(writeJson(inner.value), plan);
  }
  for (const text of sampleTexts(plan)) {
    const isEncoded = typeof text !== 'string' || plan.format === 'byte';
    yield isEncoded ? text : encodedText(text, plan);
  }
}

/** Lists the values of a property that name the schema by which the object was reached. */
const tagsOf = (plan: SamplePlan, property: string): readonly string[] => {
  const { component } = plan;
  const named = plan.values('discriminator').findLast((one) => one.propertyName === property);
  if (component === undefined || named === undefined) return [];
  const mapped = [...named.mapping].filter(([, target]) => target.component === component);
  return [...mapped.map(([key]) => key), component];
};

const MOST_NAMES = largest.response.undeclared;

/** Names for undeclared properties, those that patterns ask for first. */
function* freeNames(plan: SamplePlan): Iterable<string> {
  const nameSchemas = plan.values('propertyNames');
  const makers = plan.namePatterns.flatMap((pattern) => patternTexts(pattern) ?? []);
  const lengths = { least: 0, most: Number.POSITIVE_INFINITY };
  for (const make of makers) yield make(0, lengths);
  if (nameSchemas.length > 0) {
    const named = planOf([...nameSchemas, schemaOf({ types: ['string'] })]);
    const texts = named.forbidden.length > 0 ? searchedTexts(named) : sampleTexts(named);
    const checks = ownChecks(named);
    for (const name of named.enumerated ?? texts) {
      if (checks.every((check) => check.accepts(name))) yield String(name);
    }
    return;
  }
  for (let index = 1; index <= MOST_NAMES; index += 1) yield `property${index}`;
  for (let index = 1; index <= MOST_NAMES; index += 1) {
    for (const make of makers) yield make(index, lengths);
  }
}

/** Lists names of properties that are allowed and not declared. */
export const undeclaredNames = (plan: SamplePlan, count: number): string[] => {
  const known = new Set([...plan.names, ...plan.required]);
  const found = new Set<string>();
  let tries = 0;
  for (const name of count > 0 ? freeNames(plan) : []) {
    if (!known.has(name) && plan.propertyAt(name) !== undefined) found.add(name);
    tries += 1;
    if (found.size >= count || tries > 3 * MOST_NAMES) break;
  }
  return [...found];
};

/** The number of undeclared properties that show what a map holds. */
const shownInMap = (plan: SamplePlan): number => {
  const { names, namePatterns } = plan;
  if (namePatterns.length > 0) return namePatterns.length;
  const additional = plan.propertyAt('property1') ?? [];
  const isMap =
    names.length === 0 &&
    additional.length > 0 &&
    additional.every((schema) => !isNever(schema) && constraintsOf(schema).length > 0);
  return isMap ? 1 : 0;
};

/**
 * Lists the names of the properties that an object may have: the declared ones, and as many more as it needs.
 * @param isShown whether a map shows what it holds
 * @param also names that it has in any case
 */
export const memberNames = (
  plan: SamplePlan,
  isShown: boolean,
  { undeclared }: typeof largest.response,
  also: readonly string[] = [],
): readonly string[] => {
  const named = new Set([...plan.names, ...plan.required, ...also]);
  const missing = Math.max(plan.minProperties - named.size, isShown ? shownInMap(plan) : 0);
  return [...named, ...undeclaredNames(plan, Math.min(plan.maxProperties, undeclared, missing))];
};

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly values: Replay;
}

/** Lists the properties that may stand in the object, in the document's order. */
const propertiesOf = ({ plan, lean, sampleParts }: Composite): Member[] => {
  const { required } = plan;
  const names = memberNames(plan, !lean, largest.response);
  return names.flatMap((name): Member[] => {
    const schemas = plan.propertyAt(name);
    if (schemas === undefined || planOf(schemas).isMarked('writeOnly')) return [];
    const isRequired = required.has(name);
    const values = sampleParts({
      schemas,
      need: isRequired ? 'required' : 'optional',
      step: name,
      siblings: names.length,
      preferred: tagsOf(plan, name),
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
  { minProperties, maxProperties }: SamplePlan,
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
  const { plan, lean } = composite;
  const members = propertiesOf(composite);
  if (members.some(({ isRequired, values }) => isRequired && !values.reaches(0))) return;
  const full = chosenMembers(members, plan.maxProperties);
  const bare = chosenMembers(members, plan.minProperties);
  if (!lean) yield objectOf(full, 0);
  yield objectOf(bare, 0);
  const varied = lean ? bare : full;
  yield* take(objectsOf(varied), MOST_IN_A_ROW);
  yield* take(mixedObjects(members, plan), MOST_MIXTURES);
  yield* objectsOf(varied);
}
