/** The admin program: manages users and credentials of the services, also while they run, and their database as a whole. */

import { createInterface } from 'node:readline';
import type { AdminContext } from './server/admin/admin-context';
import { runAdmin } from './server/admin/run-admin';
import { serviceFacts } from './server/admin/service-facts';
import { readConfig } from './server/config/config';
import { scryptPasswords } from './server/identity/password';
import { loadDocuments } from './server/services/documents';
import { closeDatabase, type Database, openDatabase } from './server/storage/database/database';

const readLine = async (): Promise<string> => {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
};

const main = async (): Promise<number> => {
  const config = readConfig(process.env);
  const { documents } = await loadDocuments(config.specsDirectory, {
    authUrlOf: (basePath) => basePath,
    allowRemote: config.allowRemoteReferences,
  });
  let db: Promise<Database> | undefined;
  const context: AdminContext = {
    services: documents.map(serviceFacts),
    databaseUrl: config.databaseUrl,
    database() {
      db ??= openDatabase(config.databaseUrl, { connections: 2 });
      return db;
    },
    passwords: scryptPasswords(config.passwordCost),
    tokenTtlSeconds: config.tokenTtlSeconds,
    clock: Date.now,
    print: (line) => process.stdout.write(`${line}\n`),
    readLine,
  };
  try {
    return await runAdmin(process.argv.slice(2), context, {
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
    });
  } finally {
    const opened = await db?.catch(() => undefined);
    if (opened) await closeDatabase(opened);
  }
};

main().then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
