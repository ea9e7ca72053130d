/** The types that the handlers of a service are written against, beside the engine's `Handlers`. */

import type { Knex } from 'knex';
import type { SerializedJson } from '../engine';
import type { Identity } from '../identity/identity';
import type { WriteWebhook } from '../requests/webhooks';
import type { FileReaders } from '../storage/collections/attached-files';
import type { Collection } from '../storage/collections/collection';
import type { ItemPages } from '../storage/collections/item-pages';
import type { CursorPage } from '../storage/collections/keyset-pages';
import type { IdentifiedUser, Users } from '../storage/identity/users';
import type { FactoryTools } from './lifetime';

type Scalar = string | number | bigint | boolean;

type Scalars<Item> = {
  [Name in keyof Item & string]: NonNullable<Item[Name]> extends Scalar ? Name : never;
}[keyof Item & string];

type ElementOf<Value> = Value extends readonly (infer Element)[] ? Element : Value;

/**
 * A field of an item that holds a scalar or a list of scalars (`status`), or such a field of the objects in another field
 * (`tags.name`).
 */
type FieldPath<Item> = {
  [Name in keyof Item & string]: ElementOf<NonNullable<Item[Name]>> extends Scalar
    ? Name
    : `${Name}.${Scalars<ElementOf<NonNullable<Item[Name]>>>}`;
}[keyof Item & string];

/** A field of an item that holds one scalar (`start`), or such a field of an object in it (`place.city`). */
type SortPath<Item> = {
  [Name in keyof Item & string]: NonNullable<Item[Name]> extends Scalar
    ? Name
    : NonNullable<Item[Name]> extends readonly unknown[]
      ? never
      : `${Name}.${Scalars<NonNullable<Item[Name]>>}`;
}[keyof Item & string];

interface Options<Item> {
  /** The fields by which items are found, beside their id. */
  readonly lookups?: readonly FieldPath<Item>[];
  /** The fields whose values are counted as they change. */
  readonly counts?: readonly Scalars<Item>[];
  /** The fields by which pages are sorted, and whose ranges and prefixes they may ask for. */
  readonly sorts?: readonly SortPath<Item>[];
  /**
   * Lets files be attached to items. `true`: a file is read by the user who attached it alone; `{ read: 'getBooking' }`: by all who may
   * call that operation; `'public'`: by all to whom its address is known.
   */
  readonly files?: boolean | FileReaders;
}

type BodyOf<Operation> = Operation extends { readonly body: infer Body } ? Body : never;

type SchemaName<Schemas> = Exclude<keyof Schemas & string, '$defaults'>;

type SchemaDeclarations<Schemas> = {
  [Name in SchemaName<Schemas>]: { readonly schema: Name } & Options<Schemas[Name]>;
}[SchemaName<Schemas>];

type BodyDeclarations<Operations> = {
  [Id in keyof Operations & string]: { readonly body: Id } & Options<BodyOf<Operations[Id]>>;
}[keyof Operations & string];

type TypeName = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/** A Schema Object in the version of the document, with a type; whatever else it says is validated. */
interface TypedSchema {
  readonly type: TypeName | readonly (TypeName | 'null')[];
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly items?: TypedSchema;
  readonly properties?: Readonly<Record<string, TypedSchema>>;
  readonly additionalProperties?: boolean | TypedSchema;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly [keyword: string]: unknown;
}

/** The schema of an item, without references. */
interface OwnSchema extends TypedSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, TypedSchema>>;
}

type FormatOf<Schema> = Schema extends { readonly format: infer Format } ? Format : undefined;

type IntegerValue<Format> = Format extends 'int64' | 'uint64' ? bigint : number;

type NumberValue<Format> = Format extends 'decimal' ? string : IntegerValue<Format>;

type ObjectValue<Schema> = Schema extends { readonly properties: infer Properties }
  ? {
      readonly [Name in keyof Properties as Name & RequiredIn<Schema>]: OwnValue<Properties[Name]>;
    } & {
      readonly [Name in Exclude<keyof Properties, RequiredIn<Schema>>]?:
        | OwnValue<Properties[Name]>
        | undefined;
    }
  : Schema extends { readonly additionalProperties: infer Value extends TypedSchema }
    ? Readonly<Record<string, OwnValue<Value>>>
    : Readonly<Record<string, unknown>>;

type RequiredIn<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never;

type ValueOfType<Name, Schema> = Name extends 'string'
  ? FormatOf<Schema> extends 'binary'
    ? Uint8Array
    : string
  : Name extends 'integer'
    ? IntegerValue<FormatOf<Schema>>
    : Name extends 'number'
      ? NumberValue<FormatOf<Schema>>
      : Name extends 'boolean'
        ? boolean
        : Name extends 'null'
          ? null
          : Name extends 'array'
            ? readonly (Schema extends { readonly items: infer Items }
                ? OwnValue<Items>
                : unknown)[]
            : ObjectValue<Schema>;

/** The type of the values of a schema that is written as a literal. */
type OwnValue<Schema> =
  | (Schema extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly type: readonly (infer Name)[] }
        ? ValueOfType<Name, Schema>
        : Schema extends { readonly type: infer Name }
          ? ValueOfType<Name, Schema>
          : unknown)
  | (Schema extends { readonly nullable: true } ? null : never);

/** The properties of a schema's values that have a default. */
type OwnDefaults<Schema> = Schema extends { readonly properties: infer Properties }
  ? {
      [Name in keyof Properties]: Properties[Name] extends { readonly default: unknown }
        ? Name
        : never;
    }[keyof Properties]
  : never;

/** A collection with a schema of its own, which the document does not publish; its fields are checked at the start. */
interface OwnDeclaration extends Options<Readonly<Record<string, string>>> {
  readonly schema: OwnSchema;
}

/** The collections of a service, by name. `Schemas` and `Operations` are generated from its document. */
export type Collections<Schemas, Operations = never> = Readonly<
  Record<string, SchemaDeclarations<Schemas> | BodyDeclarations<Operations> | OwnDeclaration>
>;

/** The schema of a service's users: a component of the document. `accounts = false` in place of it does without users. */
export interface Accounts<Schemas> {
  readonly schema: SchemaName<Schemas>;
}

/** The type of a declared collection's items. */
type ItemOf<Declaration, Schemas, Operations> = Declaration extends {
  readonly schema: infer Name extends keyof Schemas;
}
  ? Schemas[Name]
  : Declaration extends { readonly body: infer Id extends keyof Operations }
    ? BodyOf<Operations[Id]>
    : Declaration extends { readonly schema: infer Own extends OwnSchema }
      ? OwnValue<Own>
      : never;

type Listed<Declaration, Field extends string> =
  Declaration extends Readonly<Record<Field, readonly (infer Path extends string)[]>>
    ? Path
    : never;

/** The fields that a declared collection's items are found by. */
type LookupOf<Declaration> = Listed<Declaration, 'lookups'>;

/** The fields whose values a declared collection counts. */
type CountOf<Declaration> = Listed<Declaration, 'counts'>;

/** The fields by which pages of a declared collection are sorted. */
type SortOf<Declaration> = Listed<Declaration, 'sorts'>;

/** The type of the values at a path. */
type FieldValue<Item, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Item
    ? FieldValue<ElementOf<NonNullable<Item[Name]>>, Rest>
    : never
  : Path extends keyof Item
    ? ElementOf<NonNullable<Item[Path]>>
    : never;

/** The type of the ids, where they are int64 or texts. */
type IdOf<Item> = Item extends { readonly id?: infer Id }
  ? NonNullable<Id> extends bigint
    ? bigint
    : NonNullable<Id> extends string
      ? string
      : never
  : never;

type IdField<Item> = [IdOf<Item>] extends [never] ? never : 'id';

/** Values that fit: one, any of several, or where they are sorted those of a range or with a prefix. */
type AnyOf<Value> = Value | readonly Value[] | undefined;
type Between<Value> = {
  readonly [Operator in 'gt' | 'gte' | 'lt' | 'lte']?: Value | undefined;
};
type Sorted<Value> =
  | AnyOf<Value>
  | Between<Value>
  | ([Value] extends [string] ? { readonly prefix: string | undefined } : never);

type Conditions<Declaration, Item> = {
  readonly [Path in SortOf<Declaration>]?: Sorted<FieldValue<Item, Path>>;
} & {
  readonly [Path in Exclude<LookupOf<Declaration>, SortOf<Declaration>>]?: AnyOf<
    FieldValue<Item, Path>
  >;
} & {
  readonly [Path in IdField<Item>]?: IdOf<Item> extends bigint ? Sorted<bigint> : AnyOf<string>;
};

/** The conditions that items of a page or a count fit, all of them; one that is undefined is none. */
type WhereOf<Declaration, Item> = [keyof Conditions<Declaration, Item>] extends [never]
  ? Readonly<Record<string, never>>
  : Conditions<Declaration, Item>;

interface Query<Declaration, Item> {
  readonly where?: WhereOf<Declaration, Item> | undefined;
}

interface PageQueryOf<Declaration, Item> extends Query<Declaration, Item> {
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  /** The `previous` of the page behind. */
  readonly before?: string | undefined;
  /** From 1 to 200; 50 by default. */
  readonly limit?: number | undefined;
  /** A field; behind a minus from the greatest value to the least. By `id` by default. */
  readonly order?: `${'' | '-'}${SortOf<Declaration> | 'id'}` | undefined;
}

/** Stands for an id where items have none that is an int64 or a text: the compiler shows it to those who ask for one. */
type NoId = 'The schema has no id with format: int64, or of type: string';

/** The id that items are asked for by; any of a schema that there is not, whose fault is at its declaration. */
type AskedId<Item> = [Item] extends [never]
  ? bigint | string
  : [IdOf<Item>] extends [never]
    ? NoId
    : IdOf<Item>;

type CollectionOf<Item> = Collection<Item, AskedId<Item>>;

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
        /** Counts the items with each value in the field; 0 for each value of the schema's `enum` that no item has. */
        count(path: CountOf<Declaration>): Promise<Record<string, number>>;
      }) &
  (Declaration extends { readonly files: FileReaders }
    ? Pick<CollectionOf<Item>, 'attach'>
    : unknown);

type Typed<Declaration, Item, Defaults> = Pick<
  CollectionOf<Item>,
  'get' | 'list' | 'update' | 'delete'
> & {
  /**
   * Stores a new item, under an assigned id where it has none. What has a default may be left out. Undefined where its id is in use.
   *
   * @param owner - the principal's subject, stored beside the item
   */
  insert(
    item: Input<Item, Defaults | IdField<Item>>,
    owner?: string,
  ): Promise<SerializedJson<Item> | undefined>;
  /** Reads a page of the items that fit, in order. A limit out of range, or a cursor that is not of this list, is answered 400. */
  page(query?: PageQueryOf<Declaration, Item>): Promise<CursorPage<Item>>;
  /** Counts the items that fit. */
  count(query: Query<Declaration, Item>): Promise<number>;
} & Declared<Declaration, Item>;

/** The collections of a service, by name; `users` are the users. */
type Stored<Declarations, Schemas, User, Operations> = {
  readonly [Name in keyof Declarations]: Typed<
    Declarations[Name],
    ItemOf<Declarations[Name], Schemas, Operations>,
    DefaultsIn<Declarations[Name], Schemas>
  >;
} & {
  readonly users: Users<User>;
  /**
   * The database, for tables of the service's own and the views of its collections, `SERVICE_COLLECTION`: a Knex over the connections of
   * the server. In a `transaction` it is part of that.
   */
  readonly database: Knex;
};

/** The collections, users and database of a service, which are changed alone or together. */
type Kept<InTransaction> = InTransaction & {
  /** Makes several changes, all or nothing. The work may be done more than once: it changes nothing but what it is given. */
  transaction<Result>(work: (kept: InTransaction) => Promise<Result>): Promise<Result>;
};

/** The arguments of a handler factory: what the service keeps, and tools. `User` is a user as responses carry it. */
export type HandlerDependencies<
  Declarations extends Collections<Schemas, Operations>,
  Schemas,
  User = IdentifiedUser,
  Operations = never,
  Webhooks = never,
> = Kept<Stored<Declarations, Schemas, User, Operations>> &
  FactoryTools<Kept<Stored<Declarations, Schemas, User, Operations>>> & {
    readonly identity: Identity;
    /** Writes a request that the API sends itself; what the document does not allow is thrown. */
    readonly webhook: WriteWebhook<Webhooks>;
  };

/**
 * Makes today's item of a stored one, for `admin data migrate`; undefined leaves it as it is. `old` is all that was stored, also
 * what is declared no longer; while servers run, it may be an item that is of today already. A user is given without password and
 * hash, and keeps the user name: a function that gives another name, or a password, is stopped.
 */
export type MigrateItem<Item, Old = Readonly<Record<string, unknown>>> = (
  old: Old,
) => Item | undefined;

/** The paths of properties with a default, by schemas and operations; see the generated `Schemas`. */
type DefaultsOf<Schemas> = Schemas extends { readonly $defaults: infer Defaults }
  ? Defaults
  : object;

type Below<Paths, Name> = Paths extends `${Name & string}.${infer Rest}` ? Rest : never;

/** A value as an author writes it: what is at the paths may be left out. */
type Input<Value, Paths> = [Paths] extends [never]
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly Input<Element, Paths>[]
    : Value extends object
      ? {
          [Name in keyof Value as Name extends Paths ? never : Name]: Input<
            Value[Name],
            Below<Paths, Name>
          >;
        } & {
          [Name in keyof Value as Name extends Paths ? Name : never]?:
            | Input<Value[Name], Below<Paths, Name>>
            | undefined;
        }
      : Value;

/** The paths of what a declared collection's items may leave out. */
type DefaultsIn<Declaration, Schemas> = Declaration extends
  | { readonly schema: infer Name }
  | { readonly body: infer Name }
  ? Name extends keyof DefaultsOf<Schemas>
    ? DefaultsOf<Schemas>[Name]
    : OwnDefaults<Name>
  : never;

/**
 * Items and users for a database that has none yet; an id and properties with a default may be left out. The user `demo` gets the demo
 * password.
 */
export type DemoData<Declarations, Schemas, User = never, Operations = never> = {
  readonly [Name in keyof Declarations]?: readonly Input<
    ItemOf<Declarations[Name], Schemas, Operations>,
    | DefaultsIn<Declarations[Name], Schemas>
    | IdField<ItemOf<Declarations[Name], Schemas, Operations>>
  >[];
} & {
  readonly users?: readonly Input<
    User,
    DefaultsOf<Schemas>[keyof DefaultsOf<Schemas>] | IdField<User>
  >[];
};
