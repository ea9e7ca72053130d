/** `admin migrate`: brings the tables up to date, or says with `--plan` what that and the next start do. */

import type { Command } from 'commander';
import { indexChanges } from '../../storage/collections/register-collections';
import { inspectDatabase } from '../../storage/database/database';
import { planMigrations } from '../../storage/migrations';
import type { AdminContext } from './admin-context';
import { command } from './declare-command';

/** Plans a start: its migrations, and the indexes that it fills or deletes. */
const readPlan = ({ services, settings }: AdminContext) =>
  inspectDatabase(settings.config.databaseUrl, async (trx) => {
    const plan = await planMigrations(trx);
    const indexes = [];
    for (const { name, collections } of ['up-to-date', 'older'].includes(plan.state)
      ? services
      : []) {
      indexes.push(...(await indexChanges(trx, name, collections)));
    }
    // Migrations leave the version before working; what it writes is in no index that it does not know.
    const canOverlap = indexes.length === 0;
    const problem = plan.problem && `The database cannot be opened: ${plan.problem}.`;
    return { ...plan, problem, indexes, canOverlap };
  });

type Plan = Awaited<ReturnType<typeof readPlan>>;

const planLines = ({ version, state, last, canOverlap, ...plan }: Plan): string[] => {
  const migrationLines = plan.migrations.flatMap(({ name, statements }) => [
    name,
    ...statements.map((sql) => `  ${sql};`),
  ]);
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

/** Makes the command. */
export const migrateCommand = (context: AdminContext): Command =>
  command(
    context,
    ['migrate', 'bring the tables up to date, as a start does'],
    async ({ plan: isPlan }: { plan: boolean }) => {
      const plan = await readPlan(context);
      if (isPlan) return plan;
      // Opening migrates.
      await context.database();
      return { ...plan, problem: undefined };
    },
    (plan, { plan: isPlan }) =>
      isPlan
        ? planLines(plan)
        : [
            ...plan.migrations.map(({ name }) => `Migrated: ${name}.`),
            `The database is up-to-date for version ${plan.version}.`,
          ],
  ).option('--plan', 'print what it and a start will do, and change nothing', false);
