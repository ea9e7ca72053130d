/** Opens what the handlers of a service keep: collections, users and credentials. */

import { withOptionalPackage } from '../base/optional-package';
import { createIdentity } from '../identity/identity';
import { scryptPasswords } from '../identity/password';
import { closeDatabase, openDatabase } from '../storage/database/database';
import { openServiceStorage } from '../storage/storage';
import { seedDemoData } from './demo-data';
import type { PreparedService } from './prepared-service';

/** The surroundings of what a service keeps. */
type Surroundings = Parameters<typeof createIdentity>[1] & {
  /** The most bytes of the files of one item, and of one user. */
  readonly config: { readonly maxItemFilesBytes: number; readonly maxUserFilesBytes: number };
  /** Tells whether another application serves meanwhile; see openServiceStorage. */
  readonly isReload: boolean;
  /** Makes what is called for each invalid item of a collection that is read. */
  readonly onInvalid?: (collection: string) => () => void;
  readonly onFill?: (collection: string, items: number) => void;
};

/** Opens what a service stores, and its users and credentials, and gives them to its handlers. */
export const connectService = async (
  { document, modules, accounts, schemaOf, fileUrl, connect }: PreparedService,
  surroundings: Surroundings,
) => {
  const { config, db, isReload, onInvalid, onFill } = surroundings;
  const { maxItemFilesBytes: maxItemBytes, maxUserFilesBytes: maxOwnerBytes } = config;
  const storage = await openServiceStorage(db, {
    service: document.name,
    collections: modules.collections,
    accounts,
    schemaOf: (declaration, name) => schemaOf(declaration, onInvalid?.(name)),
    files: { url: fileUrl, maxItemBytes, maxOwnerBytes },
    isReload,
    ...(onFill && { onFill }),
  });
  const signIn = createIdentity(document, surroundings);
  connect({ ...storage, identity: signIn.identity });
  return { storage, ...signIn };
};

/** The limits of a program that one developer uses. */
const limits = {
  ...{ passwordCost: 10, minPasswordLength: 8, tokenTtlSeconds: 3600, rateLimitPerHour: 1_000_000 },
  ...{ maxItemFilesBytes: 100 * 1024 * 1024, maxUserFilesBytes: 1024 * 1024 * 1024 },
};

/**
 * Opens the database that the services of a program share which has no configuration of its own.
 *
 * @param url - `sqlite::memory:`, `sqlite:PATH` or `postgres://…`
 * @throws Error in one sentence where it cannot be used, or a package is missing
 */
export const openServiceData = async (url: string) => {
  const open = () => openDatabase(url);
  const db = await withOptionalPackage('knex', 'the storage of collections', open);
  const passwords = scryptPasswords(limits.passwordCost);
  const opened = new Set<string>();
  return {
    /** Connects a service, and fills it with its demo data where it has none. */
    async connect(service: PreparedService): Promise<void> {
      const { name } = service.document;
      const surroundings = { config: limits, db, passwords, clock: Date.now };
      const isReload = opened.has(name);
      const { storage } = await connectService(service, { ...surroundings, isReload });
      opened.add(name);
      await seedDemoData([{ ...service, name, storage }], db, limits, Date.now);
    },
    close: () => closeDatabase(db),
  };
};
