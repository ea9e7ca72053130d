/** Scenarios that read many pets at once. */

import { type BenchPet, longList, rareTag, shortList, storedPet } from '../pets';
import { expectSame, jsonOf } from './expect';
import { byKey, byToken, get, type Scenario } from './scenario';

const storedWhere = (pets: number, wanted: (pet: BenchPet) => boolean): BenchPet[] =>
  Array.from({ length: pets }, (_, index) => storedPet(index + 1, pets)).filter(wanted);

const listScenario = (
  name: string,
  title: Scenario['title'],
  query: string,
  isWanted: (pet: BenchPet) => boolean,
  more: Pick<Scenario, 'quick' | 'mostConnections'> = {},
): Scenario => ({
  name,
  title,
  phase: 'read',
  steps: ({ credentials, pets }) => [
    {
      request: get(`/petstore/pet/${query}`, byToken(credentials)),
      status: 200,
      check: (response) => expectSame(jsonOf(response), storedWhere(pets, isWanted)),
    },
  ],
  ...more,
});

export const listScenarios: readonly Scenario[] = [
  listScenario(
    'find-by-status-short',
    () => `Find pets by status (${shortList})`,
    'findByStatus?status=pending',
    ({ status }) => status === 'pending',
    { quick: true },
  ),
  listScenario(
    'find-by-status-long',
    (pets) => `Find pets by status (${longList(pets).toLocaleString('en')})`,
    'findByStatus?status=sold',
    ({ status }) => status === 'sold',
    { mostConnections: 64 },
  ),
  listScenario(
    'find-by-tags',
    () => `Find pets by tag (${shortList})`,
    `findByTags?tags=${rareTag}`,
    ({ tags }) => tags.some(({ name }) => name === rareTag),
  ),
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
