/** The admin program: manages users and credentials of the services, also while they run, and their database as a whole. */

import { createInterface } from 'node:readline';
import type { AdminContext } from './admin/admin-context';
import { runAdmin } from './admin/run-admin';
import { serviceFacts } from './admin/service-facts';
import { scryptPasswords } from './auth/password';
import { readConfig } from './config';
import { loadDocuments } from './documents';
import { closeDatabase, type Database, openDatabase } from './storage/database';

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
      db ??= openDatabase(config.databaseUrl, { connections: 2, inThreads: true });
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
