/** `admin data check` and `admin data migrate`: what is stored, and the document that it is to fit. */

import { basename } from 'node:path';
import { Command } from 'commander';
import { storedItems } from '../storage/collections/fit-items';
import type { BroughtText } from '../storage/collections/lists/item-pages';
import {
  itemMigration,
  type MigratedCollection,
  type MigrateItem,
} from '../storage/collections/migrate-items';
import { findCollection } from '../storage/collections/register-collections';
import { Refusal } from '../storage/connections/database-errors';
import type { Database } from '../storage/database/database';
import {
  type AdminContext,
  commandGroup,
  type ServiceFacts,
  serviceCommand,
  serviceNamed,
} from './admin-context';

/** Ids that are named for each rule. */
const mostIds = 5;

/** Counts what does not fit by rule, and keeps the first ids of each. */
const misfitTally = () => {
  const rules = new Map<string, { count: number; ids: string[] }>();
  let items = 0;
  return {
    add(id: string, problems: BroughtText['problems']): void {
      if (problems.length > 0) items += 1;
      // The elements of a list break one rule, and so do values of several wrong types.
      const broken = problems.map(({ path, message }) =>
        `${path.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${message.replace(/, not .*$/s, '')}`.trim(),
      );
      for (const rule of new Set(broken)) {
        const found = rules.get(rule) ?? { count: 0, ids: [] };
        rules.set(rule, found);
        found.count += 1;
        if (found.ids.length < mostIds) found.ids.push(id);
      }
    },
    count: () => items,
    lines: (place: string): string[] =>
      [...rules].map(([rule, { count, ids }]) => {
        const more = count > ids.length ? ', …' : '';
        return `${place}: ${rule}: ${count} (ids ${ids.join(', ')}${more})`;
      }),
  };
};

/** The collections of a service that the database knows. */
const collectionsOf = async (
  db: Database,
  { name: service, collectionSchemas }: ServiceFacts,
): Promise<MigratedCollection[]> => {
  const found: MigratedCollection[] = [];
  for (const [name, schema] of collectionSchemas()) {
    const registered = await findCollection(db, service, name);
    if (registered !== undefined) found.push({ service, name, ...registered, ...schema });
  }
  return found;
};

/** Checks all items of a collection; resolves to how many there are and how many do not fit. */
const checkCollection = async (
  db: Database,
  { print }: AdminContext,
  collection: MigratedCollection,
): Promise<{ readonly seen: number; readonly misfits: number }> => {
  const tally = misfitTally();
  let seen = 0;
  for await (const { id, document } of storedItems(db, collection).after(null)) {
    seen += 1;
    tally.add(id, collection.codec.bring(document).problems);
  }
  for (const line of tally.lines(`${collection.service}/${collection.name}`)) print(line);
  return { seen, misfits: tally.count() };
};

const check = async (context: AdminContext, service: ServiceFacts | undefined): Promise<void> => {
  const db = await context.database();
  let [seen, misfits] = [0, 0];
  for (const one of service === undefined ? context.services : [service]) {
    for (const collection of await collectionsOf(db, one)) {
      const checked = await checkCollection(db, context, collection);
      seen += checked.seen;
      misfits += checked.misfits;
    }
  }
  if (misfits > 0) throw new Error(`${misfits} of ${seen} stored items do not fit the document.`);
  context.print(`All ${seen} stored items fit the document.`);
};

interface MigrateOptions {
  readonly with: string;
  readonly collection?: string;
  readonly dryRun: boolean;
}

const isMigration = (value: unknown): value is MigrateItem => typeof value === 'function';

/** The collections that the file has a function for. */
const toMigrate = async (
  context: AdminContext,
  service: ServiceFacts,
  { with: file, collection: only }: MigrateOptions,
) => {
  const names = [...service.collectionSchemas().keys()];
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
  return (await collectionsOf(db, service)).flatMap((collection) => {
    const migrate = exported[collection.name];
    if (!wanted.includes(collection.name) || !isMigration(migrate)) return [];
    const place = `${collection.service}/${collection.name}`;
    return [{ place, migration: itemMigration(db, collection, basename(file), migrate) }];
  });
};

type Migration = Awaited<ReturnType<typeof toMigrate>>[number];

/** Says what would change; resolves to how many results would not fit. */
const rehearse = async ({ print }: AdminContext, { place, migration }: Migration) => {
  const tally = misfitTally();
  let [seen, changed] = [0, 0];
  for await (const { id, isChanged, brought } of migration.outcomes()) {
    seen += 1;
    changed += Number(isChanged && brought.problems.length === 0);
    tally.add(id, brought.problems);
  }
  print(`${place}: ${changed} of ${seen} items would change, ${tally.count()} would not fit`);
  for (const line of tally.lines(place)) print(line);
  return tally.count();
};

const perform = async ({ print }: AdminContext, { place, migration }: Migration, file: string) => {
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
): Promise<void> => {
  const migrations = await toMigrate(context, service, options);
  let misfits = 0;
  for (const migration of migrations) {
    if (options.dryRun) misfits += await rehearse(context, migration);
    else await perform(context, migration, basename(options.with));
  }
  if (misfits > 0) throw new Error(`${misfits} results would not fit the document.`);
};

/** Checks and migrates what is stored. */
export const dataCommands = (context: AdminContext): Command =>
  commandGroup(
    ['data', 'checks what is stored against the documents, and migrates it'],
    [
      new Command('check')
        .description('check all stored items; exit code 1 where some do not fit')
        .option('--service <name>', 'this service alone', serviceNamed(context))
        .action(({ service }: { service?: ServiceFacts }) => check(context, service)),
      serviceCommand<MigrateOptions>(
        context,
        ['migrate', 'apply a function to all stored items, also while servers run'],
        (service, options) => migrate(context, service, options),
      )
        .requiredOption('--with <file>', 'exports a function (old) => new for each collection')
        .option('--collection <name>', 'this collection alone')
        .option('--dry-run', 'say what would change, and change nothing', false),
    ],
  );
