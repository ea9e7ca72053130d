/** `admin copy`, `admin backup` and `admin restore`: the whole database. */

import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { backUp } from '../../storage/backup/backup';
import { restore } from '../../storage/backup/restore';
import { sqlitePath } from '../../storage/backup/sqlite-files';
import { Refusal } from '../../storage/connections/database-errors';
import { type CopiedTable, type CopyProgress, copyDatabase } from '../../storage/copy/copy';
import { closeDatabase, type Database, openDatabase } from '../../storage/database/database';
import { type AdminContext, secretOf, secretOption } from './admin-context';

const pathOf = ({ databaseUrl }: AdminContext, instead: string): string => {
  const path = sqlitePath(databaseUrl);
  if (path !== undefined) return path;
  throw new Refusal(
    databaseUrl.startsWith('sqlite:')
      ? 'A database in memory has no backups.'
      : `This is for SQLite; on PostgreSQL use ${instead}.`,
  );
};

/** A line when a table is through, and one a second meanwhile. */
const progressPrinter = ({ print, clock }: AdminContext): CopyProgress => {
  let last = clock();
  return ({ doing, table, done, isComplete }) => {
    if (!isComplete && clock() - last < 1000) return;
    last = clock();
    print(`${table}: ${done} rows ${doing}`);
  };
};

const withDatabase = async <Result>(
  url: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> => {
  const db = await openDatabase(url, { connections: 2 });
  try {
    return await work(db);
  } finally {
    await closeDatabase(db);
  }
};

const linesOf = ({ table, source, target, problem }: CopiedTable): string[] => {
  if (problem === undefined) return [`${table}\t${source.rows}\t${source.checksum}`];
  return [
    `${table}\tsource\t${source.rows}\t${source.checksum}`,
    `${table}\ttarget\t${target.rows}\t${target.checksum}`,
  ];
};

const copy = async (context: AdminContext, from: string, to: string): Promise<void> => {
  const path = sqlitePath(from);
  // Opening a file that is not there would create it.
  if (path !== undefined && !existsSync(path)) throw new Refusal(`There is no database "${path}".`);
  const copied = await withDatabase(from, (source) =>
    withDatabase(to, (target) => copyDatabase(source, target, progressPrinter(context))),
  );
  for (const line of copied.flatMap(linesOf)) context.print(line);
  const [problem] = copied.flatMap((table) => table.problem ?? []);
  if (problem !== undefined) throw new Error(problem);
  context.print('Copied and verified: all tables match.');
};

/** Makes the commands. */
export const databaseCommands = (context: AdminContext): Command[] => [
  new Command('copy')
    .description(
      'copy everything into another, empty database; interrupted, start again with an empty target',
    )
    .addOption(
      secretOption(
        '--from <url>',
        'the database to read, whose servers must be stopped',
        'COPY_FROM_URL',
      ),
    )
    .addOption(secretOption('--to <url>', 'the database to fill', 'COPY_TO_URL'))
    .action(async ({ from, to }: { from: string; to: string }) => {
      if (from === '-' && to === '-') throw new Refusal('Only one of the databases may be "-".');
      await copy(context, await secretOf(context, from), await secretOf(context, to));
    }),
  new Command('backup')
    .description('copy the SQLite database into a file, also while servers run')
    .argument('<file>', 'the file to make')
    .option('--force', 'replace the file if it is there', false)
    .action(async (file: string, options: { force: boolean }) => {
      await backUp(pathOf(context, 'pg_dump'), file, options);
      context.print(`The database is backed up as "${file}".`);
    }),
  new Command('restore')
    .description('put a backup in the place of the SQLite database; servers must be stopped')
    .argument('<file>', 'the backup')
    .action(async (file: string) => {
      const old = await restore(pathOf(context, 'pg_restore'), file, context.clock());
      context.print(`The database is restored from "${file}".`);
      if (old !== undefined) context.print(`Previous database kept as "${old}".`);
    }),
];
