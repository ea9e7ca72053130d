/** `admin data check` and `admin data migrate`: what is stored, and the document that it is to fit. */

import { basename } from 'node:path';
import type { Command } from 'commander';
import type { BroughtText } from '../../storage/collections/lists/item-pages';
import { itemMigration, type MigrateItem } from '../../storage/collections/migrate-items';
import { findCollection } from '../../storage/collections/register-collections';
import { labelOf, type StoredItems, storedItems } from '../../storage/collections/stored-items';
import { Refusal } from '../../storage/connections/database-errors';
import type { Database } from '../../storage/database/database';
import { storedUsers } from '../../storage/identity/stored-users';
import type { AdminContext, ServiceFacts } from './admin-context';
import { command, commandGroup, serviceCommand, serviceNamed } from './declare-command';

/** Items that are named for each rule. */
const mostLabels = 5;

/** Counts what does not fit by rule, and keeps the first items of each. */
const misfitTally = () => {
  const rules = new Map<string, { count: number; labels: string[] }>();
  let items = 0;
  return {
    add(label: string, problems: BroughtText['problems']): void {
      if (problems.length > 0) items += 1;
      // The elements of a list break one rule, and so do values of several wrong types.
      const broken = problems.map(({ path, message }) =>
        `${path.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${message.replace(/, not .*$/s, '')}`.trim(),
      );
      for (const rule of new Set(broken)) {
        const found = rules.get(rule) ?? { count: 0, labels: [] };
        rules.set(rule, found);
        found.count += 1;
        if (found.labels.length < mostLabels) found.labels.push(label);
      }
    },
    count: () => items,
    lines: (place: string): string[] =>
      [...rules].map(([rule, { count, labels }]) => {
        const more = count > labels.length ? ', …' : '';
        return `${place}: ${rule}: ${count} (ids ${labels.join(', ')}${more})`;
      }),
  };
};

/** What a service stores: the collections that the database knows, and the users. */
const storedBy = async (
  db: Database,
  { name: service, collectionSchemas, userSchema }: ServiceFacts,
): Promise<StoredItems[]> => {
  const found: StoredItems[] = [];
  for (const [name, schema] of collectionSchemas()) {
    const registered = await findCollection(db, service, name);
    if (registered === undefined) continue;
    found.push(storedItems(db, { service, name, ...registered, ...schema }));
  }
  const users = userSchema();
  return users === undefined ? found : [...found, storedUsers(db, service, users)];
};

/** Checks all items of a collection, or all users; resolves to how many there are and how many do not fit. */
const checkItems = async (
  { print }: AdminContext,
  { service, name, codec, after }: StoredItems,
): Promise<{ readonly seen: number; readonly misfits: number }> => {
  const tally = misfitTally();
  let seen = 0;
  for await (const row of after(null)) {
    seen += 1;
    tally.add(labelOf(row), codec.bring(row.document).problems);
  }
  for (const line of tally.lines(`${service}/${name}`)) print(line);
  return { seen, misfits: tally.count() };
};

const check = async (context: AdminContext, service: ServiceFacts | undefined): Promise<string> => {
  const db = await context.database();
  let [seen, misfits] = [0, 0];
  for (const one of service === undefined ? context.services : [service]) {
    for (const items of await storedBy(db, one)) {
      const checked = await checkItems(context, items);
      seen += checked.seen;
      misfits += checked.misfits;
    }
  }
  if (misfits > 0) throw new Error(`${misfits} of ${seen} stored items do not fit the document.`);
  if (service === undefined && context.unserved.length > 0) {
    for (const line of context.unserved) context.print(line);
    throw new Error('What is stored under a document that cannot be served was not checked.');
  }
  return `All ${seen} stored items fit the document.`;
};

interface MigrateOptions {
  readonly with: string;
  readonly collection?: string;
  readonly dryRun: boolean;
}

const isMigration = (value: unknown): value is MigrateItem => typeof value === 'function';

/** What the file has a function for. */
const toMigrate = async (
  context: AdminContext,
  service: ServiceFacts,
  { with: file, collection: only }: MigrateOptions,
) => {
  const users = service.userSchema() === undefined ? [] : ['users'];
  const names = [...service.collectionSchemas().keys(), ...users];
  if (only !== undefined && !names.includes(only)) {
    throw new Refusal(
      `${service.name} has no collection "${only}"; there are: ${names.join(', ')}.`,
    );
  }
  const exported = await context.loadModule(file);
  const wanted = only === undefined ? names : [only];
  if (!wanted.some((name) => isMigration(exported[name]))) {
    throw new Refusal(`"${file}" must export a function named ${wanted.join(' or ')}.`);
  }
  const db = await context.database();
  return (await storedBy(db, service)).flatMap((items) => {
    const migrate = exported[items.name];
    if (!wanted.includes(items.name) || !isMigration(migrate)) return [];
    return [itemMigration(db, items, basename(file), migrate)];
  });
};

type Migration = ReturnType<typeof itemMigration>;

/** Says what would change; resolves to how many results would not fit. */
const rehearse = async ({ print }: AdminContext, { place, outcomes }: Migration) => {
  const tally = misfitTally();
  let [seen, changed] = [0, 0];
  for await (const { label, isChanged, brought } of outcomes()) {
    seen += 1;
    changed += Number(isChanged && brought.problems.length === 0);
    tally.add(label, brought.problems);
  }
  print(`${place}: ${changed} of ${seen} items would change, ${tally.count()} would not fit`);
  for (const line of tally.lines(place)) print(line);
  return tally.count();
};

const perform = async ({ print }: AdminContext, migration: Migration, file: string) => {
  const { place } = migration;
  if (await migration.isDone()) {
    print(`${place}: "${file}" was applied before; to apply it again, rename it`);
    return;
  }
  let [seen, changed] = [0, 0];
  while (true) {
    const page = await migration.migratePage();
    seen += page.seen;
    changed += page.changed;
    if (page.isComplete) break;
  }
  print(`${place}: ${changed} of ${seen} items changed`);
};

const migrate = async (
  context: AdminContext,
  service: ServiceFacts,
  options: MigrateOptions,
): Promise<readonly string[]> => {
  const migrations = await toMigrate(context, service, options);
  let misfits = 0;
  for (const migration of migrations) {
    if (options.dryRun) misfits += await rehearse(context, migration);
    else await perform(context, migration, basename(options.with));
  }
  if (misfits > 0) throw new Error(`${misfits} results would not fit the document.`);
  return [];
};

/** Makes the commands that check and migrate stored items. */
export const dataCommands = (context: AdminContext): Command =>
  commandGroup(
    ['data', 'check stored items against the documents, and migrate them'],
    [
      command<{ service?: ServiceFacts }>(
        context,
        ['check', 'check all stored items and users; exit code 1 where some do not fit'],
        ({ service }) => check(context, service),
      ).option('--service <name>', 'this service alone', serviceNamed(context)),
      serviceCommand<MigrateOptions>(
        context,
        ['migrate', 'apply functions to all stored items and users, also while servers run'],
        ({ service, ...options }) => migrate(context, service, options),
      )
        .requiredOption(
          '--with <file>',
          'a file that exports a function (old) => new for each collection, and for `users`',
        )
        .option('--collection <name>', 'this collection alone, or `users`')
        .option('--dry-run', 'print the changes, and change nothing', false),
    ],
  );
