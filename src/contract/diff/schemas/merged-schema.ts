/** A schema as a set of values: what holds together is merged, so that two ways to write one set look the same. */

import { pointerTo } from '../../../base/json-pointer';
import { lazy, memoize } from '../../../base/memoize';
import type { LoadedDocument } from '../../../document/document';
import {
  constraintsOf,
  isNever,
  type Schema,
  schemaOf,
  schemasInPlace,
  UnresolvableReference,
  withKeywords,
} from '../../../model/schema';
import { addMembers } from '../../../schema/schema-parts';
import { SchemaView } from '../../../schema/schema-view';
import { valueKey } from '../../../schema/validation/checks/equality-checks';
import {
  commonTypes,
  everyType,
  statedTypes,
  typeOfValue,
  type ValueType,
  type ValueTypes,
} from './schema-types';

/** Schemas of which a value must fit one (`oneOf`: exactly one). */
export interface Union {
  readonly keyword: 'oneOf' | 'anyOf';
  /** The list in the model. */
  readonly schemas: readonly Schema[];
  readonly pointer: string;
  readonly branches: readonly MergedSchema[];
}

/** A property of an object. */
export interface Property {
  /** The schemas that all hold for it. */
  readonly schemas: readonly Schema[];
  /** All of them merged; worked out when it is read, which most properties never need. */
  readonly schema: MergedSchema;
  readonly pointer: string;
}

/** The properties that an object may have beside the declared ones: unspecified, any, those that fit a schema, or none. */
export type OtherProperties =
  | { readonly kind: 'unspecified' | 'any' }
  | { readonly kind: 'none'; readonly pointer: string }
  | { readonly kind: 'schema'; readonly schema: MergedSchema; readonly pointer: string };

/** A single branch is no alternative, unless a discriminator says that others may come or have gone. */
const isUnion = ({ discriminator }: Schema, branches: readonly Schema[]): boolean =>
  branches.length > 1 || (branches.length === 1 && discriminator !== undefined);

const unionKeywords = ['oneOf', 'anyOf'] as const;

/** Patterns that match every text. */
export const matchesAll: ReadonlySet<string> = new Set([
  '',
  '.*',
  '^',
  '$',
  '^.*',
  '.*$',
  '[\\s\\S]*',
  '^[\\s\\S]*$',
]);

/** Schemas that hold together, and the references among them that lead nowhere. */
interface Gathered {
  readonly parts: readonly Schema[];
  readonly broken: readonly string[];
}

/** Gathers schemas with those that they add, each once. */
const gather = (schemas: readonly Schema[], innerOf: (schema: Schema) => readonly Schema[]) => {
  const broken: string[] = [];
  const known = (list: readonly Schema[]): readonly Schema[] =>
    list.filter(({ error }) => {
      if (!(error instanceof UnresolvableReference)) return true;
      broken.push(error.message);
      return false;
    });
  const parts = new Set<Schema>();
  for (const schema of known(schemas))
    addMembers(parts, schema, (member) => known(innerOf(member)));
  return { parts: [...parts], broken };
};

/** A schema without a union; the same one each time. */
const without = {
  oneOf: memoize((schema: Schema) => withKeywords(schema, { oneOf: [] })),
  anyOf: memoize((schema: Schema) => withKeywords(schema, { anyOf: [] })),
};

/** Outlines which properties and items a schema evaluates. */
const outlineOf = (schema: Schema): readonly unknown[] => [
  [...(schema.properties?.keys() ?? [])].sort(),
  [...(schema.patternProperties?.keys() ?? [])].sort(),
  schema.prefixItems.length,
  ...[schema.additionalProperties, schema.unevaluatedProperties].map(Boolean),
  ...[schema.items, schema.contains, schema.unevaluatedItems].map(Boolean),
];

interface Merger {
  readonly document: LoadedDocument;
  /** Makes merged schemas; the same schemas always give the same object. */
  readonly merge: (schemas: readonly Schema[]) => MergedSchema;
  /** Merges schemas of which the members are known. */
  readonly mergeParts: (parts: Gathered, chosen: ReadonlySet<readonly Schema[]>) => MergedSchema;
}

/** A set of values. What is worked out of it is worked out when it is asked for, since a schema may contain itself. */
export class MergedSchema {
  readonly document: LoadedDocument;
  readonly merge: Merger['merge'];
  /** The schemas that all hold; none: any value. */
  readonly parts: readonly Schema[];
  /** Unions of the parts of which a branch was chosen, which is among the parts. */
  readonly chosen: ReadonlySet<readonly Schema[]>;
  /** A reference that leads nowhere: nothing is known of the set. */
  readonly broken: string | undefined;
  /** Without what unions say. */
  readonly ownTypes: ValueTypes;
  readonly #view: SchemaView;
  readonly #mergeParts: Merger['mergeParts'];
  #isAskingTypes = false;

  constructor(
    { parts, broken }: Gathered,
    chosen: ReadonlySet<readonly Schema[]>,
    { document, merge, mergeParts }: Merger,
  ) {
    this.document = document;
    this.merge = merge;
    this.parts = parts;
    this.chosen = chosen;
    this.broken = broken[0];
    this.#view = new SchemaView(parts);
    this.ownTypes = this.#view
      .values('enum')
      .map((values) => new Set(values.map(typeOfValue)))
      .reduce(commonTypes, commonTypes(everyType, statedTypes(this.#view.sharedTypes)));
    this.#mergeParts = mergeParts;
  }

  /** The parts without the unions of which a branch was chosen. */
  get ownParts(): readonly Schema[] {
    return this.parts.map((part) =>
      unionKeywords
        .filter((keyword) => this.chosen.has(part[keyword]))
        .reduce((own, keyword) => without[keyword](own), part),
    );
  }

  get pointer(): string {
    return this.parts[0]?.pointer ?? '';
  }

  /** The component that it is a reference to, or the component itself. */
  get component(): string | undefined {
    return this.parts[0]?.component;
  }

  readonly #types = lazy(() => {
    this.#isAskingTypes = true;
    const all = this.unions().map(
      ({ branches }) => new Set<ValueType>(branches.flatMap((branch) => [...branch.types])),
    );
    this.#isAskingTypes = false;
    return all.reduce<ValueTypes>(commonTypes, this.ownTypes);
  });

  get types(): ValueTypes {
    // A union that is a branch of itself says nothing new.
    return this.#isAskingTypes ? this.ownTypes : this.#types();
  }

  readonly unions = lazy((): readonly Union[] =>
    this.parts.flatMap((owner) =>
      unionKeywords.flatMap((keyword) => {
        const schemas = owner[keyword];
        if (!isUnion(owner, schemas) || this.chosen.has(schemas)) return [];
        const branches = schemas.map((branch) => this.merge([branch]));
        return [{ keyword, schemas, pointer: pointerTo(owner.pointer, keyword), branches }];
      }),
    ),
  );

  /** The branches of the first union, each with all else that the schema says. */
  readonly alternatives = lazy((): readonly MergedSchema[] => {
    const [union] = this.unions();
    if (union === undefined) return [];
    const chosen = new Set([...this.chosen, union.schemas]);
    return union.branches.map((branch) => {
      const broken = [branch.broken, this.broken].filter((reason) => reason !== undefined);
      const parts = [...new Set([...branch.parts, ...this.parts])];
      return this.#mergeParts({ parts, broken }, chosen);
    });
  });

  #narrowed = new Map<string, MergedSchema>();

  /** Gives its values that fit some keywords as well: they stand nowhere in the document, or say what a union says. */
  narrowed(
    keywords: Pick<Partial<Schema>, 'types' | 'enum' | 'pointer'>,
    union?: Union,
  ): MergedSchema {
    const key = valueKey(keywords);
    const before = this.#narrowed.get(key);
    if (before !== undefined) return before;
    const parts = [...this.parts, schemaOf(keywords)];
    const broken = this.broken === undefined ? [] : [this.broken];
    const chosen = new Set([...this.chosen, ...(union === undefined ? [] : [union.schemas])]);
    const schema = this.#mergeParts({ parts, broken }, chosen);
    this.#narrowed.set(key, schema);
    return schema;
  }

  /** Declared by a part, by name; without those that are forbidden as others are. */
  readonly properties = lazy((): ReadonlyMap<string, Property> => {
    const { merge, parts } = this;
    const properties = new Map<string, Property>();
    for (const name of this.#view.names) {
      const schemas = this.#view.constraintsOn(name).map(({ schema }) => schema);
      if (schemas.some(isNever) && this.others().kind === 'none') continue;
      const owner = parts.find((part) => part.properties?.has(name));
      properties.set(name, {
        schemas,
        pointer: pointerTo(pointerTo(owner?.pointer ?? '', 'properties'), name),
        get schema() {
          return merge(schemas);
        },
      });
    }
    return properties;
  });

  /** Pointers of the entries, by name. */
  readonly required = lazy((): ReadonlyMap<string, string> => {
    const required = new Map<string, string>();
    for (const { required: names, pointer } of this.parts) {
      for (const [at, name] of names.entries()) {
        if (!required.has(name)) required.set(name, pointerTo(`${pointer}/required`, at));
      }
    }
    return required;
  });

  /** Gives the constraints on a property that is not declared; without a name, on those that match no pattern either. */
  others(name?: string): OtherProperties {
    const isMatching =
      name === undefined ? (pattern: string) => matchesAll.has(pattern) : undefined;
    const constraints = this.#view.constraintsOn(name, isMatching);
    const closed = constraints.find(({ schema }) => isNever(schema));
    if (closed !== undefined) return { kind: 'none', pointer: closed.pointer };
    const limiting = constraints.filter(({ schema }) => constraintsOf(schema).length > 0);
    const [first] = limiting;
    if (first === undefined) return { kind: constraints.length > 0 ? 'any' : 'unspecified' };
    const schema = this.merge(limiting.map((part) => part.schema));
    return { kind: 'schema', schema, pointer: first.pointer };
  }

  /** The number of items that may have schemas of their own. */
  get prefixLength(): number {
    return this.#view.positions;
  }

  /** Gives the schema of an item, past the prefix that of all others; undefined: any. */
  item(at: number): MergedSchema | undefined {
    const schemas = this.#view.itemSchemas(at);
    return schemas.length === 0 ? undefined : this.merge(schemas);
  }

  /**
   * Outlines what decides which properties and items count as evaluated, where alternatives, conditions or `contains` have a
   * say in it; undefined where none has, or `unevaluatedProperties` and `unevaluatedItems` are not used.
   */
  get evaluation(): string | undefined {
    const owners = this.parts.filter((part) => part.unevaluatedProperties ?? part.unevaluatedItems);
    const inPlace = gather(owners, schemasInPlace).parts;
    const isSettled = inPlace.every((schema) => this.parts.includes(schema) && !schema.contains);
    return isSettled ? undefined : JSON.stringify(inPlace.map(outlineOf));
  }
}

/** Makes the merger of one document's schemas. */
export const schemaMerger = (document: LoadedDocument): Merger['merge'] => {
  const known = new Map<string, MergedSchema>();
  let last = 0;
  const idOf = memoize((_object: object): number => ++last);

  const mergeParts: Merger['mergeParts'] = ({ parts, broken }, chosen) => {
    const key = [...parts.map(idOf), '', ...[...chosen].map(idOf), ...broken].join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const merged = new MergedSchema({ parts, broken }, chosen, { document, merge, mergeParts });
    known.set(key, merged);
    return merged;
  };

  // The single branch of what is no union holds together with a schema as its members do.
  const membersOf = (schema: Schema): readonly Schema[] => [
    ...schema.members,
    ...unionKeywords.flatMap((keyword) =>
      isUnion(schema, schema[keyword]) ? [] : schema[keyword],
    ),
  ];
  const merge: Merger['merge'] = (schemas) => mergeParts(gather(schemas, membersOf), new Set());
  return merge;
};
