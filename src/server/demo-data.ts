/** Fills an empty database with data to try the services out on. */

import { errorMessage } from '../engine';
import type { CollectionSchema } from '../storage/collections/collection';
import type { CollectionDeclaration } from '../storage/collections/register-collections';
import { leaveOutUnfit } from '../storage/collections/unusable-collection';
import { type Database, within } from '../storage/database/database';
import type { Runner } from '../storage/database/transaction';
import { knexAccounts } from '../storage/identity/accounts';
import { knexApiKeys } from '../storage/identity/api-keys';
import type { IdentifiedUser } from '../storage/identity/users';
import { seedCollections } from '../storage/seed-collections';
import type { ServiceStorage } from '../storage/storage';
import type { Config } from './config/config';
import { type Passwords, scryptPasswords } from './identity/password';
import { digest } from './identity/token';
import type { HandlerModules } from './services/handler-modules';
import type { UnfitDemoData } from './services/handler-report';

/** What works in every service of a database with the demo data. */
export const demoCredentials = {
  username: 'demo',
  password: 'demo-password',
  apiKey: 'special-key',
} as const;

/** A service, and the data that stands beside its handlers. */
export interface DemoService {
  readonly name: string;
  readonly storage: ServiceStorage;
  /** By collection; `users` are the users. */
  readonly demo: Readonly<Record<string, readonly object[]>>;
}

/**
 * Rows of keys stay when a key is revoked, so a database that once had the demo data never counts as empty again.
 *
 * @param services - those that are looked at; all where this is not given
 */
const isEmpty = async (
  { knex, prepare }: Database,
  runner: Runner,
  services: readonly string[] | undefined,
): Promise<boolean> => {
  for (const table of ['users', 'api_keys']) {
    const rows = knex(table).limit(1).select('key');
    const found = services === undefined ? rows : rows.whereIn('service', services);
    const [row] = await runner.all(prepare(found), {});
    if (row !== undefined) return false;
  }
  return true;
};

/** Another process was faster. */
class SeededMeanwhile extends Error {}

/**
 * Adds the demo users and the demo key to each of the services, all at once, if there are no users and no keys at all.
 * Resolves to whether it did; of several processes that start together one does.
 *
 * @param empty - the services that must have none, where others may
 */
export const seedIdentity = async (
  services: readonly DemoService[],
  db: Database,
  passwords: Passwords,
  clock: () => number,
  empty?: readonly string[],
): Promise<boolean> => {
  if (!(await isEmpty(db, db, empty))) return false;
  // To hash takes long, and keeps others from it: once is enough for a password that everybody knows.
  const hasUsers = services.some(({ demo }) => (demo['users'] ?? []).length > 0);
  const hash = hasUsers ? await passwords.hash(demoCredentials.password) : undefined;
  const addTo = async (over: Database, { name, storage, demo }: DemoService) => {
    const { users } = storage.within(over);
    const demoUsers: readonly IdentifiedUser[] = demo['users'] ?? [];
    for (const user of demoUsers) {
      const passwordHash = user.username === demoCredentials.username ? hash : undefined;
      const added = users?.insert(user, passwordHash).then((stored) => {
        if (stored === undefined) throw new SeededMeanwhile();
      });
      await added?.catch(leaveOutUnfit);
    }
    const key = { label: 'demo', hash: digest(demoCredentials.apiKey), createdAt: clock() };
    await knexApiKeys(over, name).add(key);
  };
  try {
    return await db.transaction(async (trx) => {
      if (!(await isEmpty(db, trx, empty))) return false;
      for (const service of services) await addTo(within(db, trx), service);
      return true;
    });
  } catch (error) {
    if (error instanceof SeededMeanwhile) return false;
    throw error;
  }
};

/** The key that the demo data came with; undefined where it is not active. */
const activeDemoKey = (db: Database, service: string) =>
  knexApiKeys(db, service).findActive(digest(demoCredentials.apiKey));

/** An item as the document has it, defaults filled in; or why it does not fit. */
const fitItem = ({ codec }: CollectionSchema<object>, item: object): object | string => {
  try {
    const { document, problems } = codec.bring(codec.write(item));
    const [problem] = problems;
    return problem === undefined ? codec.read(document) : `${problem.path} ${problem.message}`;
  } catch (error) {
    // An author may have written anything.
    return errorMessage(error);
  }
};

/** Demo data that can be stored, and what is left out of it. */
interface FittingDemo {
  readonly demo: DemoService['demo'];
  readonly unfit: readonly UnfitDemoData[];
}

/**
 * Fits demo data to the document.
 *
 * @param schemaOf - see itemSchemas; what has no usable schema is left out, and told of elsewhere
 */
export const fitDemo = (
  { demo, collections, accounts }: HandlerModules,
  schemaOf: (declaration: CollectionDeclaration) => CollectionSchema<object>,
  { misfits }: ServiceStorage,
): FittingDemo => {
  const unusable = misfits.filter(({ reason }) => reason !== undefined).map(({ name }) => name);
  const declarations: HandlerModules['collections'] = {
    ...collections,
    ...(accounts && { users: accounts }),
  };
  const fitted = Object.entries(demo).flatMap(([name, items]) => {
    const declaration = declarations[name];
    if (declaration === undefined || unusable.includes(name)) return [];
    const schema = schemaOf(declaration);
    const found = items.map((item) => fitItem(schema, item));
    const numbers = found.flatMap((one, at) => (typeof one === 'string' ? [at + 1] : []));
    const reason = found.find((one) => typeof one === 'string');
    // What is left out leaves a gap: other demo data may name the items that follow by their ids.
    const isNumbered = schema.hasId && !items.some((item) => 'id' in item);
    const fitting = found.flatMap((one, at) => {
      if (typeof one === 'string') return [];
      return [isNumbered ? { id: BigInt(at + 1), ...one } : one];
    });
    const unfit = reason === undefined ? [] : [{ name, declaration, numbers, reason }];
    return [{ name, fitting, unfit }];
  });
  return {
    demo: Object.fromEntries(fitted.map(({ name, fitting }) => [name, fitting])),
    unfit: fitted.flatMap(({ unfit }) => unfit),
  };
};

const seedItems = async (services: readonly DemoService[], db: Database): Promise<void> => {
  for (const { name, storage, demo } of services) {
    const { users: _, ...items } = demo;
    if (Object.keys(items).length > 0) await seedCollections(db, name, storage, items);
  }
};

/**
 * Adds the demo data of services that came later; users and keys only where the demo credentials are in force in others.
 *
 * @param served - the services that there were before
 */
export const seedAddedServices = async (
  added: readonly DemoService[],
  served: readonly DemoService[],
  db: Database,
  config: Config,
  clock: () => number,
): Promise<void> => {
  await seedItems(added, db);
  const keys = await Promise.all(served.map(({ name }) => activeDemoKey(db, name)));
  if (!keys.some(Boolean)) return;
  const passwords = scryptPasswords(config.passwordCost);
  for (const one of added) await seedIdentity([one], db, passwords, clock, [one.name]);
};

/**
 * Adds the demo data to an empty database; of several processes that start together one does. Resolves to the credentials
 * that it came with while they are active, or undefined where the database had data of its own.
 */
export const seedDemoData = async (
  services: readonly DemoService[],
  db: Database,
  config: Config,
  clock: () => number,
): Promise<typeof demoCredentials | undefined> => {
  await seedItems(services, db);
  await seedIdentity(services, db, scryptPasswords(config.passwordCost), clock);
  // On a later start they are announced as long as they are active.
  const keys = services.map(({ name }) => activeDemoKey(db, name));
  return (await Promise.all(keys)).some(Boolean) ? demoCredentials : undefined;
};

/** The demo credentials, and the services in which both are in force, as the database says now. */
export const demoInForce = async (
  services: readonly Pick<DemoService, 'name'>[],
  db: Database,
): Promise<typeof demoCredentials & { readonly services: readonly string[] }> => {
  const found = await Promise.all(
    services.map(async ({ name }) => {
      const key = await activeDemoKey(db, name);
      const user = key && (await knexAccounts(db, name).find(demoCredentials.username));
      return user === undefined ? [] : [name];
    }),
  );
  return { ...demoCredentials, services: found.flat() };
};
