/** Fills an empty database with data to try the services out on. */

import type { Config } from './config/config';
import { scryptPasswords } from './identity/password';
import { demoCredentials, seedIdentity } from './identity/seed-identity';
import { digest } from './identity/token';
import type { Database } from './storage/database/database';
import { knexApiKeys } from './storage/identity/api-keys';
import { seedCollections } from './storage/seed-collections';
import type { ServiceStorage } from './storage/storage';

/** What works in every service once the demo data is there. */
export type DemoCredentials = typeof demoCredentials;

/** A service, and the data that stands beside its handlers. */
export interface DemoService {
  readonly name: string;
  readonly storage: ServiceStorage;
  /** By collection; `users` are the users. */
  readonly demo: Readonly<Record<string, readonly object[]>>;
}

/** The demo data of what can be stored. */
export const usableDemo = (
  demo: DemoService['demo'],
  { misfits }: ServiceStorage,
): DemoService['demo'] => {
  const unusable = misfits.filter(({ reason }) => reason !== undefined).map(({ name }) => name);
  return Object.fromEntries(Object.entries(demo).filter(([name]) => !unusable.includes(name)));
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
): Promise<DemoCredentials | undefined> => {
  for (const { name, storage, demo } of services) {
    const { users: _, ...items } = demo;
    if (Object.keys(items).length > 0) await seedCollections(db, name, storage, items);
  }
  const passwords = scryptPasswords(config.passwordCost);
  await seedIdentity({ db, services, passwords, clock });
  // On a later start they are announced as long as they are active.
  const keys = services.map(({ name }) =>
    knexApiKeys(db, name).findActive(digest(demoCredentials.apiKey)),
  );
  return (await Promise.all(keys)).some(Boolean) ? demoCredentials : undefined;
};
