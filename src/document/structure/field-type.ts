/** Types of fields: the vocabulary of the table in object-types.ts. */

import { memoize } from '../../base/memoize';

/** The objects of OpenAPI. */
export type ObjectName =
  | 'OpenAPI'
  | 'Info'
  | 'Contact'
  | 'License'
  | 'Server'
  | 'ServerVariable'
  | 'Components'
  | 'PathItem'
  | 'Operation'
  | 'ExternalDocumentation'
  | 'Parameter'
  | 'RequestBody'
  | 'MediaType'
  | 'Encoding'
  | 'Response'
  | 'Example'
  | 'Link'
  | 'Callback'
  | 'Header'
  | 'Tag'
  | 'Schema'
  | 'Discriminator'
  | 'XML'
  | 'SecurityScheme'
  | 'OAuthFlows'
  | 'OAuthFlow';

/** The form of keys of the author's choice. */
export interface KeyRule {
  readonly pattern: RegExp;
  readonly severity: 'error' | 'warning';
  /** Describes a key that does not match, with advice. */
  sentence(key: string): string;
}

/** The type of a value. */
export type FieldType =
  | { readonly is: 'anything' | 'text' | 'flag' | 'count' | 'flagOrSchema' }
  | { readonly is: 'choice'; readonly of: readonly string[] }
  | { readonly is: 'object'; readonly name: ObjectName }
  | { readonly is: 'list'; readonly of: FieldType; readonly filled: boolean }
  | MapType;

/** A map with keys of the author's choice. */
interface MapType {
  readonly is: 'map';
  readonly of: FieldType;
  readonly keys: KeyRule | undefined;
  /** True where keys that begin with `x-` are extensions rather than names. */
  readonly extensible: boolean;
  /** The noun for one such map in sentences. */
  readonly noun: string;
  /** True where it must have a member. */
  readonly filled: boolean;
}

/** A fixed field of an object. */
export interface Field {
  readonly kind: FieldType;
  readonly required: boolean;
  /** True where an error in it takes nothing out of service. */
  readonly isolated: boolean;
}

/** One object of the specification. */
export interface ObjectType {
  /** The noun for it in sentences, after `this`. */
  readonly title: string;
  /**
   * The part of a `$ref` in it: `instead` for a Reference Object in its place, whose siblings are ignored; `beside` for one of
   * its fields; `none` where none may stand.
   */
  readonly reference: 'instead' | 'beside' | 'none';
  /** True where `true` or `false` may stand for it. */
  readonly orFlag?: boolean;
  readonly fields: Readonly<Record<string, Field>>;
  /** The type of values under keys of the author's choice. */
  readonly members?: FieldType;
  /** Fields that are required where the field `type` has that value. */
  readonly requiredByType?: Readonly<Record<string, readonly string[]>>;
  /** Fields of which one at least is required. */
  readonly requiredTogether?: readonly string[];
  /** True where unknown keys are extensions, whatever they begin with; misspelt ones are reported. */
  readonly isOpen?: boolean;
}

export const anything: FieldType = { is: 'anything' };
export const text: FieldType = { is: 'text' };
export const flag: FieldType = { is: 'flag' };
/** A whole number from 0. */
export const count: FieldType = { is: 'count' };
export const flagOrSchema: FieldType = { is: 'flagOrSchema' };
export const choice = (...of: string[]): FieldType => ({ is: 'choice', of });
/** One kind for each name, so that kinds are compared by identity. */
export const object = memoize((name: ObjectName): FieldType => ({ is: 'object', name }), {
  max: Number.POSITIVE_INFINITY,
});
export const list = (of: FieldType): FieldType => ({ is: 'list', of, filled: false });
export const filledList = (of: FieldType): FieldType => ({ is: 'list', of, filled: true });
const map = (of: FieldType, keys: KeyRule | undefined, extensible: boolean): MapType => ({
  is: 'map',
  of,
  keys,
  noun: 'map',
  extensible,
  filled: false,
});
/** Makes a map whose keys are names, whatever they begin with. */
export const names = (of: FieldType, keys?: KeyRule): MapType => map(of, keys, false);
/** Makes a map whose keys are names, apart from extensions. */
export const patterned = (of: FieldType, keys?: KeyRule): MapType => map(of, keys, true);

export const field = (kind: FieldType): Field => ({ kind, required: false, isolated: false });
export const required = (kind: FieldType): Field => ({ kind, required: true, isolated: false });
export const isolated = (kind: FieldType): Field => ({ kind, required: false, isolated: true });
export const requiredIsolated = (kind: FieldType): Field => ({ ...required(kind), isolated: true });

/** Makes several fields of the same type. */
export const each = (type: Field, ...names: readonly string[]): Readonly<Record<string, Field>> =>
  Object.fromEntries(names.map((name) => [name, type]));

/** Makes an object in whose place no Reference Object may stand. */
export const fixed = (
  title: string,
  fields: ObjectType['fields'],
  more: Partial<ObjectType> = {},
): ObjectType => ({ title, reference: 'none', fields, ...more });

/** Makes an object in whose place a Reference Object may stand. */
export const referable = (...given: Parameters<typeof fixed>): ObjectType => ({
  ...fixed(...given),
  reference: 'instead',
});

/** The objects of one version of OpenAPI. */
export type ObjectTypes = Readonly<Record<ObjectName, ObjectType>>;

/** The differences of an object from that of the version before; a field that is undefined is gone. */
interface ObjectChange extends Partial<Omit<ObjectType, 'fields'>> {
  readonly fields?: Readonly<Record<string, Field | undefined>>;
}

/** Makes the objects of a version from those of the version before. */
export const withChanges = (
  types: ObjectTypes,
  changes: Partial<Record<ObjectName, ObjectChange>>,
): ObjectTypes => {
  const names = Object.keys(changes) as ObjectName[];
  const objects = names.map((name) => {
    const { fields, ...more } = changes[name] ?? {};
    const all = Object.entries({ ...types[name].fields, ...fields });
    const kept = all.filter((entry): entry is [string, Field] => entry[1] !== undefined);
    return [name, { ...types[name], ...more, fields: Object.fromEntries(kept) }];
  });
  return { ...types, ...Object.fromEntries(objects) };
};

/** Fields of many objects. */
export const described = {
  description: isolated(text),
  externalDocs: isolated(object('ExternalDocumentation')),
};
