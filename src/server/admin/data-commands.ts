/** `admin data check` and `admin data migrate`: checks stored items against the documents, and migrates them. */

import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { ConvertedText } from '../../storage/collections/item-schema';
import {
  itemMigration,
  type MigrateStoredItem,
  renaming,
} from '../../storage/collections/migrate-items';
import { findCollection } from '../../storage/collections/register-collections';
import { type StoredItems, storedItems, storedUsers } from '../../storage/collections/stored-items';
import { Refusal } from '../../storage/connections/database-errors';
import type { Database } from '../../storage/database/database';
import type { AdminContext, AdminService } from './admin-context';
import {
  command,
  commandGroup,
  type OfService,
  serviceCommand,
  serviceNamed,
} from './declare-command';

const invalidItems = () => {
  // The number of items that are named for each rule.
  const mostLabels = 5;
  const rules = new Map<string, { count: number; labels: string[] }>();
  let items = 0;
  return {
    add(label: string, problems: ConvertedText['problems']): void {
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
    broken: (collection: string) =>
      [...rules].map(([rule, { count, labels }]) => ({ collection, rule, count, ids: labels })),
  };
};

type BrokenRule = ReturnType<ReturnType<typeof invalidItems>['broken']>[number];

const lineOf = ({ collection, rule, count, ids }: BrokenRule): string =>
  `${collection}: ${rule}: ${count} (ids ${ids.join(', ')}${count > ids.length ? ', …' : ''})`;

const storedBy = async (
  db: Database,
  { name: service, collectionSchemas, userSchema }: AdminService,
): Promise<StoredItems[]> => {
  const found: StoredItems[] = [];
  for (const [name, schema] of collectionSchemas()) {
    const key = await findCollection(db, service, name);
    if (key !== undefined) found.push(storedItems(db, { service, name, key, ...schema }));
  }
  const users = userSchema();
  return users === undefined ? found : [...found, storedUsers(db, service, users)];
};

const checkItems = async (
  { print }: AdminContext,
  { service, name, codec, labelOf, after }: StoredItems,
) => {
  const tally = invalidItems();
  let seen = 0;
  for await (const row of after(null)) {
    seen += 1;
    tally.add(labelOf(row), codec.convert(row.document).problems);
  }
  const rules = tally.broken(`${service}/${name}`);
  for (const rule of rules) print(lineOf(rule));
  return { seen, invalid: tally.count(), rules };
};

const check = async (context: AdminContext, service: AdminService | undefined) => {
  const db = await context.database();
  const rules: BrokenRule[] = [];
  let [seen, invalid] = [0, 0];
  for (const each of service === undefined ? context.services : [service]) {
    for (const items of await storedBy(db, each)) {
      const checked = await checkItems(context, items);
      seen += checked.seen;
      invalid += checked.invalid;
      rules.push(...checked.rules);
    }
  }
  const unserved = service === undefined ? context.unserved : [];
  const unfit = invalid > 0 && `${invalid} of ${seen} stored items do not fit the document.`;
  const unchecked = 'Items of a document that cannot be served were not checked.';
  const problem = unfit || (unserved.length > 0 ? unchecked : undefined);
  return { seen, invalid, rules, unserved, problem };
};

interface MigrateOptions {
  readonly with?: string;
  readonly rename?: readonly [from: string, to: string];
  readonly collection?: string;
  readonly dryRun: boolean;
}

const readRename = (text: string): MigrateOptions['rename'] => {
  const [, from, to] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined && from !== to) return [from, to];
  throw new InvalidArgumentError('It must be two names, OLD=NEW.');
};

const isMigration = (value: unknown): value is MigrateStoredItem => typeof value === 'function';

/** Gives functions by the names of collections, and the name of the migration that they are. */
const migrationOf = async (
  { loadModule }: AdminContext,
  { name, declares }: AdminService,
  { with: file, rename, collection }: MigrateOptions,
  wanted: readonly string[],
) => {
  if (rename !== undefined) {
    const [from, to] = rename;
    if (collection === undefined) throw new Refusal('--rename needs --collection.');
    if (!declares(collection, to)) {
      throw new Refusal(`The schema of ${name}/${collection} has no property "${to}".`);
    }
    // Doing it twice does no harm, so that each time is a migration of its own.
    const task = `rename ${from}=${to} ${randomUUID()}`;
    return { task, functions: { [collection]: renaming(from, to) } };
  }
  const functions = await loadModule(file ?? '');
  if (wanted.some((name) => isMigration(functions[name]))) {
    return { task: basename(file ?? ''), functions };
  }
  throw new Refusal(`"${file}" must export a function named ${wanted.join(' or ')}.`);
};

const toMigrate = async (context: AdminContext, service: AdminService, options: MigrateOptions) => {
  const { with: file, rename, collection: only } = options;
  const users = service.userSchema() === undefined ? [] : ['users'];
  const names = [...service.collectionSchemas().keys(), ...users];
  if (only !== undefined && !names.includes(only)) {
    const known = names.join(', ');
    throw new Refusal(`${service.name} has no collection "${only}"; there are: ${known}.`);
  }
  if ((file === undefined) === (rename === undefined)) {
    throw new Refusal('Give either --with FILE or --rename OLD=NEW.');
  }
  const wanted = only === undefined ? names : [only];
  const { task, functions } = await migrationOf(context, service, options, wanted);
  const db = await context.database();
  return (await storedBy(db, service)).flatMap((items) => {
    const migrate = functions[items.name];
    if (!wanted.includes(items.name) || !isMigration(migrate)) return [];
    return [itemMigration(db, items, task, migrate)];
  });
};

type Migration = ReturnType<typeof itemMigration>;

/** Prints what would change, and which results would be invalid. */
const rehearse = async ({ print }: AdminContext, { place, outcomes }: Migration) => {
  const tally = invalidItems();
  let [seen, changed] = [0, 0];
  for await (const { label, isChanged, converted } of outcomes()) {
    const problems = converted?.problems ?? [];
    seen += 1;
    changed += Number(isChanged && problems.length === 0);
    tally.add(label, problems);
  }
  const [invalid, rules] = [tally.count(), tally.broken(place)];
  print(`${place}: ${changed} of ${seen} items would change, ${invalid} would not fit`);
  for (const rule of rules) print(lineOf(rule));
  return { collection: place, seen, changed, invalid, rules };
};

const perform = async ({ print }: AdminContext, migration: Migration) => {
  const { place, task } = migration;
  if (await migration.isDone()) {
    print(`${place}: "${task}" was applied before; to apply it again, rename it`);
    return { collection: place, invalid: 0, wasApplied: true };
  }
  let [seen, changed] = [0, 0];
  while (true) {
    const page = await migration.migratePage();
    seen += page.seen;
    changed += page.changed;
    if (page.isComplete) break;
  }
  print(`${place}: ${changed} of ${seen} items changed`);
  return { collection: place, seen, changed, invalid: 0 };
};

const migrate = async (context: AdminContext, service: AdminService, options: MigrateOptions) => {
  const { dryRun } = options;
  const work = dryRun ? rehearse : perform;
  const collections: Awaited<ReturnType<typeof work>>[] = [];
  for (const migration of await toMigrate(context, service, options)) {
    collections.push(await work(context, migration));
  }
  const invalid = collections.reduce((sum, collection) => sum + collection.invalid, 0);
  const problem = invalid > 0 ? `${invalid} results would not fit the document.` : undefined;
  return { dryRun, collections, problem };
};

/** Makes the commands that check and migrate stored items. */
export const dataCommands = (context: AdminContext): Command =>
  commandGroup(
    ['data', 'check stored items against the documents, and migrate them'],
    [
      command(
        context,
        ['check', 'check all stored items and users; exit code 1 where some do not fit'],
        ({ service }: Partial<OfService>, _, print) => check({ ...context, print }, service),
        ({ seen, invalid, unserved, problem }) =>
          problem === undefined
            ? `All ${seen} stored items fit the document.`
            : unserved.filter(() => invalid === 0),
      ).option('--service <name>', 'this service alone', serviceNamed(context)),
      serviceCommand(
        context,
        ['migrate', 'apply functions to all stored items and users, also while servers run'],
        ({ service, ...options }: OfService & MigrateOptions, _, print) =>
          migrate({ ...context, print }, service, options),
        () => [],
      )
        .option(
          '--with <file>',
          'a file that exports a function (old) => new for each collection, and for `users`',
        )
        .option('--rename <old=new>', 'a property of the collection gets another name', readRename)
        .option('--collection <name>', 'this collection alone, or `users`')
        .option('--dry-run', 'print the changes, and change nothing', false),
    ],
  );
