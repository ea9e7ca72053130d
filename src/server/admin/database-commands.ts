/** `admin copy`, `admin backup` and `admin restore`: the whole database. */

import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { backUp, backUpInto, restore, sqlitePath, tryRestore } from '../../storage/backup/backup';
import type { TableRows } from '../../storage/backup/check';
import { Refusal } from '../../storage/connections/database-errors';
import { type CopiedTable, type CopyProgress, copyDatabase } from '../../storage/copy/copy';
import { closeDatabase, type Database, openDatabase } from '../../storage/database/database';
import { integer } from '../config/config-values';
import type { AdminContext } from './admin-context';
import { command, type Outcome, requiredSecret, secretOption } from './declare-command';

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

const numberToKeep = (text: string): number => {
  const read = integer(1, 1000)(text);
  if ('value' in read) return read.value;
  throw new InvalidArgumentError(`It ${read.problem}.`);
};

const verified = (what: string, rows: TableRows): string => {
  const counts = Object.values(rows);
  const sum = counts.reduce((total, count) => total + count, 0);
  return `Verified: its ${what} are in order; ${counts.length} tables have ${sum} rows.`;
};

/** A backup that was restored, or only tried. */
interface Restored extends Outcome {
  readonly file: string;
  readonly rows: TableRows;
  readonly previous?: string | undefined;
}

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
    ['backup', 'copy the SQLite database into a file and verify it, also while servers run'],
    async ({ force = false, keep }: { force?: boolean; keep?: number }, file) => {
      const database = pathOf(context, 'pg_dump --format=custom --file=FILE DATABASE');
      if (keep !== undefined) return backUpInto(database, file, { keep, now: context.clock() });
      return { file, rows: await backUp(database, file, { force }), deleted: [] };
    },
    ({ file, rows, deleted }) => [
      `Backed up the database as "${file}".`,
      verified('pages and references', rows),
      ...deleted.map((older) => `Deleted "${older}".`),
    ],
  )
    .option('--force', 'replace the file if it exists')
    .addOption(
      new Option(
        '--keep <number>',
        'make a dated file in the folder, and then delete all but the newest of those that this option made',
      )
        .argParser(numberToKeep)
        .conflicts('force'),
    )
    .argument('<file>', 'the file to make; with --keep the folder'),
  command(
    context,
    ['restore', 'replace the SQLite database by a backup; servers must be stopped'],
    async ({ dryRun = false }: { dryRun?: boolean }, file) => {
      const instead = 'pg_restore --exit-on-error --no-owner --dbname=NEW_DATABASE FILE';
      const database = pathOf(context, instead);
      if (dryRun) return { file, rows: await tryRestore(database, file) };
      return { file, ...(await restore(database, file, context.clock())) };
    },
    ({ file, rows, previous }: Restored, { dryRun }) => [
      dryRun ? `The backup "${file}" can be restored.` : `Restored the database from "${file}".`,
      verified('pages, migrations and references', rows),
      ...(previous === undefined ? [] : [`Previous database kept as "${previous}".`]),
    ],
  )
    .option('--dry-run', 'verify a copy of the backup alone, also while servers run')
    .argument('<file>', 'the backup'),
];
