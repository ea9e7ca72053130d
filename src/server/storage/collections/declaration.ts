/** How a handlers' folder declares its collections: plain data, checked against the document's generated types. */

type Scalar = string | number | bigint | boolean;

type Scalars<Item> = {
  [Name in keyof Item & string]: NonNullable<Item[Name]> extends Scalar ? Name : never;
}[keyof Item & string];

type ElementOf<Value> = Value extends readonly (infer Element)[] ? Element : Value;

/**
 * A field of an item that holds a scalar or a list of scalars (`status`), or such a field of the objects in another field
 * (`tags.name`).
 */
export type FieldPath<Item> = {
  [Name in keyof Item & string]: ElementOf<NonNullable<Item[Name]>> extends Scalar
    ? Name
    : `${Name}.${Scalars<ElementOf<NonNullable<Item[Name]>>>}`;
}[keyof Item & string];

interface Options<Item> {
  /** What items are found by, beside their id. */
  readonly lookups?: readonly FieldPath<Item>[];
  /** The fields whose values are counted as they change. */
  readonly counts?: readonly Scalars<Item>[];
  /** Whether files may be attached to items. */
  readonly files?: boolean;
}

type BodyOf<Operation> = Operation extends { readonly body: infer Body } ? Body : never;

type SchemaDeclarations<Schemas> = {
  [Name in keyof Schemas & string]: { readonly schema: Name } & Options<Schemas[Name]>;
}[keyof Schemas & string];

type BodyDeclarations<Operations> = {
  [Id in keyof Operations & string]: { readonly body: Id } & Options<BodyOf<Operations[Id]>>;
}[keyof Operations & string];

/** The collections of a service, by name. `Schemas` and `Operations` are generated from its document. */
export type Collections<Schemas, Operations = never> = Readonly<
  Record<string, SchemaDeclarations<Schemas> | BodyDeclarations<Operations>>
>;

/** The schema of a service's users: a component of the document. */
export interface Accounts<Schemas> {
  readonly schema: keyof Schemas & string;
}

/** The type of a declared collection's items. */
export type ItemOf<Declaration, Schemas, Operations> = Declaration extends {
  readonly schema: infer Name extends keyof Schemas;
}
  ? Schemas[Name]
  : Declaration extends { readonly body: infer Id extends keyof Operations }
    ? BodyOf<Operations[Id]>
    : never;

type Listed<Declaration, Field extends string> =
  Declaration extends Readonly<Record<Field, readonly (infer Path extends string)[]>>
    ? Path
    : never;

/** The fields that a declared collection's items are found by. */
export type LookupOf<Declaration> = Listed<Declaration, 'lookups'>;

/** The fields whose values a declared collection counts. */
export type CountOf<Declaration> = Listed<Declaration, 'counts'>;

/** The type of the values at a path. */
export type FieldValue<Item, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Item
    ? FieldValue<ElementOf<NonNullable<Item[Name]>>, Rest>
    : never
  : Path extends keyof Item
    ? ElementOf<NonNullable<Item[Path]>>
    : never;

/** A declaration as the server reads it, without the types of the document. */
export interface CollectionDeclaration {
  readonly schema?: string;
  readonly body?: string;
  readonly lookups?: readonly string[];
  readonly counts?: readonly string[];
  readonly files?: boolean;
}
