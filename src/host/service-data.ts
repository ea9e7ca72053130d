/** Opens what the handlers of a service keep: collections, users and credentials. */

import { withOptionalPackage } from '../base/optional-package';
import { createIdentity } from '../identity/identity';
import { scryptPasswords } from '../identity/password';
import { closeDatabase, openDatabase } from '../storage/database/database';
import { openServiceStorage } from '../storage/storage';
import { seedDemoData } from './demo-data';
import type { HandledService, PreparedService } from './prepared-service';

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

/** Opens what a service stores, and its users and credentials, as its handlers and its listener need them. */
export const connectService = async (
  { document, modules, accounts, schemaOf, fileUrl }: PreparedService,
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
  return { ...storage, ...createIdentity(document, surroundings) };
};

/** The storage of a service, and its identity. */
export type ServiceData = Awaited<ReturnType<typeof connectService>>;

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
  const clock = Date.now;
  const opened = new Set<string>();
  return {
    /** Opens what a service keeps. */
    async connect(service: PreparedService): Promise<ServiceData> {
      const { name } = service.document;
      const parts = { config: limits, db, passwords, clock, isReload: opened.has(name) };
      const data = await connectService(service, parts);
      opened.add(name);
      return data;
    },
    /** Fills the indexes of a service, and a service that has no data with its demo data. */
    async fill(service: HandledService<ServiceData>): Promise<void> {
      await service.data.fillIndexes();
      const { name } = service.document;
      await seedDemoData([{ ...service, name, storage: service.data }], db, limits, clock);
    },
    close: () => closeDatabase(db),
  };
};
