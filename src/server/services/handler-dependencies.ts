/** What the handlers of a service are written against, beside the engine's `Handlers`. */

import type { Identity } from '../identity/identity';
import type { Collection } from '../storage/collections/collection';
import type {
  Collections,
  CountOf,
  FieldValue,
  ItemOf,
  LookupOf,
} from '../storage/collections/declaration';
import type { ItemPages } from '../storage/collections/lists/item-pages';
import type { UserStorage } from '../storage/identity/users';

export type { Accounts, Collections } from '../storage/collections/declaration';

/** The functions that a collection has for what it declares. */
type Declared<Declaration, Item> = ([LookupOf<Declaration>] extends [never]
  ? unknown
  : {
      /** Items that have any of the values in the field, each once, ordered by id. */
      find<Path extends LookupOf<Declaration>>(
        path: Path,
        values: readonly FieldValue<Item, Path>[],
      ): ItemPages<Item>;
    }) &
  ([CountOf<Declaration>] extends [never]
    ? unknown
    : {
        /** How many items have each value in the field; 0 for each value of the schema's `enum` that none has. */
        count(path: CountOf<Declaration>): Promise<Record<string, number>>;
      }) &
  (Declaration extends { readonly files: true } ? Pick<Collection<Item>, 'attach'> : unknown);

type Typed<Declaration, Item> = Pick<
  Collection<Item>,
  'get' | 'list' | 'insert' | 'update' | 'delete'
> &
  Declared<Declaration, Item>;

/** The collections of a service, by name. */
type Stored<Declarations, Schemas, Operations> = {
  readonly [Name in keyof Declarations]: Typed<
    Declarations[Name],
    ItemOf<Declarations[Name], Schemas, Operations>
  >;
};

/**
 * What a handler factory is given: the service's collections by name, and beside them its users.
 * `User` is a user as responses carry it.
 */
export type HandlerDependencies<
  Declarations extends Collections<Schemas, Operations>,
  Schemas,
  User = never,
  Operations = never,
> = Stored<Declarations, Schemas, Operations> & {
  readonly users: UserStorage<User>;
  readonly identity: Identity;
  /**
   * Changes several collections, all or nothing. The work may be done more than once: it changes nothing but what it is given.
   */
  transaction<Result>(
    work: (collections: Stored<Declarations, Schemas, Operations>) => Promise<Result>,
  ): Promise<Result>;
};

/** Items and users for a database that has none yet. The user `demo` gets the demo password. */
export type DemoData<Declarations, Schemas, User = never, Operations = never> = {
  readonly [Name in keyof Declarations]?: readonly ItemOf<
    Declarations[Name],
    Schemas,
    Operations
  >[];
} & { readonly users?: readonly User[] };
