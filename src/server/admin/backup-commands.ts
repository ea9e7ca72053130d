/** `admin backup` and `admin restore`: the whole database as one file. */

import { Command } from 'commander';
import { BackupRefused, backUp } from '../storage/backup/backup';
import { restore } from '../storage/backup/restore';
import { sqlitePath } from '../storage/backup/sqlite-files';
import { type AdminContext, Refusal } from './admin-context';

const pathOf = ({ databaseUrl }: AdminContext, instead: string): string => {
  const path = sqlitePath(databaseUrl);
  if (path !== undefined) return path;
  throw new Refusal(
    databaseUrl.startsWith('sqlite:')
      ? 'A database in memory has no backups.'
      : `This is for SQLite; on PostgreSQL use ${instead}.`,
  );
};

const orRefusal = (error: unknown): never => {
  throw error instanceof BackupRefused ? new Refusal(error.message) : error;
};

const runBackup = async (context: AdminContext, file: string, force: boolean): Promise<void> => {
  await backUp(pathOf(context, 'pg_dump'), file, { force }).catch(orRefusal);
  context.print(`The database is backed up as "${file}".`);
};

const runRestore = async (context: AdminContext, file: string): Promise<void> => {
  const path = pathOf(context, 'pg_restore');
  const kept = await restore(path, file, context.clock()).catch(orRefusal);
  context.print(`The database is restored from "${file}".`);
  if (kept !== undefined) context.print(`What it held before is kept as "${kept}".`);
};

/** Makes both commands. */
export const backupCommands = (context: AdminContext): Command[] => [
  new Command('backup')
    .description('copy the SQLite database into a file, also while servers run')
    .argument('<file>', 'the file to make')
    .option('--force', 'replace the file if it is there', false)
    .action((file: string, { force }: { force: boolean }) => runBackup(context, file, force)),
  new Command('restore')
    .description('put a backup in the place of the SQLite database; servers must be stopped')
    .argument('<file>', 'the backup')
    .action((file: string) => runRestore(context, file)),
];
