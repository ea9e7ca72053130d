/** What one service stores: its collections, its users and its files. No service sees the rows of another. */

import { HttpError } from '../engine';
import { type FileSettings, type FindFile, fileFinder } from './collections/attached-files';
import { type Collection, type CollectionSchema, collectionOver } from './collections/collection';
import { fitItems } from './collections/fit-items';
import type { CollectionIndex } from './collections/indexes/collection-index';
import {
  dropIndex,
  fillIndex,
  type Piece,
  unfinished,
} from './collections/indexes/maintain-indexes';
import type { TextCodec } from './collections/lists/item-pages';
import {
  type CollectionDeclaration,
  collectionRegister,
  type RegisteredCollection,
} from './collections/register-collections';
import { type StoredItems, storedItems } from './collections/stored-items';
import { UnusableSchema, unusableCollection } from './collections/unusable-collection';
import { type Database, within } from './database/database';
import { storedUsers } from './identity/stored-users';
import { type IdentifiedUser, knexUsers, type Users } from './identity/users';

/** Collections by name. */
type StoredCollections = Readonly<Record<string, Collection<object>>>;

/** What is read and changed: in a transaction, or each change in one of its own. */
export interface StoredData {
  readonly collections: StoredCollections;
  /** Undefined where the service declares no users. */
  readonly users: Users<IdentifiedUser> | undefined;
}

export interface ServiceStorage extends StoredData {
  readonly findFile: FindFile;
  /** Changes several collections, `users` among them, all or nothing; the work may be done more than once. */
  transaction<Result>(
    work: (collections: StoredCollections & Pick<StoredData, 'users'>) => Promise<Result>,
  ): Promise<Result>;
  /** The same data in a transaction that is under way. */
  within(db: Database): StoredData;
  /** What is left to do for indexes that were declared anew, or are declared no longer. */
  readonly maintenance: readonly Piece[];
  /** Forgets the indexes that are declared no longer, whose entries `maintenance` deletes. It was done, unless it was opened beside another. */
  retireIndexes(): Promise<void>;
  /** How many items are known not to fit the document, by collection; `users` are the users. */
  misfittingItems(): Promise<Readonly<Record<string, number>>>;
}

/** A declaration that the document does not fit. */
export interface DeclarationFault {
  /** The collection, or `users`. */
  readonly name: string;
  readonly declaration: CollectionDeclaration;
  /** What is wrong with its schema, which leaves it unusable; undefined where only fields are missing. */
  readonly reason: string | undefined;
  /** Lookups and counts that the schema has no field for. */
  readonly missingFields: readonly string[];
}

/** What a service declares, and its schemas. */
interface ServiceDeclaration {
  readonly service: string;
  readonly collections: Readonly<Record<string, CollectionDeclaration>>;
  readonly accounts: CollectionDeclaration | undefined;
  readonly schemaOf: (declaration: CollectionDeclaration) => CollectionSchema<object>;
  readonly files: FileSettings;
  /**
   * Whether this process still serves by declarations of before. What those rely on is then left as it is: the caller is to
   * retire indexes just before it serves by the new ones, and to do the maintenance when nobody serves by the old ones.
   */
  readonly isBeside?: boolean;
}

/** The schema of a declaration, or why there is none. */
const usableSchema = (
  schemaOf: ServiceDeclaration['schemaOf'],
  declaration: CollectionDeclaration,
): CollectionSchema<object> | UnusableSchema => {
  try {
    return schemaOf(declaration);
  } catch (error) {
    if (error instanceof UnusableSchema) return error;
    throw error;
  }
};

const faultsOf = (
  name: string,
  declaration: CollectionDeclaration,
  schema: CollectionSchema<object> | UnusableSchema,
): DeclarationFault[] => {
  const isUnusable = schema instanceof UnusableSchema;
  const reason = isUnusable ? schema.message : undefined;
  const missingFields = isUnusable ? [] : schema.missingFields;
  if (reason === undefined && missingFields.length === 0) return [];
  return [{ name, declaration, reason, missingFields }];
};

/** Finds the declarations that the document does not fit; it needs no database. */
export const declarationFaults = (
  { collections, accounts }: Pick<ServiceDeclaration, 'collections' | 'accounts'>,
  schemaOf: ServiceDeclaration['schemaOf'],
): readonly DeclarationFault[] =>
  Object.entries({ ...collections, ...(accounts && { users: accounts }) }).flatMap(
    ([name, declaration]) => faultsOf(name, declaration, usableSchema(schemaOf, declaration)),
  );

/** Stands in for users without a usable schema: the operations that need them answer 501. */
const unusableUsers = (reason: string): Users<IdentifiedUser> => {
  const refuse = (): never => {
    throw new HttpError(501, 'not-implemented', reason);
  };
  return { get: refuse, insert: refuse, update: refuse, delete: refuse };
};

const usersOver =
  (service: string, schema: CollectionSchema<object> | UnusableSchema | undefined) =>
  (db: Database): Users<IdentifiedUser> | undefined => {
    if (schema === undefined) return undefined;
    if (schema instanceof UnusableSchema) return unusableUsers(schema.message);
    // The schema of a user is trusted to describe users.
    return knexUsers(db, service, schema.codec as TextCodec<object> as TextCodec<IdentifiedUser>);
  };

/** The users as items that are to fit their schema; none where it is unusable. */
const storedUsersOf = (
  db: Database,
  service: string,
  schema: CollectionSchema<object> | UnusableSchema | undefined,
): readonly StoredItems[] =>
  schema === undefined || schema instanceof UnusableSchema
    ? []
    : [storedUsers(db, service, schema)];

const incompleteOf = async (indexes: readonly CollectionIndex[]): Promise<CollectionIndex[]> => {
  const areComplete = await Promise.all(indexes.map((index) => index.isComplete()));
  return indexes.filter((_, at) => areComplete[at] === false);
};

/**
 * Opens what a service stores: registers what it declares, and does the first piece of work for indexes that are new, unless it
 * is opened beside another.
 */
export const openServiceStorage = async (
  db: Database,
  { service, collections, accounts, schemaOf, files, isBeside = false }: ServiceDeclaration,
): Promise<ServiceStorage> => {
  const { register, retire } = collectionRegister(db, service);
  const makers: (readonly [string, (db: Database) => Collection<object>])[] = [];
  const stored: StoredItems[] = [];
  const maintenance: Piece[] = [];
  const retired: RegisteredCollection['dropped'][number][] = [];
  for (const [name, declaration] of Object.entries(collections)) {
    const schema = usableSchema(schemaOf, declaration);
    if (schema instanceof UnusableSchema) {
      makers.push([name, () => unusableCollection(schema.message)]);
      continue;
    }
    const { key, indexes, dropped } = await register(name, declaration);
    retired.push(...dropped);
    const collection = { service, name, key, indexes, ...schema };
    const parts = { ...collection, files: declaration.files === true ? files : undefined };
    makers.push([name, collectionOver(db, parts)]);
    stored.push(storedItems(db, collection));
    const incomplete = await incompleteOf(indexes);
    maintenance.push(...incomplete.map((index) => fillIndex(db, key, index, schema.codec)));
    maintenance.push(...dropped.map((index) => dropIndex(db, index)));
  }

  const collectionsIn = (over: Database): StoredCollections =>
    Object.fromEntries(makers.map(([name, make]) => [name, make(over)]));
  const userSchema = accounts && usableSchema(schemaOf, accounts);
  const usersIn = usersOver(service, userSchema);
  stored.push(...storedUsersOf(db, service, userSchema));
  maintenance.push(...stored.map((items) => fitItems(db, items)));
  if (!isBeside) await retire(retired.splice(0));
  return {
    collections: collectionsIn(db),
    users: usersIn(db),
    findFile: fileFinder(db, service),
    transaction: (work) =>
      db.transaction((trx) => {
        const over = within(db, trx);
        return work(Object.assign(collectionsIn(over), { users: usersIn(over) }));
      }),
    within: (over) => ({ collections: collectionsIn(over), users: usersIn(over) }),
    maintenance: isBeside ? maintenance : await unfinished(maintenance),
    retireIndexes: () => retire(retired),
    async misfittingItems() {
      const counts = stored.map(async (items) => [items.name, await items.countMisfits()] as const);
      return Object.fromEntries(await Promise.all(counts));
    },
  };
};
