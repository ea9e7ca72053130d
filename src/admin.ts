/** The admin program: manages users and credentials of the services, also while they run, and their database as a whole. */

import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { errorMessage } from './base/error-message';
import { withOptionalPackage } from './base/optional-package';
import { describeDiagnostic } from './document/diagnostics/diagnostic';
import { loadDocuments, servedDocuments } from './host/documents';
import { loadHandlerModules } from './host/module-loader';
import { scryptPasswords } from './identity/password';
import { type AdminContext, adminService } from './server/admin/admin-context';
import { runAdmin } from './server/admin/run-admin';
import { readSettings } from './server/config/config';
import { closeDatabase, type Database, openDatabase } from './storage/database/database';

const readLine = async (): Promise<string> => {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
};

/** The admin program alone reads TypeScript when it runs, and only for this. */
const loadModule = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  const tsx = await withOptionalPackage('tsx', 'a file in TypeScript', () => import('tsx/cjs/api'));
  return tsx.require(resolve(file), __filename);
};

/** Commands that neither read documents nor load handlers, so that they do their work while these are broken. */
const withoutServices = ['config', 'copy', 'backup', 'restore'];

/** Tells whether a command needs to know what handlers declare; users, tokens, keys and clients are there without them. */
const needsHandlers = ([name = '', action]: readonly string[]): boolean =>
  name === 'user' ? action === 'create' : !['token', 'session', 'api-key', 'client'].includes(name);

const main = async (): Promise<number> => {
  const args = process.argv.slice(2);
  const [name = ''] = args;
  // Beside this program, compiled or not.
  const settings = readSettings(process.env, join(__dirname, '..', 'handlers'));
  const { config, problem } = settings;
  if (problem !== undefined && name !== 'config') throw new Error(problem);
  // Options that variables give are read from there.
  Object.assign(process.env, settings.fromFiles);
  const { allowRemoteReferences, referencesDirectory } = config;
  const authUrlOf = (basePath: string) => basePath;
  const options = { authUrlOf, allowRemoteReferences, referencesDirectory };
  const isWithout = withoutServices.includes(name);
  const states = isWithout ? [] : await loadDocuments([config.specsDirectory], options);
  let db: Promise<Database> | undefined;
  const context: AdminContext = {
    settings,
    services: await Promise.all(
      servedDocuments(states).map(async (document) => {
        if (!needsHandlers(args)) return adminService(document, undefined);
        const { handlersDirectory, production, publicUrl } = config;
        const importSource = production ? undefined : loadModule;
        const load = () => loadHandlerModules(handlersDirectory, document.name, importSource);
        const { accounts, collections, migrations } = await load();
        return adminService(document, accounts || undefined, collections, publicUrl, migrations);
      }),
    ),
    unserved: states.flatMap(({ refused }) => refused.map(describeDiagnostic)),
    database() {
      db ??= openDatabase(config.databaseUrl, { connections: 2 });
      return db;
    },
    passwords: scryptPasswords(config.passwordCost),
    clock: Date.now,
    print: (line) => process.stdout.write(`${line}\n`),
    readLine,
    loadModule,
  };
  try {
    return await runAdmin(args, context, {
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
    });
  } finally {
    const opened = await db?.catch(() => undefined);
    if (opened) await closeDatabase(opened);
  }
};

process.stdout.on('error', ({ message }) => {
  process.stderr.write(`The output cannot be written: ${message}\n`);
  process.exit(1);
});

main().then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exitCode = 1;
  },
);
