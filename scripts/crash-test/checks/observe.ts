/** Reads everything that is stored, in all the ways in which it can be read, and compares it with what was acknowledged. */

import { compare, type Verdict } from '../history/compare';
import { type History, type Kind, openHistory, type Thing } from '../history/history';
import {
  canonical,
  compareViews,
  type Fields,
  stateWithoutId,
  tagsOf,
  type Views,
} from '../history/views';
import type { HttpClient } from '../load/http-client';
import { openReader } from './reader';
import { readTables, type Tables } from './tables';

const statuses = ['available', 'pending', 'sold'] as const;

const textOf = (fields: Fields, name: string): string => String(fields[name]);

const touchedKeys = ({ touched }: History, wanted: Kind): string[] => [
  ...new Set(
    touched.flatMap(({ kind, key }) => (kind === wanted && key !== undefined ? [key] : [])),
  ),
];

/** Returns the tags that touched pets have or had. */
const touchedTags = ({ touched }: History): string[] => [
  ...new Set(
    touched.flatMap(({ kind, to }) =>
      kind === 'pet' && to !== undefined ? tagsOf(JSON.parse(to)) : [],
    ),
  ),
];

const thing = (kind: Kind, key: string, state: string | undefined): Thing => ({ kind, key, state });

/** Returns everything that the tables alone can list. */
const thingsIn = ({ orders, users, ads }: Tables): Thing[] => [
  ...orders.map((order) => thing('order', textOf(order, 'id'), stateWithoutId(order))),
  ...users.map((user) => thing('user', textOf(user, 'username'), stateWithoutId(user))),
  ...users.map((user) => thing('number', textOf(user, 'id'), textOf(user, 'username'))),
  ...ads.map((ad) => thing('ad', textOf(ad, 'title'), canonical(ad))),
];

/** Reads each of the keys, several at a time. */
const readEach = async <Value>(
  keys: readonly string[],
  read: (key: string) => Promise<Value>,
): Promise<Map<string, Value>> => {
  const results = new Map<string, Value>();
  const pending = keys.values();
  const takeTurns = async (): Promise<void> => {
    for (const key of pending) results.set(key, await read(key));
  };
  await Promise.all(Array.from({ length: 16 }, takeTurns));
  return results;
};

/** Makes what looks at the database, wherever it is at that time, and at the server on it; `token` may read pets. */
export const openObserver = (http: HttpClient, token: string, url: () => string) => {
  const reader = openReader(http, token);

  const listPets = () =>
    readEach(statuses, (status) => reader.list(`/petstore/pet/findByStatus?status=${status}`));

  const petsIn = (byStatus: Views['byStatus']): Thing[] =>
    [...byStatus.values()]
      .flat()
      .map((pet) => thing('pet', textOf(pet, 'id'), stateWithoutId(pet)));

  /** Says which things the tables and their own operation give differently. */
  const differencesOf = async (
    kind: 'order' | 'user',
    path: string,
    history: History,
    things: readonly Thing[],
  ): Promise<string[]> => {
    const given = await readEach(touchedKeys(history, kind), (key) =>
      reader.read(`${path}/${encodeURIComponent(key)}`),
    );
    const stored = new Map(
      things.filter((one) => one.kind === kind).map(({ key, state }) => [key, state]),
    );
    return [...given].flatMap(([key, found]) => {
      const state = found && stateWithoutId(found);
      const kept = stored.get(key);
      return state === kept ? [] : [`${kind} ${key} is given as ${state} and kept as ${kept}`];
    });
  };

  return {
    /** Opens a history that begins with what is there, which counts as acknowledged. */
    openHistory: async (): Promise<History> =>
      openHistory([...thingsIn(await readTables(url())), ...petsIn(await listPets())]),

    /** Reads everything, and things of the history's last changes one by one, too. */
    async check(history: History): Promise<Verdict> {
      const tables = await readTables(url());
      const stored = thingsIn(tables);
      const byStatus = await listPets();
      const logins = await readEach(touchedKeys(history, 'login'), reader.isLive);
      const things = [
        ...stored,
        ...petsIn(byStatus),
        ...[...logins].map(([key, isLive]) => thing('login', key, isLive ? 'live' : undefined)),
      ];
      const views: Views = {
        byStatus,
        byId: await readEach(touchedKeys(history, 'pet'), (id) =>
          reader.read(`/petstore/pet/${id}`),
        ),
        byTag: await readEach(touchedTags(history), (tag) =>
          reader.list(`/petstore/pet/findByTags?tags=${encodeURIComponent(tag)}`),
        ),
        inventory: (await reader.read('/petstore/store/inventory')) ?? {},
        petIds: tables.petIds,
      };
      const torn = [
        ...compareViews(views),
        ...(await differencesOf('order', '/petstore/store/order', history, stored)),
        ...(await differencesOf('user', '/petstore/user', history, stored)),
        ...tables.faults.map((fault) => `The check of the database reports: ${fault}`),
      ].map((text) => ({ kind: 'torn', text }) as const);
      const verdict = compare(history, things);
      return { ...verdict, violations: [...verdict.violations, ...torn] };
    },
  };
};

export type Observer = ReturnType<typeof openObserver>;
