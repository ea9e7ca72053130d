/** Fills an empty database with data to try the services out on. */

import type { App } from './app';
import type { Config } from './config/config';
import { scryptPasswords } from './identity/password';
import { demoCredentials, seedIdentity } from './identity/seed-identity';
import { digest } from './identity/token';
import type { TextCodec } from './storage/collections/text-codec';
import type { Database } from './storage/database/database';
import { demoService, seedResources } from './storage/demo/demo-data';
import { knexApiKeys } from './storage/identity/api-keys';
import type { IdentifiedUser } from './storage/identity/users';

/** What works in every service once the demo data is there. */
export type DemoCredentials = typeof demoCredentials;

/**
 * Adds the demo data to an empty database; of several processes that start together one does. Resolves to the credentials
 * that it came with while they are good, or undefined where the database had data of its own.
 */
export const seedDemoData = async (
  { documents, storage, textCodecOf }: App,
  db: Database,
  config: Config,
  clock: () => number,
): Promise<DemoCredentials | undefined> => {
  const services = documents.map(({ name, definition }) => ({
    name,
    userCodec:
      definition.components?.schemas?.['User'] === undefined
        ? undefined
        : (textCodecOf(name, 'User') as TextCodec<IdentifiedUser>),
  }));
  if (documents.some(({ name }) => name === demoService)) await seedResources(db, storage);
  const passwords = scryptPasswords(config.passwordCost);
  await seedIdentity({ db, services, passwords, clock });
  // On a later start they are announced as long as they are good.
  const keys = services.map(({ name }) =>
    knexApiKeys(db, name).findActive(digest(demoCredentials.apiKey)),
  );
  return (await Promise.all(keys)).some(Boolean) ? demoCredentials : undefined;
};
