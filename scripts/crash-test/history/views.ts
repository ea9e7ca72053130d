/** Compares the ways of reading the same things: by id, by status, by tag, by counting, by the tables. */

import { isDeepStrictEqual } from 'node:util';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Writes JSON that is the same for objects that differ in the order of their properties alone. */
export const canonical = (value: unknown): string => JSON.stringify(value, sorted);

/** Writes a thing without its id, which is a thing by itself, and without a password. */
export const stateWithoutId = ({ id: _, password: __, ...rest }: Fields): string => canonical(rest);

/** Returns the names of the tags of a pet. */
export const tagsOf = ({ tags }: Fields): string[] =>
  Array.isArray(tags)
    ? tags.flatMap(({ name }: Fields) => (typeof name === 'string' ? [name] : []))
    : [];

/** The same things, read in several ways at a time without changes. */
export interface Views {
  /** Every pet has a status, so all pets are here. */
  readonly byStatus: ReadonlyMap<string, readonly Fields[]>;
  /** Some of the pets; undefined: not there. */
  readonly byId: ReadonlyMap<string, Fields | undefined>;
  readonly byTag: ReadonlyMap<string, readonly Fields[]>;
  readonly inventory: Fields;
  /** The ids in the table of pets. */
  readonly petIds: readonly string[];
}

const idOf = ({ id }: Fields): string => String(id);

/** A list of keys with its name. */
type Listed = readonly [string, Iterable<string>];

const missing = ([name, keys]: Listed, [otherName, others]: Listed): string[] => {
  const known = new Set(others);
  return [...new Set(keys)]
    .filter((key) => !known.has(key))
    .map((key) => `${key} is in ${name}, not in ${otherName}`);
};

/** Says what is in one of the lists alone. */
const apart = (one: Listed, other: Listed): string[] => [
  ...missing(one, other),
  ...missing(other, one),
];

const compareOrder = (name: string, pets: readonly Fields[]): string[] => {
  const ids = pets.map((pet) => BigInt(idOf(pet)));
  const isAscending = ids.every((id, at) => at === 0 || (ids[at - 1] ?? id) < id);
  return isAscending ? [] : [`The list of ${name} is not ordered by id, each once`];
};

const compareStatus = (status: string, pets: readonly Fields[], counted: unknown): string[] => [
  ...compareOrder(`status ${status}`, pets),
  ...pets
    .filter((pet) => pet['status'] !== status)
    .map((pet) => `The list of status ${status} has ${canonical(pet)}`),
  ...(counted === pets.length
    ? []
    : [`The inventory counts ${counted} pets ${status}; the list has ${pets.length}`]),
];

const compareTag = (tag: string, pets: readonly Fields[], all: readonly Fields[]): string[] => {
  const tagged = all.filter((pet) => tagsOf(pet).includes(tag));
  return [
    ...compareOrder(`tag ${tag}`, pets),
    ...apart(
      [`the list of tag ${tag}`, pets.map(canonical)],
      ['the lists by status', tagged.map(canonical)],
    ),
  ];
};

/** Says where the views differ. */
export const compareViews = ({ byStatus, byId, byTag, inventory, petIds }: Views): string[] => {
  const all = new Map([...byStatus.values()].flat().map((pet) => [idOf(pet), pet]));
  return [
    ...[...byStatus].flatMap(([status, pets]) => compareStatus(status, pets, inventory[status])),
    ...[...byId]
      .filter(([id, pet]) => !isDeepStrictEqual(pet, all.get(id)))
      .map(
        ([id, pet]) =>
          `Pet ${id} is by its id ${canonical(pet)}, in the lists ${canonical(all.get(id))}`,
      ),
    ...[...byTag].flatMap(([tag, pets]) => compareTag(tag, pets, [...all.values()])),
    ...apart(['the table of pets', petIds], ['the lists by status', all.keys()]),
  ];
};
