/** Opens what handlers keep for a program without a configuration of its own: in memory, or in a database. */

import type { ApiDocument, SecurityHandlers } from '../engine';
import { createIdentity } from '../identity/identity';
import { scryptPasswords } from '../identity/password';
import { closeDatabase, openDatabase } from '../storage/database/database';
import { openServiceStorage } from '../storage/storage';
import { seedDemoData } from './demo-data';
import type { HandlerModules, LoadedHandler } from './handler-modules';
import { prepareService, withHttpErrors } from './prepared-service';

/** The handlers of a document that keeps data. */
export interface KeepingHandlers {
  readonly handlers: readonly LoadedHandler[];
  readonly securityHandlers: SecurityHandlers;
  /** Sentences about what cannot be used. */
  readonly problems: readonly string[];
}

/** The limits of a program that one developer uses. */
const limits = {
  ...{ passwordCost: 10, minPasswordLength: 8, tokenTtlSeconds: 3600, rateLimitPerHour: 1_000_000 },
  ...{ maxItemBytes: 100 * 1024 * 1024, maxOwnerBytes: 1024 * 1024 * 1024 },
};

/**
 * Opens the database that the handlers of all documents share.
 *
 * @param url - `sqlite::memory:`, `sqlite:PATH` or `postgres://…`
 * @throws Error in one sentence where it cannot be used
 */
export const openKeptData = async (url: string) => {
  const db = await openDatabase(url);
  const passwords = scryptPasswords(limits.passwordCost);
  const opened = new Set<string>();
  return {
    /** Makes the handlers of a document with its collections, users and demo data. */
    async handlersOf(
      document: ApiDocument,
      modules: HandlerModules,
      validateResponses: boolean,
      origin: () => string,
    ): Promise<KeepingHandlers> {
      const settings = { validateResponses, listsInvalid: false, demoData: true };
      const prepared = await prepareService(
        document,
        { ...settings, handlersDirectory: '', mockMissingHandlers: true, mockCredentials: true },
        origin,
        async () => modules,
      );
      const { name } = document;
      const storage = await openServiceStorage(db, {
        service: name,
        collections: modules.collections,
        accounts: modules.accounts,
        schemaOf: (declaration) => prepared.schemaOf(declaration),
        files: { url: prepared.fileUrl, ...limits },
        isReload: opened.has(name),
      });
      opened.add(name);
      const identityOptions = { config: limits, db, passwords, clock: Date.now };
      const { identity } = createIdentity(document, identityOptions);
      prepared.connect({ ...storage, identity });
      await seedDemoData([{ ...prepared, name, storage }], db, limits, Date.now);
      const { failure, failed, faults } = prepared;
      return {
        handlers: prepared.handlers.map((loaded) => ({
          ...loaded,
          handler: withHttpErrors(loaded.handler),
        })),
        securityHandlers: prepared.securityHandlers,
        problems: [
          failure,
          ...failed.map(({ reason }) => reason),
          ...faults.map(({ reason }) => reason),
        ].filter((sentence) => sentence !== undefined),
      };
    },
    close: () => closeDatabase(db),
  };
};

/** The data that handlers keep. */
export type KeptData = Awaited<ReturnType<typeof openKeptData>>;
