/** Looks at everything that is there, in all the ways in which it can be read. */

import type { Kind, Thing } from '../history/change';
import type { History } from '../history/history';
import type { Snapshot } from '../history/snapshot';
import {
  canonical,
  type Fields,
  isFileUrl,
  petState,
  photoUrlsOf,
  stateWithoutId,
  tagsOf,
} from '../history/states';
import type { Views } from '../history/views';
import { checksumOf, photoOf } from '../load/photos';
import { mapConcurrently, type Reader } from './reader';
import { readTables, type Tables } from './tables';

/** What was seen. */
export interface Observation {
  readonly found: Snapshot;
  readonly views: Views;
}

/** Sees; remembers which file is behind which address, since that never changes. */
export type Observe = (history: Pick<History, 'touched'>) => Promise<Observation>;

const whole: ReadonlySet<Kind> = new Set(['pet', 'photo', 'order', 'user', 'ad']);

const statuses = ['available', 'pending', 'sold'] as const;

const keyOf = ({ id }: Fields): string => String(id);
const nameOf = ({ username }: Fields): string => String(username);

const touchedKeys = ({ touched }: Pick<History, 'touched'>, wanted: Kind): string[] => [
  ...new Set(
    touched.flatMap(({ kind, key }) => (kind === wanted && key !== undefined ? [key] : [])),
  ),
];

/** The tags that touched pets have or had. */
const touchedTags = ({ touched }: Pick<History, 'touched'>): string[] => {
  const states = touched.flatMap(({ kind, to }) =>
    kind === 'pet' && to !== undefined ? [to] : [],
  );
  return [...new Set(states.flatMap((state) => tagsOf(JSON.parse(state) as Fields)))];
};

/** Everything that the tables alone can list. */
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
  const checksums = new Map<string, string>();

  const checksum = async (fileUrl: string): Promise<string | undefined> => {
    const known = checksums.get(fileUrl);
    if (known !== undefined) return known;
    const bytes = await reader.file(new URL(fileUrl).pathname);
    if (bytes === undefined) return undefined;
    checksums.set(fileUrl, checksumOf(bytes));
    return checksumOf(bytes);
  };

  /** The photos of all pets, and the addresses under which there is none. */
  const photosOf = async (pets: readonly Fields[]) => {
    const places = pets.flatMap((pet) =>
      photoUrlsOf(pet)
        .filter(isFileUrl)
        .map((fileUrl) => ({ fileUrl, id: keyOf(pet) })),
    );
    const sums = await mapConcurrently(places, ({ fileUrl }) => checksum(fileUrl));
    const photos = places.flatMap(({ id }, at): Thing[] => {
      const key = sums[at];
      return key === undefined ? [] : [{ kind: 'photo', key, state: photoOf(id) }];
    });
    const brokenUrls = places.flatMap(({ fileUrl }, at) =>
      sums[at] === undefined ? [fileUrl] : [],
    );
    return { photos, brokenUrls };
  };

  const readEach = async <Value>(keys: readonly string[], read: (key: string) => Promise<Value>) =>
    byKey(await mapConcurrently(keys, async (key) => [key, await read(key)] as const));

  /** Things that the tables tell otherwise than their own operation. */
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
    const { photos, brokenUrls } = await photosOf(pets);
    const logins = await readEach(touchedKeys(history, 'login'), (token) => reader.isLive(token));
    return {
      found: {
        whole,
        things: [
          ...stored,
          ...photos,
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
        brokenUrls,
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
