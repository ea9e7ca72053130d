/** A schema as a set of values: references followed and `allOf` merged, so that two ways to write one set look the same. */

import { pointerTo } from '../../../base/json-pointer';
import { lazy, memoize } from '../../../base/memoize';
import { isPlainObject, type PlainObject } from '../../../base/plain-object';
import type { SourceObject, SourceObjects } from '../values/source-objects';
import {
  declaredTypes,
  everyType,
  intersection,
  typeOfValue,
  type ValueType,
  type ValueTypes,
} from './schema-types';

/** Schemas of which a value must fit one (`oneOf`: exactly one). */
export interface Union {
  readonly keyword: 'oneOf' | 'anyOf';
  /** The schema that has it. */
  readonly owner: SourceObject;
  readonly pointer: string;
  readonly branches: readonly MergedSchema[];
}

/** A property of an object. */
export interface Property {
  /** The schemas of the parts, with `additionalProperties` of those that do not declare it. */
  readonly schemas: readonly object[];
  /** All of them merged; worked out when it is read, which most properties never need. */
  readonly schema: MergedSchema;
  readonly pointer: string;
}

/** The properties that an object may have beside the declared ones: unspecified, any, those that fit a schema, or none. */
export type OtherProperties =
  | { readonly kind: 'unsaid' | 'any' }
  | { readonly kind: 'none'; readonly pointer: string }
  | { readonly kind: 'schema'; readonly schema: MergedSchema; readonly pointer: string };

/** A set of values. */
export interface MergedSchema {
  /** The schemas that all hold; none: any value. */
  readonly parts: readonly SourceObject[];
  readonly pointer: string;
  /** The component that it is a reference to, or the component itself. */
  readonly component: string | undefined;
  /** A reference that leads nowhere: nothing is known of the set. */
  readonly broken: string | undefined;
  /** Without what unions say. */
  readonly ownTypes: ValueTypes;
  readonly types: ValueTypes;
  readonly unions: readonly Union[];
  /** The branches of the first union, each with all else that the schema says. */
  readonly alternatives: readonly MergedSchema[];
  /** Declared by a part and forbidden by none, by name. */
  readonly properties: ReadonlyMap<string, Property>;
  /** Pointers of the entries, by name. */
  readonly required: ReadonlyMap<string, string>;
  readonly others: OtherProperties;
  /** Undefined: any. */
  readonly items: MergedSchema | undefined;
  readonly not: readonly MergedSchema[];
}

/** Makes merged schemas; the same schemas always give the same object. */
export type MergeSchemas = (schemas: readonly unknown[]) => MergedSchema;

const mapIn = (schema: PlainObject, keyword: string): PlainObject => {
  const value = schema[keyword];
  return isPlainObject(value) ? value : {};
};

/** Gives a part's schema of a property; false where the part forbids it, undefined where it does not mention it. */
const saidOf = ({ value }: SourceObject, name: string): unknown => {
  const properties = mapIn(value, 'properties');
  return Object.hasOwn(properties, name) ? properties[name] : value['additionalProperties'];
};

/** The properties that a part declares and none forbids. */
export const propertiesOf = (
  parts: readonly SourceObject[],
  merge: MergeSchemas,
): ReadonlyMap<string, Property> => {
  const pointers = new Map<string, string>();
  for (const { value, pointer } of parts) {
    for (const name of Object.keys(mapIn(value, 'properties'))) {
      if (!pointers.has(name)) pointers.set(name, pointerTo(`${pointer}/properties`, name));
    }
  }
  const properties = new Map<string, Property>();
  for (const [name, pointer] of pointers) {
    const said = parts.map((part) => saidOf(part, name));
    if (said.includes(false)) continue;
    const schemas = said.filter(isPlainObject);
    properties.set(name, {
      schemas,
      pointer,
      get schema() {
        return merge(schemas);
      },
    });
  }
  return properties;
};

/** Pointers of the names in `required`. */
const requiredOf = (parts: readonly SourceObject[]): ReadonlyMap<string, string> => {
  const required = new Map<string, string>();
  for (const { value, pointer } of parts) {
    for (const [at, name] of (Array.isArray(value['required'])
      ? value['required']
      : []
    ).entries()) {
      if (typeof name === 'string' && !required.has(name)) {
        required.set(name, pointerTo(`${pointer}/required`, at));
      }
    }
  }
  return required;
};

/** Finds the schema of properties that no part declares. */
const othersOf = (parts: readonly SourceObject[], merge: MergeSchemas): OtherProperties => {
  const keyword = 'additionalProperties';
  const said = parts.filter(({ value }) => value[keyword] !== undefined);
  const closed = said.find(({ value }) => value[keyword] === false);
  if (closed !== undefined) return { kind: 'none', pointer: pointerTo(closed.pointer, keyword) };
  const described = said.filter(({ value }) => isPlainObject(value[keyword]));
  const [first] = described;
  if (first === undefined) return { kind: said.length > 0 ? 'any' : 'unsaid' };
  return {
    kind: 'schema',
    schema: merge(described.map(({ value }) => value[keyword])),
    pointer: pointerTo(first.pointer, keyword),
  };
};

/** Merges schemas of which the members are known. */
type MergeParts = (parts: readonly SourceObject[], broken: readonly string[]) => MergedSchema;

const objectsIn = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []);

/** A single branch is no alternative, unless a discriminator says that others may come or have gone. */
const isUnion = (schema: PlainObject, branches: readonly unknown[]): boolean =>
  branches.length > 1 || (branches.length === 1 && isPlainObject(schema['discriminator']));

/** The schemas that hold together with a schema: the members of `allOf`, and the single branch of what is no union. */
const membersOf = (schema: PlainObject): readonly unknown[] => [
  ...objectsIn(schema['allOf']),
  ...['oneOf', 'anyOf'].flatMap((keyword) => {
    const branches = objectsIn(schema[keyword]);
    return isUnion(schema, branches) ? [] : branches;
  }),
];

const enumTypes = (schema: PlainObject): ValueTypes =>
  Array.isArray(schema['enum']) ? new Set(schema['enum'].map(typeOfValue)) : everyType;

const typesOf = (parts: readonly SourceObject[]): ValueTypes =>
  parts.reduce<ValueTypes>(
    (types, { value }) => [declaredTypes(value), enumTypes(value)].reduce(intersection, types),
    everyType,
  );

const unionsOf = (parts: readonly SourceObject[], merge: MergeSchemas): readonly Union[] =>
  parts.flatMap((owner) =>
    (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
      const branches = objectsIn(owner.value[keyword]);
      if (!isUnion(owner.value, branches)) return [];
      const pointer = pointerTo(owner.pointer, keyword);
      return [{ keyword, owner, pointer, branches: branches.map((branch) => merge([branch])) }];
    }),
  );

/** A part without its union; the same one each time, so that recursive schemas end. */
const withoutUnion = memoize(
  ({ value, pointer }: SourceObject): Readonly<Record<Union['keyword'], SourceObject>> => {
    const { oneOf: _oneOf, ...noOneOf } = value;
    const { anyOf: _anyOf, ...noAnyOf } = value;
    return { oneOf: { value: noOneOf, pointer }, anyOf: { value: noAnyOf, pointer } };
  },
);

const alternativesOf = (
  parts: readonly SourceObject[],
  unions: readonly Union[],
  mergeParts: MergeParts,
): readonly MergedSchema[] => {
  const [union] = unions;
  if (union === undefined) return [];
  const rest = parts.map((part) =>
    part === union.owner ? withoutUnion(part)[union.keyword] : part,
  );
  return union.branches.map((branch) => {
    const broken = branch.broken === undefined ? [] : [branch.broken];
    return mergeParts([...branch.parts, ...rest], broken);
  });
};

/** The fields of a schema that are computed when they are first read, since a schema may contain itself. */
type LazyFields = Omit<MergedSchema, 'parts' | 'broken' | 'ownTypes'>;

const lazyFields = (
  parts: readonly SourceObject[],
  ownTypes: ValueTypes,
  merge: MergeSchemas,
  mergeParts: MergeParts,
): LazyFields => {
  const alternatives = lazy(() => alternativesOf(parts, unions(), mergeParts));
  const unions = lazy(() => unionsOf(parts, merge));
  let isAsking = false;
  const allTypes = lazy(() => {
    isAsking = true;
    const all = unions().map(
      ({ branches }) => new Set<ValueType>(branches.flatMap((branch) => [...branch.types])),
    );
    isAsking = false;
    return all.reduce<ValueTypes>(intersection, ownTypes);
  });
  // A union that is a branch of itself says nothing new.
  const types = (): ValueTypes => (isAsking ? ownTypes : allTypes());
  const properties = lazy(() => propertiesOf(parts, merge));
  const required = lazy(() => requiredOf(parts));
  const others = lazy(() => othersOf(parts, merge));
  const under = (keyword: string) => parts.map(({ value }) => value[keyword]).filter(isPlainObject);
  const items = lazy(() => (under('items').length === 0 ? undefined : merge(under('items'))));
  const not = lazy(() => under('not').map((schema) => merge([schema])));
  return {
    get pointer() {
      return parts[0]?.pointer ?? '';
    },
    get component() {
      return /^\/components\/schemas\/([^/]+)$/.exec(parts[0]?.pointer ?? '')?.[1];
    },
    get types() {
      return types();
    },
    get unions() {
      return unions();
    },
    get alternatives() {
      return alternatives();
    },
    get properties() {
      return properties();
    },
    get required() {
      return required();
    },
    get others() {
      return others();
    },
    get items() {
      return items();
    },
    get not() {
      return not();
    },
  };
};

/** Makes the merger of one document's schemas. */
export const schemaMerger = (source: SourceObjects): MergeSchemas => {
  const numbers = new Map<object, number>();
  const known = new Map<string, MergedSchema>();
  const numberOf = (part: object): number => {
    const number = numbers.get(part) ?? numbers.size;
    numbers.set(part, number);
    return number;
  };

  /** Adds a schema and what holds together with it, each once; gives the references that lead nowhere. */
  const gather = (schema: unknown, parts: Map<object, SourceObject>): readonly string[] => {
    const found = source.find(schema);
    if (found === undefined) return isPlainObject(schema) ? [String(schema['$ref'])] : [];
    if (parts.has(found.value)) return [];
    parts.set(found.value, found);
    return membersOf(found.value).flatMap((member) => gather(member, parts));
  };

  const mergeParts: MergeParts = (given, broken) => {
    const parts = [...new Set(given)];
    const key = [...parts.map(({ value }) => numberOf(value)), ...broken].join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const ownTypes = typesOf(parts);
    const merged = Object.assign(lazyFields(parts, ownTypes, merge, mergeParts), {
      parts,
      broken: broken[0],
      ownTypes,
    });
    known.set(key, merged);
    return merged;
  };

  const merge: MergeSchemas = (schemas) => {
    const gathered = new Map<object, SourceObject>();
    const broken = schemas.flatMap((schema) => gather(schema, gathered));
    return mergeParts([...gathered.values()], broken);
  };
  return merge;
};
