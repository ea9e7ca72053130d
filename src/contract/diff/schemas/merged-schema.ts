/** A schema as a set of values: references followed and `allOf` merged, so that two ways to write one set look the same. */

import { isPlainObject, lazy, memoize, type PlainObject, pointerTo } from '../../../engine';
import type { SourceObject, SourceObjects } from '../values/source-objects';
import { othersOf, propertiesOf, requiredOf } from './object-parts';
import type { MergedSchema, MergeSchemas, Union } from './schema-set';
import {
  declaredTypes,
  everyType,
  intersection,
  typeOfValue,
  type ValueType,
  type ValueTypes,
} from './schema-types';

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

/** What of a schema is worked out when it is first read: a schema may hold itself. */
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
