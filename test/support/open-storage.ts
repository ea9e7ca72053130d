/** Opens what a service keeps, with a stand-in for its schemas. */

import type { FileSettings } from '../../src/storage/collections/attached-files';
import type { Collection } from '../../src/storage/collections/collection';
import type { CollectionSchema } from '../../src/storage/collections/item-schema';
import type { CollectionDeclaration } from '../../src/storage/collections/register-collections';
import type { Database } from '../../src/storage/database/database';
import {
  openServiceStorage,
  type ServiceStorage,
  type StoredData,
} from '../../src/storage/storage';
import { standInCodecOf } from './stand-in-codec';

/** The schema that has no id; all others have one. */
export const withoutId = 'WithoutId';

/** An item of `pets`, whatever the pet store's document says of one. */
export interface Pet {
  readonly id?: bigint | undefined;
  readonly name: string;
  readonly photoUrls: readonly string[];
  readonly category?: { readonly id?: bigint; readonly name?: string };
  readonly tags?: readonly { readonly id?: bigint; readonly name?: string | undefined }[];
  readonly status?: 'available' | 'pending' | 'sold' | undefined;
}

/** The declaration of pets: fields to find and count by. */
export const petDeclaration = {
  schema: 'Pet',
  lookups: ['status', 'tags.name'],
  counts: ['status'],
  files: true,
} as const satisfies CollectionDeclaration;

/** The declarations of the pet store. */
export const storeDeclarations = { pets: petDeclaration, orders: { schema: 'Order' } } as const;

/** The stand-in for the schema of a declaration. */
export const standInSchema = ({ schema }: CollectionDeclaration): CollectionSchema<object> => ({
  codec: standInCodecOf<object>(),
  hasId: schema !== withoutId,
  hasTextId: false,
  declaredValues: () => [],
  sortKind: () => 'sort',
  columns: () => new Map(),
  missingFields: [],
});

/** The address of a file. */
export const fileUrl = (id: string): string => `http://host/files/${id}`;

/** Settings of files, with bounds that no test reaches by chance. */
export const fileSettings: FileSettings = {
  url: fileUrl,
  maxItemBytes: 2 ** 30,
  maxOwnerBytes: 2 ** 30,
};

/** Opens what a service stores, with its indexes filled. */
export const openFilledStorage = async (
  ...[db, declaration]: Parameters<typeof openServiceStorage>
): Promise<ServiceStorage> => {
  const storage = await openServiceStorage(db, declaration);
  await storage.fillIndexes();
  return storage;
};

/**
 * Opens the storage of a service.
 *
 * @param schema - what is other than in the stand-in
 * @param files - what is said of files
 * @param reload - whether it is opened beside another, and who is told how far indexes are filled
 */
export const openStorage = (
  db: Database,
  service: string,
  collections: Readonly<Record<string, CollectionDeclaration>> = storeDeclarations,
  schema: Partial<CollectionSchema<object>> = {},
  files = fileSettings,
  reload: Pick<Parameters<typeof openServiceStorage>[1], 'isReload' | 'onFill'> = {},
) =>
  openFilledStorage(db, {
    ...reload,
    service,
    collections,
    accounts: undefined,
    schemaOf: (declaration) => ({ ...standInSchema(declaration), ...schema }),
    files,
  });

/** A collection by its name, of items that are known to be of a type. */
export const collectionOf = <Item extends object>(
  { collections }: Pick<StoredData, 'collections'>,
  name: string,
): Collection<Item> => {
  const found = collections[name];
  if (found === undefined) throw new Error(`There is no collection ${name}`);
  return found as unknown as Collection<Item>;
};
