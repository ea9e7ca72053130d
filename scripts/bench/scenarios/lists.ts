/** Scenarios that read many pets at once. */

import { type BenchPet, longList, rareTag, shortList, storedPet } from '../pets';
import { expectSame, jsonOf } from './expect';
import type { Scenario, Setting, Step } from './scenario';
import { byKey, byToken, get } from './scenario';

const storedWhere = (pets: number, wanted: (pet: BenchPet) => boolean): BenchPet[] =>
  Array.from({ length: pets }, (_, index) => storedPet(index + 1, pets)).filter(wanted);

const listStep = (
  { credentials, pets }: Setting,
  query: string,
  wanted: (pet: BenchPet) => boolean,
): Step => ({
  request: get(`/petstore/pet/${query}`, byToken(credentials)),
  status: 200,
  check: (response) => expectSame(jsonOf(response), storedWhere(pets, wanted)),
});

export const listScenarios: readonly Scenario[] = [
  {
    name: 'find-by-status-short',
    title: () => `Find pets by status (${shortList})`,
    phase: 'read',
    quick: true,
    steps: (setting) => [
      listStep(setting, 'findByStatus?status=pending', ({ status }) => status === 'pending'),
    ],
  },
  {
    name: 'find-by-status-long',
    title: (pets) => `Find pets by status (${longList(pets).toLocaleString('en')})`,
    phase: 'read',
    mostConnections: 64,
    steps: (setting) => [
      listStep(setting, 'findByStatus?status=sold', ({ status }) => status === 'sold'),
    ],
  },
  {
    name: 'find-by-tags',
    title: () => `Find pets by tag (${shortList})`,
    phase: 'read',
    steps: (setting) => [
      listStep(setting, `findByTags?tags=${rareTag}`, ({ tags }) =>
        tags.some(({ name }) => name === rareTag),
      ),
    ],
  },
  {
    name: 'inventory',
    title: (pets) => `Inventory of ${pets.toLocaleString('en')} pets`,
    phase: 'read',
    mostConnections: 64,
    steps: ({ credentials, pets }) => [
      {
        request: get('/petstore/store/inventory', byKey(credentials)),
        status: 200,
        check(response) {
          const counts = { pending: shortList, sold: longList(pets) };
          const available = pets - counts.pending - counts.sold;
          expectSame(jsonOf(response), { available, ...counts });
        },
      },
    ],
  },
];
