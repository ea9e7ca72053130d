/** Reads everything that is stored, in all the ways in which it can be read. */

import type { Snapshot } from '../history/compare';
import type { History, Kind, Thing } from '../history/history';
import {
  canonical,
  type Fields,
  petState,
  stateWithoutId,
  tagsOf,
  type Views,
} from '../history/views';
import { mapConcurrently, type Reader } from './reader';
import { readTables, type Tables } from './tables';

/** The result of one look at everything. */
export interface Observation {
  readonly found: Snapshot;
  readonly views: Views;
}

/** Reads everything; things of the history's last changes one by one, too. */
export type Observe = (history: Pick<History, 'touched'>) => Promise<Observation>;

const whole: ReadonlySet<Kind> = new Set(['pet', 'order', 'user', 'ad']);

const statuses = ['available', 'pending', 'sold'] as const;

const keyOf = ({ id }: Fields): string => String(id);
const nameOf = ({ username }: Fields): string => String(username);

const touchedKeys = ({ touched }: Pick<History, 'touched'>, wanted: Kind): string[] => [
  ...new Set(
    touched.flatMap(({ kind, key }) => (kind === wanted && key !== undefined ? [key] : [])),
  ),
];

/** Returns the tags that touched pets have or had. */
const touchedTags = ({ touched }: Pick<History, 'touched'>): string[] => {
  const states = touched.flatMap(({ kind, to }) =>
    kind === 'pet' && to !== undefined ? [to] : [],
  );
  return [...new Set(states.flatMap((state) => tagsOf(JSON.parse(state) as Fields)))];
};

/** Returns everything that the tables alone can list. */
const thingsOf = ({ orders, users, ads }: Tables): Thing[] => [
  ...orders.map((order) => ({
    kind: 'order' as const,
    key: keyOf(order),
    state: stateWithoutId(order),
  })),
  ...users.map((user) => ({
    kind: 'user' as const,
    key: nameOf(user),
    state: stateWithoutId(user),
  })),
  ...users.map((user) => ({ kind: 'number' as const, key: keyOf(user), state: nameOf(user) })),
  ...ads.map((ad) => ({ kind: 'ad' as const, key: String(ad['title']), state: canonical(ad) })),
];

const byKey = <Value>(entries: readonly (readonly [string, Value])[]) => new Map(entries);

/** Makes the function that observes the database, wherever it is at that time, and the server on it. */
export const openObserver = (reader: Reader, url: () => string): Observe => {
  const readEach = async <Value>(keys: readonly string[], read: (key: string) => Promise<Value>) =>
    byKey(await mapConcurrently(keys, async (key) => [key, await read(key)] as const));

  /** Reports things that the tables and their own operation give differently. */
  const differencesOf = async (
    kind: 'order' | 'user',
    path: string,
    keys: readonly string[],
    things: readonly Thing[],
  ): Promise<string[]> => {
    const stored = byKey(
      things.filter((thing) => thing.kind === kind).map(({ key, state }) => [key, state]),
    );
    const given = await readEach(keys, (key) => reader.read(`${path}/${encodeURIComponent(key)}`));
    return [...given].flatMap(([key, thing]) => {
      const state = thing && stateWithoutId(thing);
      return state === stored.get(key)
        ? []
        : [`${kind} ${key} is given as ${state} and kept as ${stored.get(key)}`];
    });
  };

  return async (history) => {
    const tables = await readTables(url());
    const stored = thingsOf(tables);
    const byStatus = await readEach(statuses, (status) =>
      reader.list(`/petstore/pet/findByStatus?status=${status}`),
    );
    const pets = [...byStatus.values()].flat();
    const logins = await readEach(touchedKeys(history, 'login'), (token) => reader.isLive(token));
    return {
      found: {
        whole,
        things: [
          ...stored,
          ...pets.map((pet) => ({ kind: 'pet' as const, key: keyOf(pet), state: petState(pet) })),
          ...[...logins].map(([key, isLive]) => ({
            kind: 'login' as const,
            key,
            state: isLive ? 'live' : undefined,
          })),
        ],
      },
      views: {
        byStatus,
        byId: await readEach(touchedKeys(history, 'pet'), (id) =>
          reader.read(`/petstore/pet/${id}`),
        ),
        byTag: await readEach(touchedTags(history), (tag) =>
          reader.list(`/petstore/pet/findByTags?tags=${encodeURIComponent(tag)}`),
        ),
        inventory: (await reader.read('/petstore/store/inventory')) ?? {},
        tables,
        differences: [
          ...(await differencesOf(
            'order',
            '/petstore/store/order',
            touchedKeys(history, 'order'),
            stored,
          )),
          ...(await differencesOf('user', '/petstore/user', touchedKeys(history, 'user'), stored)),
        ],
      },
    };
  };
};
