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
import { type Dialect, Keywords, plainKeywords } from '../versions/schema-keywords';

/** Gives a Schema Object, a reference or a boolean its schema; the same object always the same. */
export type ReadSchema = (value: unknown, pointer: string) => Schema;

/** Adds the keywords that hold schemas, which are read when they are asked for. */
const withApplicators = (
  keywords: Keywords,
  pointer: string,
  { applicators }: Dialect,
  target: (() => Schema) | undefined,
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
  const members = lazy(() => (target === undefined ? allOf() : [target(), ...allOf()]));
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

/** Makes the reader of one document's schemas. */
export const schemaReader = (references: References, dialect: Dialect): ReadSchema => {
  const known = new Map<object, Schema>();

  /** Tells of an object with a `$ref` that other keywords hold beside it. */
  const hasSiblings = (value: object): boolean =>
    dialect.refHasSiblings && Object.keys(value).length > 1;

  const readObject = (fields: PlainObject, pointer: string): Schema => {
    const keywords = new Keywords(fields);
    const plain = plainKeywords(keywords, dialect);
    const ref = referenceOf(fields);
    const target = ref === undefined ? undefined : lazy(() => readTarget(ref, pointer));
    const applicators = withApplicators(keywords, pointer, dialect, target, read);
    const component =
      references.componentAt(pointer) ?? (ref && references.componentAt(ref.slice(1)));
    const { error } = keywords;
    return withKeywords(withKeywords(anySchema, applicators), {
      ...plain,
      pointer,
      component,
      error,
    });
  };

  const readTarget = (ref: string, pointer: string): Schema => {
    try {
      const target = references.resolve(ref, hasSiblings);
      return read(target.value, target.pointer);
    } catch (error) {
      if (!(error instanceof UnresolvableReference)) throw error;
      return withKeywords(anySchema, { pointer, error });
    }
  };

  const readMap = (value: PlainObject, pointer: string): Schema => {
    const ref = referenceOf(value);
    return ref === undefined || hasSiblings(value)
      ? readObject(value, pointer)
      : readTarget(ref, pointer);
  };

  const read: ReadSchema = (value, pointer) => {
    if (typeof value === 'boolean') {
      return withKeywords(anySchema, value ? { pointer } : { pointer, types: [] });
    }
    if (!isPlainObject(value)) {
      const error = new InvalidSchema('A schema must be an object.');
      return withKeywords(anySchema, { pointer, error });
    }
    const schema = known.get(value) ?? readMap(value, pointer);
    known.set(value, schema);
    return schema;
  };
  return read;
};
