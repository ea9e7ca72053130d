/** `admin migrate`: brings the tables up to date, or says with `--plan` what that and the next start do. */

import { type Command, Option } from 'commander';
import { type IndexChange, indexChanges } from '../../storage/collections/register-collections';
import { Refusal } from '../../storage/connections/database-errors';
import { inspectDatabase } from '../../storage/database/database';
import { type MigrationPlan, planMigrations } from '../../storage/migrations/plan';
import type { AdminContext } from './admin-context';
import { command } from './declare-command';

/** The plan of a start: what it does to the database. */
interface StartPlan extends MigrationPlan {
  readonly indexes: readonly (IndexChange & { readonly collection: string })[];
  /** Tells whether servers of the version before may go on beside those of this one. */
  readonly canOverlap: boolean;
  /** An estimate of all together. */
  readonly seconds: number;
}

const readPlan = ({ services, databaseUrl }: AdminContext): Promise<StartPlan> =>
  inspectDatabase(databaseUrl, async (trx) => {
    const plan = await planMigrations(trx);
    const isRead = plan.state === 'current' || plan.state === 'older';
    const indexes: StartPlan['indexes'][number][] = [];
    for (const { name: service, collections } of isRead ? services : []) {
      for (const [name, declaration] of Object.entries(collections)) {
        const changes = await indexChanges(trx, service, name, declaration);
        indexes.push(...changes.map((change) => ({ collection: `${service}/${name}`, ...change })));
      }
    }
    const statements = plan.migrations.flatMap((migration) => migration.statements);
    const seconds = [...statements, ...indexes].reduce((sum, one) => sum + one.seconds, 0);
    const areApart = plan.migrations.every(
      ({ statements, unusedSince }) =>
        unusedSince !== undefined || statements.every(({ isExpansion }) => isExpansion),
    );
    return { ...plan, indexes, seconds, canOverlap: areApart && indexes.length === 0 };
  });

type Statement = MigrationPlan['migrations'][number]['statements'][number];

const works = { none: 'no work on rows', scan: 'reads all rows', rewrite: 'rewrites all rows' };

const secondsText = (seconds: number): string => `${seconds.toFixed(2)} s`;

const statementLines = ({ sql, tables, locks, work, seconds }: Statement, { rows }: StartPlan) => {
  const locked = locks.map(({ table, mode }) => `locks ${table} (${mode})`);
  const counts = tables.map((table) => `${table} has ${rows[table]} rows`);
  const facts = [...locked, ...counts, works[work], secondsText(seconds)];
  return [`  ${sql};`, `    ${facts.join(', ')}`];
};

const states = {
  empty: 'an empty database: it makes the tables',
  current: 'a database that is up to date: it changes no table',
  older: 'a database of an older version: it changes tables',
  newer: 'a database of a newer version: it does not start',
  'too-old': 'a database that is too old: it does not start',
};

/** Names the versions that go on working. */
const goingOn = (migrations: StartPlan['migrations']): string => {
  const since = migrations.flatMap(({ unusedSince }) => unusedSince ?? []).at(-1);
  return since === undefined ? 'the version before' : `version ${since} and later`;
};

const planLines = (plan: StartPlan): string[] => {
  const { version, state, last, migrations, indexes, seconds, canOverlap } = plan;
  const head = `Version ${version} finds ${states[state]}.`;
  const lines = [
    last === undefined ? head : `${head} The last migration was ${last}.`,
    ...migrations.flatMap(({ name, statements }) => [
      name,
      ...statements.flatMap((statement) => statementLines(statement, plan)),
    ]),
    ...indexes.map(
      ({ change, kind, path, collection, items, seconds }) =>
        `A start ${change}s the ${kind} "${path}" of ${collection}: ${items} items, ${secondsText(seconds)}, changes wait`,
    ),
  ];
  if (migrations.length + indexes.length === 0) return lines;
  const total = `About ${secondsText(seconds)} together, estimated from the numbers of statements and rows.`;
  if (state === 'empty') return [...lines, total];
  const overlap = canOverlap
    ? `Servers of ${goingOn(migrations)} may go on meanwhile and after it.`
    : 'Stop all servers first: those that run by what is there now would fail, or miss what is new.';
  return [...lines, total, overlap];
};

interface MigrateOptions {
  readonly plan?: boolean;
  readonly format: 'text' | 'json';
}

const printPlan = async (context: AdminContext, format: MigrateOptions['format']) => {
  const plan = await readPlan(context);
  context.print(
    format === 'json' ? JSON.stringify(plan, undefined, 2) : planLines(plan).join('\n'),
  );
  if (plan.problem !== undefined)
    throw new Error(`The database cannot be opened: ${plan.problem}.`);
  return [];
};

const migrate = async (context: AdminContext): Promise<string[]> => {
  const { migrations, version } = await readPlan(context);
  // Whatever opens the database migrates it.
  await context.database();
  const done = migrations.map(({ name }) => `Migrated: ${name}.`);
  return [...done, `The tables are up to date for version ${version}.`];
};

/** Makes the command. */
export const migrateCommand = (context: AdminContext): Command =>
  command<MigrateOptions>(
    context,
    [
      'migrate',
      'bring the tables up to date, as a start does; with --plan, only say what it will do',
    ],
    async ({ plan = false, format }) => {
      if (plan) return printPlan(context, format);
      if (format === 'json') throw new Refusal('Only a --plan has a format.');
      return migrate(context);
    },
  )
    .option(
      '--plan',
      'print statements, locks, rows and times, and change nothing; exit code 1 where a start will be refused',
    )
    .addOption(
      new Option('--format <format>', 'of the plan').choices(['text', 'json']).default('text'),
    );
