/** Reads Schema Objects into the model, references followed. */

import { pointerTo } from '../../base/json-pointer';
import { lazy } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import {
  anySchema,
  InvalidSchema,
  type Schema,
  UnresolvableReference,
  withKeywords,
} from '../../model/schema';
import { type References, referenceOf } from '../references/references';
import { splitReference } from '../references/resources';
import { type Dialect, dialectError, Keywords, plainKeywords } from '../versions/schema-keywords';
import { type DynamicScope, type DynamicScopes, singleScope } from './dynamic-scope';

/** Gives a Schema Object, a reference or a boolean its schema; the same object always the same. */
export type ReadSchema = (value: unknown, pointer: string) => Schema;

/** Adds the keywords that hold schemas, which are read when they are asked for. */
const withApplicators = (
  keywords: Keywords,
  pointer: string,
  { applicators }: Dialect,
  targets: () => readonly Schema[],
  read: ReadSchema,
): Partial<Schema> => {
  const at = (keyword: string): string => pointerTo(pointer, keyword);
  const one = (keyword: string): Schema | undefined => {
    const value = applicators.has(keyword) ? keywords.value(keyword) : undefined;
    return value === undefined ? undefined : read(value, at(keyword));
  };
  const list = (keyword: string): (() => readonly Schema[]) => {
    const values = (applicators.has(keyword) && keywords.list(keyword)) || [];
    return lazy(() => values.map((value, index) => read(value, pointerTo(at(keyword), index))));
  };
  const map = (keyword: string): (() => ReadonlyMap<string, Schema> | undefined) => {
    const values = applicators.has(keyword) ? keywords.map(keyword) : undefined;
    const entries = (found: PlainObject) =>
      Object.entries(found).map(
        ([name, value]) => [name, read(value, pointerTo(at(keyword), name))] as const,
      );
    return lazy(() => values && new Map(entries(values)));
  };
  const [allOf, anyOf, oneOf, prefixItems] = [
    list('allOf'),
    list('anyOf'),
    list('oneOf'),
    list('prefixItems'),
  ];
  const members = lazy(() => [...targets(), ...allOf()]);
  const properties = map('properties');
  const patternProperties = map('patternProperties');
  const dependentSchemas = map('dependentSchemas');
  return {
    get contentSchema() {
      return one('contentSchema');
    },
    get prefixItems() {
      return prefixItems();
    },
    get items() {
      return one('items');
    },
    get contains() {
      return one('contains');
    },
    get unevaluatedItems() {
      return one('unevaluatedItems');
    },
    get properties() {
      return properties();
    },
    get patternProperties() {
      return patternProperties();
    },
    get additionalProperties() {
      return one('additionalProperties');
    },
    get propertyNames() {
      return one('propertyNames');
    },
    get dependentSchemas() {
      return dependentSchemas();
    },
    get unevaluatedProperties() {
      return one('unevaluatedProperties');
    },
    get members() {
      return members();
    },
    get anyOf() {
      return anyOf();
    },
    get oneOf() {
      return oneOf();
    },
    get not() {
      return one('not');
    },
    get if() {
      return one('if');
    },
    get ifTrue() {
      return one('then');
    },
    get ifFalse() {
      return one('else');
    },
  };
};

/** Knowledge of schemas from the documents that they stand in. */
interface SchemaSurroundings {
  readonly scopes: DynamicScopes;
  /** Returns the URI of the dialect that a schema is of, where one is given. */
  dialectOf(schema: object): string | undefined;
}

const dynamicKey = '$dynamicRef';

/** Makes the reader of one document's schemas. */
export const schemaReader = (
  references: References,
  dialect: Dialect,
  { scopes, dialectOf }: SchemaSurroundings = { scopes: singleScope(), dialectOf: () => undefined },
): ReadSchema => {
  const orFlag = dialect.refHasSiblings;

  const readObject = (fields: PlainObject, pointer: string, scope: DynamicScope): Schema => {
    const keywords = new Keywords(fields);
    const plain = plainKeywords(keywords, dialect);
    const ref = referenceOf(fields);
    const dynamicRef = dialect.refHasSiblings ? fields[dynamicKey] : undefined;
    const targets = () => [
      ...(ref === undefined ? [] : [readTarget(fields, ref, pointer, scope)]),
      ...(typeof dynamicRef === 'string' ? [readDynamic(fields, dynamicRef, pointer, scope)] : []),
    ];
    const readInner: ReadSchema = (value, at) => read(value, at, scope);
    const applicators = withApplicators(keywords, pointer, dialect, targets, readInner);
    return withKeywords(withKeywords(anySchema, applicators), {
      ...plain,
      pointer,
      component: references.componentAt(pointer) ?? (ref && componentOf(fields, ref)),
      error: dialectError(dialectOf(fields), dialect) ?? keywords.error,
    });
  };

  /** Runs work on a reference; one that leads nowhere is a schema with that error. */
  const following = (pointer: string, work: () => Schema): Schema => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof UnresolvableReference)) throw error;
      return withKeywords(anySchema, { pointer, error });
    }
  };

  /** Returns the name of the component that a reference leads to. */
  const componentOf = (holder: object, ref: string): string | undefined => {
    try {
      return references.componentAt(references.resolve(ref, { holder, isOneStep: true }).pointer);
    } catch (error) {
      if (!(error instanceof UnresolvableReference)) throw error;
      return undefined;
    }
  };

  const readTarget = (holder: object, ref: string, pointer: string, scope: DynamicScope): Schema =>
    following(pointer, () => {
      // References that lead in a circle have no meaning, with or without siblings.
      references.resolve(ref, { holder, orFlag });
      const target = references.resolve(ref, { holder, orFlag, isOneStep: true });
      return read(target.value, target.pointer, scope);
    });

  const readDynamic = (holder: object, ref: string, pointer: string, scope: DynamicScope): Schema =>
    following(pointer, () => {
      const from = { holder, key: dynamicKey, orFlag, isOneStep: true };
      const first = references.resolve(ref, from);
      const [, name] = splitReference(ref);
      const isDynamic = isPlainObject(first.value) && first.value['$dynamicAnchor'] === name;
      const anchor = isDynamic ? scope.anchors.get(name) : undefined;
      const { value, pointer: at } = anchor === undefined ? first : references.atAnchor(anchor);
      return read(value, at, scope);
    });

  const readMap = (value: PlainObject, pointer: string, scope: DynamicScope): Schema => {
    const ref = referenceOf(value);
    return ref === undefined || (dialect.refHasSiblings && Object.keys(value).length > 1)
      ? readObject(value, pointer, scope)
      : readTarget(value, ref, pointer, scope);
  };

  const read = (value: unknown, pointer: string, outer: DynamicScope): Schema => {
    if (typeof value === 'boolean') {
      return withKeywords(anySchema, value ? { pointer } : { pointer, types: [] });
    }
    if (!isPlainObject(value)) {
      const error = new InvalidSchema('A schema must be an object.');
      return withKeywords(anySchema, { pointer, error });
    }
    return following(pointer, () => {
      const scope = scopes.enter(outer, value);
      const schema = scope.schemas.get(value) ?? readMap(value, pointer, scope);
      scope.schemas.set(value, schema);
      return schema;
    });
  };
  return (value, pointer) => read(value, pointer, scopes.outermost);
};
