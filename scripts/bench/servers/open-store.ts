/** Opens the database that the environment names. */

import { postgresStore } from './postgres-store';
import { sqliteStore } from './sqlite-store';
import { digest, type Store, type StoredCredentials } from './store';

/** Returns the variable of the environment. */
export const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

const storedCredentials = (): StoredCredentials => ({
  keyHash: digest(setting('API_KEY')),
  tokens: [
    { hash: digest(setting('PETS_TOKEN')), user: 'bench', scopes: 'write:pets read:pets' },
    { hash: digest(setting('ADS_TOKEN')), user: 'bench', scopes: 'write:ads read:ads' },
  ],
  expiresAt: Date.now() + 10 * 365 * 24 * 60 * 60 * 1000,
});

const sqlitePrefix = 'sqlite:';

/** Opens the database of `DATABASE_URL`, and closes it at SIGTERM. */
export const openStore = async (): Promise<Store> => {
  const url = setting('DATABASE_URL');
  const credentials = storedCredentials();
  const store = url.startsWith(sqlitePrefix)
    ? sqliteStore(url.slice(sqlitePrefix.length), credentials)
    : await postgresStore(url, credentials);
  process.on('SIGTERM', () => {
    store.close();
    process.exit(0);
  });
  return store;
};
