/** `admin copy`, `admin backup` and `admin restore`: the whole database. */

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { backUp, restore, sqlitePath } from '../../storage/backup/backup';
import { Refusal } from '../../storage/connections/database-errors';
import { type CopiedTable, type CopyProgress, copyDatabase } from '../../storage/copy/copy';
import { closeDatabase, type Database, openDatabase } from '../../storage/database/database';
import type { AdminContext } from './admin-context';
import { command, requiredSecret, secretOption } from './declare-command';

const pathOf = ({ databaseUrl }: AdminContext, instead: string): string => {
  const path = sqlitePath(databaseUrl);
  if (path !== undefined) return path;
  throw new Refusal(
    databaseUrl.startsWith('sqlite:')
      ? 'A database in memory has no backups.'
      : `This is for SQLite; on PostgreSQL use ${instead}.`,
  );
};

/** Makes the function that prints a line when a table is done, and a line each second before. */
const progressPrinter = (print: AdminContext['print'], { clock }: AdminContext): CopyProgress => {
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

const copy = async (from: string, to: string, progress: CopyProgress) => {
  const path = sqlitePath(from);
  // Opening a file that is not there would create it.
  if (path !== undefined && !existsSync(path)) throw new Refusal(`There is no database "${path}".`);
  const copied = await withDatabase(from, (source) =>
    withDatabase(to, (target) => copyDatabase(source, target, progress)),
  );
  const [problem] = copied.flatMap((table) => table.problem ?? []);
  return { tables: copied, problem };
};

interface CopyOptions {
  readonly from?: string;
  readonly to?: string;
}

/** Makes the commands. */
export const databaseCommands = (context: AdminContext): Command[] => [
  command(
    context,
    [
      'copy',
      'copy everything into another, empty database; interrupted, start again with an empty target',
    ],
    async ({ from, to }: CopyOptions, _, print) => {
      if (from === '-' && to === '-') throw new Refusal('Only one of the databases may be "-".');
      const source = await requiredSecret(context, 'COPY_FROM_URL', from);
      const target = await requiredSecret(context, 'COPY_TO_URL', to);
      return copy(source, target, progressPrinter(print, context));
    },
    ({ tables, problem }) => [
      ...tables.flatMap(linesOf),
      ...(problem === undefined ? ['Copied and verified: all tables match.'] : []),
    ],
  )
    .addOption(
      secretOption(
        '--from <url>',
        'the database to read, whose servers must be stopped',
        'COPY_FROM_URL',
      ),
    )
    .addOption(secretOption('--to <url>', 'the database to fill', 'COPY_TO_URL')),
  command(
    context,
    ['backup', 'copy the SQLite database into a file, also while servers run'],
    async ({ force = false }: { force?: boolean }, file) => {
      await backUp(pathOf(context, 'pg_dump'), file, { force });
      return { file };
    },
    ({ file }) => `Backed up the database as "${file}".`,
  )
    .option('--force', 'replace the file if it exists')
    .argument('<file>', 'the file to make'),
  command(
    context,
    ['restore', 'replace the SQLite database by a backup; servers must be stopped'],
    async (_, file) => ({
      file,
      previous: await restore(pathOf(context, 'pg_restore'), file, context.clock()),
    }),
    ({ file, previous }) => [
      `Restored the database from "${file}".`,
      ...(previous === undefined ? [] : [`Previous database kept as "${previous}".`]),
    ],
  ).argument('<file>', 'the backup'),
];
