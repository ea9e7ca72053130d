/** The tags by which pets are found. */

import type { Pet } from '../../../../handlers/petstore/types';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { listStatement } from '../sql/list-statement';
import { searchKey } from '../sql/search-key';
import { orderAndLimit, param } from '../sql/statement';
import { type DocumentPages, idAsText, type Page } from './document-pages';
import type { IdRow, RowsFrom } from './pages';

export interface PetTags {
  /** Keeps the pet's tags in place of those it had. */
  update(
    trx: Transaction,
    id: bigint,
    before: Pet | undefined,
    after: Pet | undefined,
  ): Promise<void>;
  /** The ids of the pets that have a tag of this name. */
  idsOf(name: string): RowsFrom<IdRow>;
  /** The pets that have a tag of this name. */
  petsOf(name: string): AsyncIterable<Page<Pet>>;
}

type FromName = Readonly<{ name: string; from: string; limit: number }>;

type Keys = ReadonlySet<string>;

const tagKeys = (pet: Pet | undefined): Keys =>
  new Set((pet?.tags ?? []).flatMap(({ name }) => (name === undefined ? [] : [searchKey(name)])));

const without = (keys: Keys, others: Keys): string[] => [...keys].filter((key) => !others.has(key));

/** Keeps them in the table `pet_tags`. */
export const petTags = (
  { knex, prepare, all }: Database,
  service: string,
  pages: DocumentPages<Pet>,
): PetTags => {
  const forget = listStatement<never>((names) =>
    prepare(
      knex('pet_tags')
        .where({ service, pet_id: param('id') })
        .whereIn('name', names)
        .delete(),
    ),
  );
  const keep = listStatement<never>((names) =>
    prepare(
      knex('pet_tags')
        .insert(names.map((name) => ({ service, pet_id: param('id'), name })))
        .onConflict()
        .ignore(),
    ),
  );
  const tagged = () =>
    knex('pet_tags')
      .where({ 'pet_tags.service': service, name: param('name') })
      .where('pet_id', '>=', param('from'))
      .orderByRaw(...orderAndLimit('pet_id'));
  const findIds = prepare<FromName, IdRow>(tagged().select(idAsText(knex, 'pet_id')));
  const ofTag = pages.listOf<{ name: string }>(() =>
    tagged().join('pets', (on) =>
      on.on('pets.service', 'pet_tags.service').on('pets.id', 'pet_tags.pet_id'),
    ),
  );
  return {
    async update(trx, petId, before, after) {
      const id = petId.toString();
      const [old, names] = [tagKeys(before), tagKeys(after)];
      const changes = [
        ...forget(without(old, names), { id }),
        ...keep(without(names, old), { id }),
      ];
      for (const [statement, parameters] of changes) await trx.run(statement, parameters);
    },

    idsOf: (name) => {
      const key = searchKey(name);
      return (from, limit) => all(findIds, { name: key, from, limit });
    },

    petsOf: (name) => ofTag({ name: searchKey(name) }),
  };
};
