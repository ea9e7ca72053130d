/** Compares the ways of reading the same things: by id, by status, by tag, by counting, by the tables. */

import type { Violation } from './history';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Writes JSON that is the same for objects that differ in the order of their properties alone. */
export const canonical = (value: unknown): string => JSON.stringify(value, sorted);

/** Writes a pet without its id. */
export const petState = ({ id: _, ...pet }: Fields): string => canonical(pet);

/** Writes an order or a user without its id: ids of users are things by themselves. */
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
  /** The contents of the tables. */
  readonly tables: {
    readonly petIds: readonly string[];
    /** The findings of the database's own check. */
    readonly faults: readonly string[];
  };
  /** Things that were read from the tables and asked for, where the two differ. */
  readonly differences: readonly string[];
}

const idOf = ({ id }: Fields): string => String(id);

const torn = (text: string): Violation => ({ kind: 'torn', text });

/** Reports what is in one of the sets alone. */
const apart = (
  [oneName, one]: readonly [string, Iterable<string>],
  [otherName, other]: readonly [string, Iterable<string>],
): Violation[] => {
  const [ones, others] = [new Set(one), new Set(other)];
  return [
    ...[...ones]
      .filter((key) => !others.has(key))
      .map((key) => torn(`${key} is in ${oneName}, not in ${otherName}`)),
    ...[...others]
      .filter((key) => !ones.has(key))
      .map((key) => torn(`${key} is in ${otherName}, not in ${oneName}`)),
  ];
};

const isAscending = (pets: readonly Fields[]): boolean =>
  pets.every((pet, at) => at === 0 || BigInt(idOf(pets[at - 1] ?? {})) < BigInt(idOf(pet)));

const compareOrder = (name: string, pets: readonly Fields[]): Violation[] =>
  isAscending(pets) ? [] : [torn(`The list of ${name} is not ordered by id, each once`)];

const compareStatus = ({ byStatus, inventory }: Views): Violation[] =>
  [...byStatus].flatMap(([status, pets]) => [
    ...compareOrder(`status ${status}`, pets),
    ...pets
      .filter((pet) => pet['status'] !== status)
      .map((pet) => torn(`The list of status ${status} has ${canonical(pet)}`)),
    ...(inventory[status] === pets.length
      ? []
      : [
          torn(
            `The inventory counts ${inventory[status]} pets ${status}; the list has ${pets.length}`,
          ),
        ]),
  ]);

const compareIds = ({ byId }: Views, all: ReadonlyMap<string, Fields>): Violation[] =>
  [...byId].flatMap(([id, pet]) =>
    canonical(pet ?? null) === canonical(all.get(id) ?? null)
      ? []
      : [
          torn(
            `Pet ${id} is by its id ${canonical(pet ?? null)}, in the lists ${canonical(all.get(id) ?? null)}`,
          ),
        ],
  );

const compareTags = ({ byTag }: Views, all: ReadonlyMap<string, Fields>): Violation[] =>
  [...byTag].flatMap(([tag, pets]) => {
    const tagged = [...all.values()].filter((pet) => tagsOf(pet).includes(tag));
    return [
      ...compareOrder(`tag ${tag}`, pets),
      ...apart(
        [`the list of tag ${tag}`, pets.map(canonical)],
        ['the lists by status', tagged.map(canonical)],
      ),
    ];
  });

/** Reports where the views differ. */
export const compareViews = (views: Views): Violation[] => {
  const { tables, differences } = views;
  const all = new Map([...views.byStatus.values()].flat().map((pet) => [idOf(pet), pet]));
  return [
    ...compareStatus(views),
    ...compareIds(views, all),
    ...compareTags(views, all),
    ...apart(['the table of pets', tables.petIds], ['the lists by status', all.keys()]),
    ...differences.map(torn),
    ...tables.faults.map((fault) => torn(`The check of the database reports: ${fault}`)),
  ];
};
