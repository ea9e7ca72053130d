/** Fills an empty database with data to try the services out on. */

import { recoverFrom } from '../base/recover';
import { type Passwords, scryptPasswords } from '../identity/password';
import { digest } from '../identity/token';
import { idsOf } from '../storage/collections/ids';
import { leaveOutInvalid } from '../storage/collections/item-schema';
import { type Database, within } from '../storage/database/database';
import { knexApiKeys } from '../storage/identity/api-keys';
import { type IdentifiedUser, knexAccounts } from '../storage/identity/users';
import { identifiedFirst, type ServiceStorage, seedCollections } from '../storage/storage';
import { declares, type FailedModule } from './handler-modules';

/** The credentials of every service in a database with the demo data. */
export const demoCredentials = {
  username: 'demo',
  password: 'demo-password',
  apiKey: 'special-key',
} as const;

/** The demo credentials, and where they are in force. */
export type DemoInForce = typeof demoCredentials & {
  /** The services in which the login and the key are in force. */
  readonly services: readonly string[];
  readonly keyServices: readonly string[];
};

/** A service, and the data that stands beside its handlers. */
export interface DemoService {
  readonly name: string;
  readonly storage: ServiceStorage;
  /** By collection; `users` are the users. */
  readonly demo: Readonly<Record<string, readonly object[]>>;
  readonly failure?: string | undefined;
  readonly failed: readonly FailedModule[];
}

/**
 * Tells whether a service, or the database as a whole, never had users and keys: rows of keys stay when a key is revoked, so that what
 * once had the demo data is never empty again.
 */
const isEmpty = async ({ knex, prepare, all }: Database, service?: string): Promise<boolean> => {
  for (const table of ['users', 'api_keys']) {
    const rows = knex(table).limit(1).select('key');
    const found = service === undefined ? rows : rows.where({ service });
    const [row] = await all(prepare(found), {});
    if (row !== undefined) return false;
  }
  return true;
};

/** Finds the key that the demo data came with; undefined where it is not active, or will end. */
const activeDemoKey = (db: Database, service: string) =>
  knexApiKeys(db, service).findActive(digest(demoCredentials.apiKey), Infinity);

/**
 * Tells whether a service lacks demo credentials: it never had users and keys; or it has the demo key since a time when no user could
 * sign in, and never had users.
 */
const lacksCredentials = async (db: Database, { name, demo }: DemoService): Promise<boolean> => {
  if (await isEmpty(db, name)) return true;
  if ((demo['users'] ?? []).length === 0) return false;
  const hadUsers = await idsOf(db, name, 'users').isRunning(db);
  return !hadUsers && (await activeDemoKey(db, name)) !== undefined;
};

/** Gives the services that lack demo credentials; none in a database where others have some, and not the demo's. */
const unseeded = async (
  services: readonly DemoService[],
  db: Database,
): Promise<readonly DemoService[]> => {
  if (!(await isEmpty(db))) {
    const keys = await Promise.all(services.map(({ name }) => activeDemoKey(db, name)));
    if (!keys.some(Boolean)) return [];
  }
  const lacking = await Promise.all(services.map((service) => lacksCredentials(db, service)));
  return services.filter((_, at) => lacking[at]);
};

/** Another process was faster. */
class SeededMeanwhile extends Error {}

/**
 * Adds the demo users and the demo key to the services that lack them, all at once. Resolves to whether it did; of several processes
 * that start together one does.
 */
export const seedIdentity = async (
  services: readonly DemoService[],
  db: Database,
  passwords: Passwords,
  clock: () => number,
): Promise<boolean> => {
  const empty = await unseeded(services, db);
  if (empty.length === 0) return false;
  // Hashing takes long, and keeps others from it: once is enough for a password that is public.
  const hasUsers = empty.some(({ demo }) => (demo['users'] ?? []).length > 0);
  const hash = hasUsers ? await passwords.hash(demoCredentials.password) : undefined;
  const addTo = async (over: Database, { name, storage, demo }: DemoService) => {
    const { users } = storage.within(over);
    const demoUsers: readonly IdentifiedUser[] = demo['users'] ?? [];
    for (const user of identifiedFirst(demoUsers)) {
      const passwordHash = user.username === demoCredentials.username ? hash : undefined;
      const added = users?.insert(user, passwordHash).then((stored) => {
        if (stored === undefined) throw new SeededMeanwhile();
      });
      await added?.catch(leaveOutInvalid);
    }
    const key = { label: 'demo', hash: digest(demoCredentials.apiKey), createdAt: clock() };
    if ((await activeDemoKey(over, name)) === undefined) await knexApiKeys(over, name).add(key);
  };
  const addAll = db.transaction(async (trx) => {
    const inside = within(db, trx);
    for (const service of empty) {
      if (!(await lacksCredentials(inside, service))) return false;
      await addTo(inside, service);
    }
    return true;
  });
  return addAll.catch(recoverFrom(SeededMeanwhile, () => false));
};

/**
 * Adds the demo data to services that have none; of several processes that start together one does. A service whose demo data cannot be
 * loaded waits until it is mended: its demo users are among it. Resolves to the demo credentials and the services in which they are in
 * force, or undefined where the database has data of its own.
 */
export const seedDemoData = async (
  services: readonly DemoService[],
  db: Database,
  { passwordCost }: { readonly passwordCost: number },
  clock: () => number,
): Promise<DemoInForce | undefined> => {
  const ready = services.filter(
    ({ failure, failed }) =>
      failure === undefined && !failed.some((module) => declares(module, 'demo')),
  );
  for (const { name, storage, demo } of ready) {
    const { users: _, ...items } = demo;
    if (Object.keys(items).length > 0) await seedCollections(db, name, storage, items);
  }
  await seedIdentity(ready, db, scryptPasswords(passwordCost), clock);
  const demo = await demoInForce(services, db);
  return demo.keyServices.length > 0 ? demo : undefined;
};

/** Finds the services in which the demo credentials are in force, as the database says now. */
export const demoInForce = async (
  services: readonly Pick<DemoService, 'name'>[],
  db: Database,
): Promise<DemoInForce> => {
  const found = await Promise.all(
    services.map(async ({ name }) => {
      const hasKey = (await activeDemoKey(db, name)) !== undefined;
      const user = hasKey && (await knexAccounts(db, name).find(demoCredentials.username));
      return { name, hasKey, hasLogin: user && user.disabledAt === undefined };
    }),
  );
  return {
    ...demoCredentials,
    services: found.filter(({ hasLogin }) => hasLogin).map(({ name }) => name),
    keyServices: found.filter(({ hasKey }) => hasKey).map(({ name }) => name),
  };
};
