/**
 * Reads Schema Objects into the model, references followed. Where a `$dynamicRef` leads depends on the way to it, which is its
 * dynamic scope (JSON Schema 2020-12, section 8.2.3.2).
 */

import { pointerTo } from '../../base/json-pointer';
import { isTextType } from '../../base/media-type';
import { memoizePairs, withLate } from '../../base/memoize';
import { isPlainObject, ownText, type PlainObject } from '../../base/plain-object';
import { recover } from '../../base/recover';
import {
  anySchema,
  type Discriminator,
  InvalidSchema,
  type Schema,
  UnresolvableReference,
  withKeywords,
} from '../../model/schema';
import { foreignPattern } from '../../schema/validation/checks/foreign-pattern';
import { type References, type ResolvedReferences, referenceOf } from '../references/references';
import { type Anchor, type SchemaResource, splitReference } from '../references/schema-resources';
import {
  applicatorsIn,
  type Dialect,
  dialectError,
  jsonSchema202012,
  Keywords,
  plainKeywords,
} from '../versions/schema-keywords';

/** The anchors that dynamic references lead to: of each name that of the outermost resource on the way. */
interface DynamicScope {
  readonly anchors: ReadonlyMap<string, Anchor>;
  /** The schemas that were read in this scope. */
  readonly schemas: Map<object, Schema>;
}

const newScope = (anchors: DynamicScope['anchors'] = new Map()): DynamicScope => ({
  anchors,
  schemas: new Map(),
});

/** Makes the scopes of a document. */
export const dynamicScopes = (
  resources: { of(schema: object): SchemaResource | undefined },
  resolved: ResolvedReferences,
) => {
  // Without dynamic references all scopes are one.
  if (![...resolved.values()].some((keys) => keys.has('$dynamicRef'))) {
    return { outermost: newScope(), enter: (scope: DynamicScope): DynamicScope => scope };
  }
  const known = new Map<string, DynamicScope>();
  // Each has schemas of its own: a few are enough for every use that is meant.
  const mostScopes = 1000;

  const enterResource = memoizePairs(
    (scope: DynamicScope, resource: SchemaResource): DynamicScope => {
      const added = [...resource.anchors.values()].filter(
        ({ name, isDynamic }) => isDynamic && !scope.anchors.has(name),
      );
      if (added.length === 0) return scope;
      const all = [...scope.anchors.values(), ...added];
      const key = JSON.stringify(all.map(({ uri }) => uri).sort());
      if (known.size === mostScopes && !known.has(key)) {
        throw new UnresolvableReference(resource.uri, 'too many dynamic anchors come together');
      }
      const inner = known.get(key) ?? newScope(new Map(all.map((anchor) => [anchor.name, anchor])));
      known.set(key, inner);
      return inner;
    },
  );

  return {
    outermost: newScope(),
    /** Returns the scope within a Schema Object that is reached in a scope. */
    enter(scope: DynamicScope, schema: object): DynamicScope {
      const resource = resources.of(schema);
      return resource === undefined ? scope : enterResource(scope, resource);
    },
  };
};

/** Gives a Schema Object, a reference or a boolean its schema; the same object always the same. */
export type ReadSchema = (value: unknown, pointer: string) => Schema;

/** The schemas in a Schema Object, each read when it is first asked for. */
interface InnerSchemas {
  readonly fields: PlainObject;
  readonly pointer: string;
  /** Reads what the references of the Schema Object lead to. */
  readonly targets: () => readonly Schema[];
  /** Tells whether a text is octets where it stands. */
  readonly isOctets: () => boolean;
  readonly read: ReadSchema;
  readonly known: Map<string, unknown>;
}

type FindInner<Found> = (value: unknown, pointer: string, read: ReadSchema) => Found;

/** Returns what is found under a keyword, which is looked for once. */
const once = <Found>(
  { fields, pointer, read, known }: InnerSchemas,
  keyword: string,
  find: FindInner<Found>,
): Found => {
  if (!known.has(keyword)) {
    const value = Object.hasOwn(fields, keyword) ? fields[keyword] : undefined;
    known.set(keyword, find(value, pointerTo(pointer, keyword), read));
  }
  return known.get(keyword) as Found;
};

const listed: FindInner<readonly Schema[]> = (value, at, read) =>
  (Array.isArray(value) ? value : []).map((item, index) => read(item, pointerTo(at, index)));

const single: FindInner<Schema | undefined> = (value, at, read) =>
  value === undefined ? value : read(value, at);

const named: FindInner<ReadonlyMap<string, Schema> | undefined> = (value, at, read) =>
  isPlainObject(value)
    ? new Map(Object.entries(value).map(([name, item]) => [name, read(item, pointerTo(at, name))]))
    : undefined;

/** Reads the schemas of properties by patterns; which names one of another language is about is not known, so that every name fits. */
const patterned: typeof named = (value, at, read) => {
  const all = [...(named(value, at, read) ?? [])];
  const readable = all.filter(([pattern]) => foreignPattern(pattern) === undefined);
  return value === undefined || readable.length === all.length
    ? named(value, at, read)
    : new Map([...readable, ['', anySchema]]);
};

const targetsIn = (schemas: InnerSchemas): readonly Schema[] =>
  once(schemas, 'references', schemas.targets);

const inner = Symbol('inner');

/** The ways to find what stands under keywords, by what these hold. */
const finders = { value: single, list: listed, map: named };

/** Fields of the model that are called otherwise than their keywords. */
const fieldNames: Readonly<Record<string, keyof Schema>> = {
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword, and no function
  then: 'ifTrue',
  else: 'ifFalse',
};

const getter = (read: (schemas: InnerSchemas) => unknown): PropertyDescriptor => ({
  enumerable: true,
  get(this: { readonly [inner]: InnerSchemas }) {
    return read(this[inner]);
  },
});

/** Makes the getter of what is found under a keyword. */
const kept = (keyword: string, find: FindInner<unknown>): PropertyDescriptor =>
  getter((schemas) => once(schemas, keyword, find));

/** The prototype of schemas: the keywords that they leave out, and those that hold schemas. */
const node: Schema = Object.defineProperties(
  { ...anySchema },
  Object.fromEntries([
    ...Object.entries(jsonSchema202012.applicators)
      .filter(([keyword]) => keyword !== 'allOf')
      .map(([keyword, kind]) => [fieldNames[keyword] ?? keyword, kept(keyword, finders[kind])]),
    ['patternProperties', kept('patternProperties', patterned)],
    [
      'members',
      getter((schemas) =>
        once(schemas, 'members', () => [...targetsIn(schemas), ...once(schemas, 'allOf', listed)]),
      ),
    ],
    ['format', getter(({ isOctets }) => (isOctets() ? 'binary' : undefined))],
    [
      'xml',
      getter((schemas) =>
        once(schemas, 'xml', () => {
          // A dynamic reference may lead to itself.
          schemas.known.set('xml', undefined);
          return targetsIn(schemas)[0]?.xml;
        }),
      ),
    ],
  ]),
);

/** Tells of a text by its type that its media type is none of texts: it is octets where they can travel. */
export const holdsOctets = ({ types, format, ...content }: Partial<Schema>): boolean =>
  types?.includes('string') === true &&
  format === undefined &&
  content.contentEncoding === undefined &&
  content.contentMediaType?.includes('/') === true &&
  !isTextType(content.contentMediaType);

/** Makes the reader of one document's schemas. */
export const schemaReader = (
  references: References,
  dialect: Dialect,
  surroundings: {
    readonly scopes: ReturnType<typeof dynamicScopes>;
    /** Returns the URI of the dialect that a schema is of, where one is given. */
    dialectOf(schema: object): string | undefined;
    /** Tells whether texts whose media type is none of texts are octets, where the schema stands at the pointer. */
    isOctets(pointer: string): boolean;
    /** True where discriminators may have a default (OAS 3.2.0, Discriminator Object). */
    readonly hasDefaultMapping: boolean;
  },
): ReadSchema => {
  const { scopes, dialectOf, isOctets, hasDefaultMapping } = surroundings;
  const orFlag = dialect.refHasSiblings;

  const readObject = (fields: PlainObject, pointer: string, scope: DynamicScope): Schema => {
    const keywords = new Keywords(fields);
    const plain = plainKeywords(keywords, dialect);
    const ref = referenceOf(fields);
    const dynamicRef = dialect.refHasSiblings ? ownText(fields, '$dynamicRef') : undefined;
    const targets = (): readonly Schema[] => [
      ...(ref === undefined ? [] : [readTarget(fields, ref, pointer, scope)]),
      ...(dynamicRef === undefined ? [] : [readDynamic(fields, dynamicRef, pointer, scope)]),
    ];
    const component = references.componentAt(pointer);
    const schemas: InnerSchemas = {
      fields: applicatorsIn(keywords, dialect),
      pointer,
      targets,
      isOctets: () => holdsOctets(plain) && isOctets(pointer),
      read: (value, at) => read(value, at, scope),
      known: new Map(),
    };
    const all: Partial<Schema> = {
      ...plain,
      xml: dialect.xmlIn(fields, component),
      discriminator: readDiscriminator(fields['discriminator'], `${pointer}/discriminator`, scope),
      pointer,
      component: component ?? (ref && componentOf(fields, ref)),
      error: dialectError(dialectOf(fields), dialect) ?? keywords.error,
    };
    // Most keywords of most schemas are left out, and not stored.
    const stored = Object.entries(all).filter(([, value]) => value !== undefined);
    const own = Object.getOwnPropertyDescriptors(Object.fromEntries(stored));
    return Object.freeze(Object.create(node, { ...own, [inner]: { value: schemas } }));
  };

  /** Runs work on a reference; one that leads nowhere is a schema with that error. */
  const following = (pointer: string, work: () => Schema): Schema =>
    recover(work, UnresolvableReference, (error) => withKeywords(anySchema, { pointer, error }));

  const componentOf = (holder: object, ref: string): string | undefined =>
    recover(
      () => references.componentAt(references.resolve(ref, { holder, isOneStep: true }).pointer),
      UnresolvableReference,
      () => undefined,
    );

  const readTarget = (holder: object, ref: string, pointer: string, scope: DynamicScope): Schema =>
    following(pointer, () => {
      // References that lead in a circle have no meaning, with or without siblings.
      references.resolve(ref, { holder, orFlag });
      const target = references.resolve(ref, { holder, orFlag, isOneStep: true });
      return read(target.value, target.pointer, scope);
    });

  /** Reads the target of a mapping: the name of a component, or else a reference (OAS 3.0.4, section 4.7.25). */
  const readMapped = (holder: PlainObject, key: string, at: string, scope: DynamicScope) =>
    following(pointerTo(at, key), () => {
      const text = String(holder[key]);
      const target =
        references.component(text) ?? references.resolve(text, { holder, key, orFlag });
      return read(target.value, target.pointer, scope);
    });

  const readDiscriminator = (
    value: unknown,
    at: string,
    scope: DynamicScope,
  ): Discriminator | undefined => {
    if (!isPlainObject(value) || typeof value['propertyName'] !== 'string') return undefined;
    const mapping = isPlainObject(value['mapping']) ? value['mapping'] : {};
    const mapped = (name: string) => readMapped(mapping, name, `${at}/mapping`, scope);
    const hasDefault = hasDefaultMapping && typeof value['defaultMapping'] === 'string';
    return withLate(
      { propertyName: value['propertyName'] },
      {
        mapping: () => new Map(Object.keys(mapping).map((name) => [name, mapped(name)])),
        defaultMapping: () =>
          hasDefault ? readMapped(value, 'defaultMapping', at, scope) : undefined,
      },
    );
  };

  const readDynamic = (holder: object, ref: string, pointer: string, scope: DynamicScope): Schema =>
    following(pointer, () => {
      const from = { holder, key: '$dynamicRef', orFlag, isOneStep: true };
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
