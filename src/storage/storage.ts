/** The storage of one service: its collections, its users and its files. No service sees the rows of another. */

import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { lazy } from '../base/memoize';
import { recover } from '../base/recover';
import { type FileSettings, fileFinder, type StoredFiles } from './collections/attached-files';
import { type Collection, CollectionItems } from './collections/collection';
import { trackedDatabase } from './collections/collection-indexes';
import { openCursors } from './collections/cursors';
import type { FillProgress } from './collections/fill-indexes';
import { idsOf } from './collections/ids';
import {
  type CollectionSchema,
  leaveOutInvalid,
  type TextCodec,
  UnusableSchema,
} from './collections/item-schema';
import { type CollectionDeclaration, collectionRegister } from './collections/register-collections';
import { type Database, type Transaction, within, workWithin } from './database/database';
import { type IdentifiedUser, type Users, usersOver } from './identity/users';
import { isPostgres } from './sql/dialect';
import { type JobLeases, jobLeases } from './tables/job-leases';
import type { OwnMigration } from './tables/own-migrations';
import { updateViews, type ViewedCollection } from './tables/views';

type StoredCollections = Readonly<Record<string, Collection<object>>>;

/** The collections and users, in one transaction, or each change in one of its own. */
export interface StoredData {
  readonly collections: StoredCollections;
  /** Undefined where the service declares no users. */
  readonly users: Users<IdentifiedUser> | undefined;
}

/** Collections and more that are changed together: the collections by name, the users, and `database`, the Knex of the transaction. */
export type KeptInTransaction = StoredCollections &
  Pick<StoredData, 'users'> & { readonly database: Knex };

export interface ServiceStorage extends StoredData {
  readonly findFile: StoredFiles;
  /** The database of its handlers, for tables of their own, until `end`. */
  readonly database: Knex;
  /** Runs the migrations of its tables that have not run. */
  migrate(migrations: readonly OwnMigration[]): Promise<readonly string[]>;
  /** Brings the views of the collections in line with their schemas. */
  updateViews(): Promise<unknown>;
  /** The leases of its jobs, for this process. */
  readonly leases: JobLeases;
  /** Ends the database of its handlers: none of its statements is run any more. */
  end(): void;
  /**
   * Changes several collections, `users` among them, all or nothing, when no other such work is under way in any process; the work may be
   * done more than once.
   */
  transaction<Result>(work: (kept: KeptInTransaction) => Promise<Result>): Promise<Result>;
  /** The same data in a transaction that is under way. */
  within(db: Database): StoredData;
  /** Fills the indexes that are new, and drops those that are declared no longer; what is asked by a new one before finds too little. */
  fillIndexes(): Promise<void>;
}

/** A declaration that does not fit the document. */
export interface DeclarationFault {
  /** The collection, or `users`. */
  readonly name: string;
  readonly declaration: CollectionDeclaration;
  /** The reason that makes its schema unusable; undefined where only fields are missing. */
  readonly reason: string | undefined;
  /** Lookups and counts that the schema has no field for. */
  readonly missingFields: readonly string[];
}

interface ServiceDeclaration {
  readonly service: string;
  readonly collections: Readonly<Record<string, CollectionDeclaration>>;
  readonly accounts: CollectionDeclaration | undefined;
  readonly schemaOf: (declaration: CollectionDeclaration, name: string) => CollectionSchema<object>;
  readonly files: FileSettings;
  /** Tells whether this process still serves by former declarations; see RegisterOptions. */
  readonly isReload?: boolean;
  /** Receives how far the indexes of a collection are filled. */
  readonly onFill?: (collection: string, items: number) => void;
}

const usableSchema = (
  schemaOf: ServiceDeclaration['schemaOf'],
  declaration: CollectionDeclaration,
  name: string,
): CollectionSchema<object> | UnusableSchema =>
  recover(
    () => schemaOf(declaration, name),
    UnusableSchema,
    (error) => error,
  );

/** Finds the declarations that do not fit the document; it needs no database. */
export const declarationFaults = (
  { collections, accounts }: Pick<ServiceDeclaration, 'collections' | 'accounts'>,
  schemaOf: ServiceDeclaration['schemaOf'],
): readonly DeclarationFault[] =>
  Object.entries({ ...collections, ...(accounts && { users: accounts }) }).flatMap(
    ([name, declaration]) => {
      const schema = usableSchema(schemaOf, declaration, name);
      const isUnusable = schema instanceof UnusableSchema;
      const reason = isUnusable ? schema.message : undefined;
      const missingFields = isUnusable ? [] : schema.missingFields;
      if (reason === undefined && missingFields.length === 0) return [];
      return [{ name, declaration, reason, missingFields }];
    },
  );

/** Stands in for a collection, or users, without a usable schema: whatever is called throws. */
const standIn = <Stored extends object>(unusable: UnusableSchema): Stored => {
  const refuse = (): never => {
    throw unusable;
  };
  return new Proxy({} as Stored, { get: () => refuse });
};

/**
 * Makes the function with which a transaction begins that takes turns with all others that begin so, in all processes: each reads what
 * those before it have committed. SQLite has one writer anyway; on PostgreSQL two would otherwise read the same at READ COMMITTED, and
 * both change something else for it.
 */
const transactionTurns = ({ knex, prepare }: Database): ((trx: Transaction) => Promise<void>) => {
  if (!isPostgres(knex)) return async () => undefined;
  // Changes the row: at REPEATABLE READ a lock alone would show what was there before.
  const turn = knex('id_counters')
    .insert({ name: 'transactions', next: '1' })
    .onConflict('name')
    .merge({ next: knex.ref('id_counters.next') });
  const lock = prepare<Record<string, never>, never>(turn, ['id_counters']);
  return (trx) => trx.send(lock, {});
};

/** Makes what `database.transaction` gives: a Knex that has the collections, too, but for those that are named as what is its own. */
const callable = (kept: KeptInTransaction): Knex => {
  const { database } = kept;
  for (const [name, value] of Object.entries(kept)) {
    if (!(name in database)) Object.defineProperty(database, name, { value });
  }
  return database;
};

/** Opens what a service stores, and registers what it declares. */
export const openServiceStorage = async (
  db: Database,
  { service, collections, accounts, schemaOf, files, isReload = false, onFill }: ServiceDeclaration,
): Promise<ServiceStorage> => {
  const register = collectionRegister(db, service);
  const cursors = await openCursors(db);
  const fills: (() => Promise<void>)[] = [];
  const viewed: ViewedCollection[] = [];
  const makers: (readonly [string, (db: Database) => Collection<object>])[] = [];
  for (const [name, declaration] of Object.entries(collections)) {
    const schema = usableSchema(schemaOf, declaration, name);
    if (schema instanceof UnusableSchema) {
      makers.push([name, () => standIn(schema)]);
      continue;
    }
    const progress: FillProgress | undefined = onFill && ((items) => onFill(name, items));
    const options = { schema, isReload, progress };
    const { fillIndexes, ...registered } = await register(name, declaration, options);
    fills.push(fillIndexes);
    viewed.push({ name, key: registered.key, columns: schema.columns });
    const ownFiles = declaration.files ? files : undefined;
    const parts = { service, name, ...registered, ...schema, cursors, files: ownFiles };
    const items = new CollectionItems(db, parts);
    makers.push([name, (over) => items.over(over)]);
  }
  const userSchema = accounts && usableSchema(schemaOf, accounts, 'users');
  const usersIn =
    userSchema instanceof UnusableSchema
      ? () => standIn<Users<IdentifiedUser>>(userSchema)
      : // The schema of a user is trusted to describe users.
        userSchema &&
        usersOver(db, service, userSchema.codec as TextCodec<object> as TextCodec<IdentifiedUser>);
  const collectionsIn = (over: Database): StoredCollections =>
    Object.fromEntries(makers.map(([name, make]) => [name, make(over)]));
  const tracked = trackedDatabase(db);
  const takeTurn = transactionTurns(db);
  let updated: ReturnType<typeof updateViews> | undefined;
  const views = () => {
    updated ??= updateViews(db, service, viewed).catch((error: unknown) => {
      // The next one who asks tries again.
      updated = undefined;
      throw error;
    });
    return updated;
  };
  let hasEnded = false;

  const transaction: ServiceStorage['transaction'] = async (work) => {
    await views();
    return tracked.transaction(async (shared) => {
      await takeTurn(shared);
      return workWithin(shared, async (trx) => {
        const over = within(db, trx);
        let own: ReturnType<ReturnType<typeof tables>['inside']> | undefined;
        const stored = { ...collectionsIn(over), users: usersIn?.(over) };
        const kept = Object.defineProperty(stored, 'database', {
          enumerable: true,
          get: () => {
            own ??= tables().inside(over.runOwn);
            return own.database;
          },
        }) as KeptInTransaction;
        const result = await work(kept);
        // Work that went on after a failure is not kept: PostgreSQL has undone it.
        const failure = own?.failure();
        if (failure !== undefined) throw failure;
        return result;
      });
    });
  };

  const tables = lazy(() => {
    // Loaded for handlers that ask for it.
    const { ownDatabase } =
      require('./tables/own-database') as typeof import('./tables/own-database');
    return ownDatabase({
      ...{ knex: db.knex, runOwn: tracked.runOwn, views, hasEnded: () => hasEnded },
      transaction: (work) => transaction((kept) => work(callable(kept))),
    });
  });
  const leases = lazy(() => jobLeases(db, service, randomUUID()));

  return {
    collections: collectionsIn(tracked),
    users: usersIn?.(db),
    get database() {
      return tables().database;
    },
    async migrate(migrations) {
      // They may read the collections.
      if (migrations.length > 0) await views();
      const { migrateOwn } =
        require('./tables/own-migrations') as typeof import('./tables/own-migrations');
      return migrateOwn(db, service, migrations);
    },
    updateViews: views,
    get leases() {
      return leases();
    },
    end: () => {
      hasEnded = true;
    },
    findFile: fileFinder(db, service),
    transaction,
    within: (over) => ({ collections: collectionsIn(over), users: usersIn?.(over) }),
    async fillIndexes() {
      for (const fill of fills) await fill();
    },
  };
};

/** Orders items to be added: those that give an id first, before it is assigned to another. */
export const identifiedFirst = <Item extends object>(items: readonly Item[]): readonly Item[] => {
  const identified = (item: Item): number => Number('id' in item);
  return items.toSorted((one, other) => identified(other) - identified(one));
};

/**
 * Adds the items that fit their schema, all or none, where none was ever stored.
 *
 * @param items - by the names of their collections
 * @returns whether it added them
 */
export const seedCollections = (
  db: Database,
  service: string,
  storage: ServiceStorage,
  items: Readonly<Record<string, readonly object[]>>,
): Promise<boolean> =>
  db.transaction(async (trx) => {
    // Starting a counter decides between processes that look at the same time.
    const [first = ''] = Object.keys(items);
    if (!(await idsOf(db, service, first).start(trx))) return false;
    const any = db
      .knex('items')
      .join('collections', 'collections.key', 'items.collection')
      .where({ service })
      .limit(1)
      .select('collection');
    if ((await trx.all(db.prepare(any), {})).length > 0) return false;
    const { collections } = storage.within(within(db, trx));
    for (const [name, added] of Object.entries(items)) {
      for (const item of identifiedFirst(added)) {
        await collections[name]?.insert(item).catch(leaveOutInvalid);
      }
    }
    return true;
  });
