/** `admin copy`, `admin backup` and `admin restore`: the whole database. */

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { backUp, backUpInto, restore, sqlitePath } from '../../storage/backup/backup';
import { indexChanges } from '../../storage/collections/register-collections';
import { Refusal } from '../../storage/connections/database-errors';
import { type CopyProgress, copyDatabase, ownTables } from '../../storage/copy/copy';
import {
  closeDatabase,
  type Database,
  inspectDatabase,
  openDatabase,
} from '../../storage/database/database';
import { planMigrations } from '../../storage/migrations';
import { planOwnMigrations, undoMigration } from '../../storage/tables/own-migrations';
import type { AdminContext } from './admin-context';
import { command, secretOf, secretOption, wholeNumberUpTo } from './declare-command';

const pathOf = ({ settings }: AdminContext, instead: string): string => {
  const { databaseUrl } = settings.config;
  const path = sqlitePath(databaseUrl);
  if (path !== undefined) return path;
  throw new Refusal(
    databaseUrl.startsWith('sqlite:')
      ? 'A database in memory has no backups.'
      : `This is for SQLite; on PostgreSQL use ${instead}.`,
  );
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

const verified = (what: string, rows: Readonly<Record<string, number>>): string => {
  const sum = Object.values(rows).reduce((total, count) => total + count, 0);
  return `Verified: its ${what} are in order; ${Object.keys(rows).length} tables have ${sum} rows.`;
};

/** Makes the commands. */
export const databaseCommands = (context: AdminContext): Command[] => [
  command(
    context,
    [
      'copy',
      'copy everything into another, empty database; interrupted, start again with an empty target',
    ],
    async (urls: { from: string; to: string }, _, print) => {
      if (urls.from === '-' && urls.to === '-') {
        throw new Refusal('Only one of the databases may be "-".');
      }
      const [from, to] = [await secretOf(context, urls.from), await secretOf(context, urls.to)];
      const path = sqlitePath(from);
      // Opening a file that is not there would create it.
      if (path !== undefined && !existsSync(path)) {
        throw new Refusal(`There is no database "${path}".`);
      }
      let last = context.clock();
      /** Prints a line when a table is done, and a line each second before. */
      const progress: CopyProgress = ({ doing, table, done, isComplete }) => {
        if (!isComplete && context.clock() - last < 1000) return;
        last = context.clock();
        print(`${table}: ${done} rows ${doing}`);
      };
      const [tables, notCopied] = await withDatabase(from, (source) =>
        withDatabase(to, async (target) => [
          await copyDatabase(source, target, progress),
          await ownTables(source),
        ]),
      );
      const [problem] = tables.flatMap((table) => table.problem ?? []);
      return { tables, notCopied, problem };
    },
    ({ tables, notCopied, problem }) => [
      ...tables.flatMap(({ table, source, target, problem: difference }) => {
        const lineOf = (side: string, { rows, checksum }: typeof source) =>
          `${table}\t${side}${rows}\t${checksum}`;
        return difference === undefined
          ? [lineOf('', source)]
          : [lineOf('source\t', source), lineOf('target\t', target)];
      }),
      ...(problem === undefined ? ['Copied and verified: all tables match.'] : []),
      ...(notCopied.length === 0
        ? []
        : [`Tables of services are not among them; copy these yourself: ${notCopied.join(', ')}.`]),
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
    .option(
      '--keep <number>',
      'make a dated file in the folder, and then delete older ones that this option made',
      wholeNumberUpTo(1000),
    )
    .argument('<file>', 'the file to make; with --keep the folder'),
  command(
    context,
    ['restore', 'replace the SQLite database by a backup; servers must be stopped'],
    async ({ dryRun = false }: { dryRun?: boolean }, file) => {
      const database = pathOf(context, 'pg_restore --no-owner --dbname=NEW_DATABASE FILE');
      return { file, ...(await restore(database, file, { now: context.clock(), dryRun })) };
    },
    ({ file, rows, previous }, { dryRun }) => [
      dryRun ? `The backup "${file}" can be restored.` : `Restored the database from "${file}".`,
      verified('pages, migrations and references', rows),
      ...(previous === undefined ? [] : [`Previous database kept as "${previous}".`]),
    ],
  )
    .option('--dry-run', 'verify a copy of the backup alone, also while servers run')
    .argument('<file>', 'the backup'),
];

const readPlan = ({ services, settings }: AdminContext) =>
  inspectDatabase(settings.config.databaseUrl, async (trx) => {
    const plan = await planMigrations(trx);
    const indexes = [];
    const ofServices = [];
    for (const { name, collections, collectionSchemas, migrations } of services) {
      if (plan.problem === undefined) {
        ofServices.push(...(await planOwnMigrations(trx, name, migrations)));
      }
      if (!['up-to-date', 'older'].includes(plan.state)) continue;
      indexes.push(...(await indexChanges(trx, name, collections, collectionSchemas)));
    }
    // Migrations leave the version before working; what it writes is in no index that it does not know.
    const canOverlap = indexes.length === 0;
    const problem = plan.problem && `The database cannot be opened: ${plan.problem}.`;
    return { ...plan, problem, ofServices, indexes, canOverlap };
  });

const planLines = (plan: Awaited<ReturnType<typeof readPlan>>): string[] => {
  const { version, state, last, canOverlap } = plan;
  const migrationLines = [...plan.migrations, ...plan.ofServices].flatMap(
    ({ name, statements }) => [name, ...statements.map((sql) => `  ${sql};`)],
  );
  const indexLines = plan.indexes.map(
    ({ change, kind, path, collection, items, seconds }) =>
      `A start ${change}s the ${kind} "${path}" of ${collection}: ${items} items, ${seconds.toFixed(2)} s, changes wait`,
  );
  const head = `For version ${version} the database is ${state}${last === undefined ? '' : `, its last migration ${last}`}.`;
  const lines = [head, ...migrationLines, ...indexLines];
  if (lines.length === 1) return lines;
  const others = canOverlap ? 'Servers of the version before may go on' : 'Stop all servers first';
  return [...lines, `${others}.`];
};

/** Makes the command that brings the tables up to date, or says with `--plan` what that and the next start do. */
export const migrateCommand = (context: AdminContext): Command =>
  command(
    context,
    ['migrate', 'bring the tables up to date, as a start does'],
    async ({ plan: isPlan, down }: { plan: boolean; down?: string }) => {
      if (down !== undefined) {
        const service = context.services.find(({ name }) => name === down);
        if (service === undefined) throw new Refusal(`There is no service "${down}".`);
        const undone = await undoMigration(await context.database(), down, service.migrations);
        return { undone };
      }
      const plan = await readPlan(context);
      if (isPlan) return plan;
      // Opening migrates.
      const db = await context.database();
      const ran = plan.migrations.map(({ name }) => name);
      for (const { migrate } of context.services) ran.push(...(await migrate(db)));
      return { ...plan, problem: undefined, ran };
    },
    (result) => {
      if ('undone' in result) return [`Undone: ${result.undone}.`];
      if (!('ran' in result)) return planLines(result);
      return [
        ...result.ran.map((name) => `Migrated: ${name}.`),
        `The database is up-to-date for version ${result.version}.`,
      ];
    },
  )
    .option('--plan', 'print what it and a start will do, and change nothing', false)
    .option('--down <service>', 'undo the last migration of the tables of a service');
