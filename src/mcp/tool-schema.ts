/**
 * Writes schemas as the clients of tools take them: whole by themselves, without references, and with names that all of them accept. What
 * cannot be said so is left out: the engine validates each call by the document's own schema.
 */

import { isNumeric } from '../base/exact-number';
import { memoize, memoizePairs } from '../base/memoize';
import { isPlainObject } from '../base/plain-object';
import { attempt } from '../base/recover';
import type { ApiDocument, SchemaContext } from '../engine';
import { type Discriminator, isNever, type Schema, schemaOf } from '../model/schema';
import { typedValue, wholeSchema } from '../schema/samples/sample-plan';
import { isBigInt, isDecimal } from '../schema/scalars';
import { type Limit, SchemaView, viewOf } from '../schema/schema-view';

/** A schema of JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type ToolDirection = 'request' | 'response';

/** Characters of one schema. */
export const mostCharacters = 12 * 1024;

/** Characters of a description within a schema. */
export const longestHint = 300;

/** Characters that are not shown but may hold instructions, or turn the direction of what is: all controls but line ends and tabs. */
const hidden = /[^\P{Cc}\n\t]|\p{Bidi_Control}|[\u200b\u2060\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Returns a text of a document as agents may read it: without hidden characters, and no longer than so many. */
export const plainText = (text: string, most: number): string => {
  const shown = text.replaceAll(hidden, '').trim();
  return shown.length <= most ? shown : `${shown.slice(0, most - 1).toWellFormed()}…`;
};

/** Tells whether clients accept the name of a property. */
export const isPropertyName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name);

/** The schema of a file in arguments; of the whole body the name has no place. */
export const fileSchema = (mediaType: string | undefined, isNamed: boolean): JsonSchema => ({
  type: 'object',
  properties: {
    data: { type: 'string', description: 'the bytes in base64' },
    mediaType: { type: 'string', ...(mediaType !== undefined && { default: mediaType }) },
    ...(isNamed && { name: { type: 'string', description: 'the name of the file' } }),
  },
  required: ['data'],
  additionalProperties: false,
});

/** Returns a value as JSON can hold it: numbers beyond doubles as texts; undefined where something in it is no such value. */
const plainValue = (value: unknown): unknown => {
  if (typeof value !== 'number' && isNumeric(value)) return String(value);
  return value !== null && typeof value === 'object' && !isPlainObject(value) ? undefined : value;
};

const isSafe = (limit: Limit | undefined): boolean =>
  limit !== undefined && Number.isSafeInteger(Number(limit.value));

/** Tells whether numbers may have digits that JSON's readers do not keep. */
const isWide = (view: SchemaView): boolean =>
  !view.values('format').some((format) => /^(?:int32|float|double)$/.test(format)) &&
  !(isSafe(view.minimum) && isSafe(view.maximum));

/** Returns the pattern of numbers that arguments have as texts, since readers of JSON do not keep their digits. */
const patternOfDigits = (view: SchemaView): string | undefined => {
  const types = view.readTypes;
  const format = view.values('format')[0];
  if (types.some((type) => isDecimal({ type, format }))) {
    return '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$';
  }
  return types.some((type) => isBigInt({ type, format })) && isWide(view)
    ? '^-?[0-9]{1,20}$'
    : undefined;
};

const finite = (limit: number, least = 0): number | undefined =>
  limit > least && limit < Number.POSITIVE_INFINITY ? limit : undefined;

const oneOrMore = (types: readonly string[]) => (types.length === 1 ? types[0] : types);

/** Lists the values by which a discriminator names a schema: its own, those of the mapping, else the name of the component. */
const namesOf = (
  { propertyName, mapping, defaultMapping }: Discriminator,
  schema: Schema,
): readonly unknown[] => {
  const { component } = schema;
  const own = viewOf(schema)
    .declared(propertyName)
    .flatMap((property) => viewOf(property).enumerated ?? []);
  if (own.length > 0) return own;
  if (component === undefined || defaultMapping?.component === component) return [];
  const keys = [...mapping].filter(([, { component: mapped }]) => mapped === component);
  return keys.length > 0 ? keys.map(([key]) => key) : [component];
};

/** Makes the schema of objects that say what they are by one of some names. */
const named = ({ propertyName }: Discriminator, names: readonly unknown[]): readonly Schema[] => {
  if (names.length === 0) return [];
  const property = schemaOf({ enum: [...new Set(names)] });
  return [schemaOf({ properties: new Map([[propertyName, property]]) })];
};

/** Gives a branch of a union with the names that the union's discriminator has for it. */
const namedBranch = memoizePairs(({ discriminator }: Schema, branch: Schema): Schema => {
  if (discriminator === undefined) return branch;
  const members = [branch, ...named(discriminator, namesOf(discriminator, branch))];
  return schemaOf({ members, component: branch.component });
});

/** Gives what limits a value; one that was received need not be held to it again. */
const limitsOf = (view: SchemaView, isOf: (name: string) => boolean): JsonSchema => {
  if (isOf('integer') || isOf('number')) {
    const { minimum, maximum } = view;
    return {
      [minimum?.exclusive ? 'exclusiveMinimum' : 'minimum']: minimum && Number(minimum.value),
      [maximum?.exclusive ? 'exclusiveMaximum' : 'maximum']: maximum && Number(maximum.value),
    };
  }
  if (!isOf('string')) return {};
  return {
    format: view.values('format')[0],
    // Validators of clients compile patterns with this flag, and fail where one is none.
    pattern: view.values('pattern').find((pattern) => attempt(() => new RegExp(pattern, 'u'))),
    minLength: finite(view.minLength),
    maxLength: finite(view.maxLength, -1),
  };
};

/** Returns the characters of a value as JSON. Parts that are in many places are counted once. */
const lengthOf = (() => {
  const known = new WeakMap<object, number>();
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)?.length ?? 0;
    const before = known.get(value);
    if (before !== undefined) return before;
    let length = 2;
    for (const [key, member] of Object.entries(value)) {
      length += count(member) + 1 + (Array.isArray(value) ? 0 : key.length + 3);
    }
    known.set(value, length);
    return length;
  };
  return count;
})();

/** Describes a value, and names its members that no client takes as properties. */
const describe = (view: SchemaView): string | undefined => {
  const [text = view.values('title')[0] ?? ''] = view.values('description');
  const odd = view.names.filter((name) => !isPropertyName(name)).slice(0, 10);
  const names = odd.map((name) => JSON.stringify(plainText(name, 64))).join(', ');
  const further = odd.length > 0 ? `Further members: ${names}` : '';
  return [plainText(text, longestHint), further].filter(Boolean).join('\n') || undefined;
};

/** Writes the schemas that hold together for a value. What is written is shared: a schema that holds itself in many ways is small. */
class SchemaWriter {
  readonly #direction: ToolDirection;
  readonly #tools: SchemaContext;
  /** Lists the components that hold a component, as what inherits from it does. */
  readonly #heirsOf: (component: string | undefined) => readonly Schema[];
  /** By the schema, and the levels that are written of it. */
  readonly #written = new WeakMap<Schema, JsonSchema[]>();

  constructor(direction: ToolDirection, { schemas }: ApiDocument, tools: SchemaContext) {
    this.#direction = direction;
    this.#tools = tools;
    this.#heirsOf = memoize((component: string | undefined) =>
      [...schemas.values()].filter(
        (heir) =>
          heir.component !== component &&
          viewOf(heir).parts.some((part) => part.component === component),
      ),
    );
  }

  /** @param depth levels of members */
  write(schemas: readonly Schema[], depth: number): JsonSchema {
    const [only, ...others] = schemas;
    if (only === undefined || others.length > 0 || depth < 0) return this.#writeAll(schemas, depth);
    const known = this.#written.get(only) ?? [];
    this.#written.set(only, known);
    known[depth] ??= this.#writeAll(schemas, depth);
    return known[depth];
  }

  #writeAll(schemas: readonly Schema[], depth: number): JsonSchema {
    const parts = schemas.flatMap((schema) => viewOf(schema).parts);
    const root = schemas.find(({ component }) => component !== undefined);
    const view = new SchemaView([...parts, ...this.#named(parts, root)]);
    const description = this.#direction === 'request' ? describe(view) : undefined;
    const rest = depth < 0 ? {} : this.#writeView(view, schemas, depth - 1);
    const members = Object.entries({ description, ...rest });
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }

  /** Lists what discriminators say of a value: the names of the branches of a union, else of the component and its heirs. */
  #named(parts: readonly Schema[], root: Schema | undefined): readonly Schema[] {
    return parts.flatMap(({ discriminator, oneOf, anyOf, component }) => {
      if (!discriminator || discriminator.defaultMapping) return [];
      const { propertyName, mapping } = discriminator;
      if (!parts.some(({ properties }) => properties?.has(propertyName))) return [];
      const union = [...oneOf, ...anyOf];
      const heirs = union.length > 0 ? union : this.#heirsOf(root?.component ?? component);
      const names = heirs.map((heir) => namesOf(discriminator, heir));
      const isBase = root === undefined || root.component === component;
      const own = isBase ? mapping.keys() : namesOf(discriminator, root);
      return names.some(({ length }) => length === 0)
        ? []
        : named(discriminator, [...own, ...names.flat()]);
    });
  }

  /** Gives the enum and the default, where they are short, and as far as they fit. */
  #given(view: SchemaView, schemas: readonly Schema[], write = plainValue): JsonSchema {
    const { shapeOf, validators } = this.#tools;
    const whole = wholeSchema({ roots: schemas });
    const fits = (value: unknown): boolean =>
      validators.accepts(whole, 'request')(typedValue(whole, shapeOf)(value));
    const { enumerated = [] } = view;
    const values = enumerated.length <= 100 ? enumerated.filter(fits) : [];
    const given = write(this.#defaultOf(schemas));
    return {
      enum: values.length > 0 ? values.map(write) : undefined,
      default: (JSON.stringify(given) ?? '').length > 200 ? undefined : given,
    };
  }

  /** Gives the default of schemas that hold together; undefined where they have none, or none that fits. */
  #defaultOf(schemas: readonly Schema[]): unknown {
    const parts = schemas.flatMap((schema) => viewOf(schema).parts);
    return parts.some((part) => part.default !== undefined)
      ? this.#tools.shapeOf(wholeSchema({ roots: schemas })).defaultValue
      : undefined;
  }

  #writeView(view: SchemaView, schemas: readonly Schema[], inner: number): JsonSchema {
    const isRequest = this.#direction === 'request';
    if (view.isBinary && isRequest) return fileSchema(view.values('contentMediaType')[0], true);
    const types = this.#typesOf(view);
    const isOf = (name: string): boolean => types.some((one) => one === name);
    const pattern = patternOfDigits(view);
    if (pattern !== undefined && isRequest) {
      const given = this.#given(view, schemas, (value) =>
        typeof value === 'number' ? String(value) : plainValue(value),
      );
      // Numbers that readers of JSON would round are texts; values of other types are as they are.
      const texts = types.map((type) => type.replace(/^(?:integer|number)$/, 'string'));
      return {
        type: oneOrMore([...new Set(texts)]),
        pattern: isOf('string') ? undefined : pattern,
        ...given,
      };
    }
    const members = {
      ...(types.length > 0 && { type: oneOrMore(types) }),
      ...(isOf('object') && this.#members(view, inner)),
      ...(isOf('array') && this.#items(view, inner)),
      anyOf: this.#union(view, inner),
    };
    if (isRequest) {
      return { ...members, ...this.#given(view, schemas), ...limitsOf(view, isOf) };
    }
    // Such numbers come as texts, also those that other servers give without a format.
    return isWide(view) && (isOf('number') || isOf('integer'))
      ? { ...members, type: [...types, 'string'] }
      : members;
  }

  /** Lists the types. What keywords imply of a value is a hint to who writes it, and no promise to who reads it. */
  #typesOf(view: SchemaView): readonly string[] {
    const implied = this.#direction === 'request' ? view.impliedType() : undefined;
    return view.sharedTypes ?? (implied === undefined ? [] : [implied]);
  }

  /** Writes the first union; of several that hold together the others are left out. */
  #union(view: SchemaView, inner: number): readonly JsonSchema[] | undefined {
    const part = view.parts.find(({ oneOf, anyOf }) => oneOf.length + anyOf.length > 0);
    if (part === undefined) return undefined;
    const union = part.oneOf.length > 0 ? part.oneOf : part.anyOf;
    return union.map((branch) => this.write([namedBranch(part, branch)], inner));
  }

  #items(view: SchemaView, inner: number): JsonSchema {
    const isRequest = this.#direction === 'request';
    const { positions } = view;
    const hasItems = positions === 0 && view.closesItems === undefined;
    return {
      items: hasItems ? this.write(view.itemSchemas(0), inner) : {},
      ...(isRequest && {
        minItems: finite(view.minItems),
        maxItems: finite(view.maxItems, -1),
        uniqueItems: view.uniqueItems || undefined,
      }),
    };
  }

  #members(view: SchemaView, inner: number): JsonSchema {
    const isRequest = this.#direction === 'request';
    const mark = isRequest ? 'readOnly' : 'writeOnly';
    const declared = view.names.map((name) => {
      const schemas = view.declared(name);
      return { name, schemas, view: new SchemaView(schemas.flatMap((one) => viewOf(one).parts)) };
    });
    const shown = declared.filter((member) => !member.view.isMarked(mark));
    const written = shown.filter(({ name }) => isPropertyName(name));
    const others = view.constraintsOn(undefined, () => false).map(({ schema }) => schema);
    const isWhole =
      written.length === declared.length && view.values('patternProperties').length === 0;
    const isMap = others.length > 0 && !others.some(isNever) && isWhole;
    const required = written
      // The engine fills defaults in; what others leave out is theirs to say.
      .filter(({ name }) => isRequest && view.required.has(name))
      .filter((member) => this.#defaultOf(member.schemas) === undefined)
      .map(({ name }) => name);
    return {
      properties: Object.fromEntries(
        written.map(({ name, schemas }) => [name, this.write(schemas, inner)]),
      ),
      required: required.length > 0 ? required : undefined,
      additionalProperties: isMap ? this.write(others, inner) : undefined,
    };
  }
}

/** Writes a schema of a document; `most` is in characters. */
export type WriteSchema = (schema: Schema, direction: ToolDirection, most?: number) => JsonSchema;

/**
 * Makes the writer of a document's schemas, each no larger than clients have room for: of a larger one the deepest members are left open.
 */
export const schemaWriter = (document: ApiDocument, tools: SchemaContext): WriteSchema => {
  const writers = {
    request: new SchemaWriter('request', document, tools),
    response: new SchemaWriter('response', document, tools),
  };
  const deepest = 6;
  return (schema, direction, most = mostCharacters) => {
    let best: JsonSchema = {};
    for (let depth = 0; depth <= deepest; depth += 1) {
      const written = writers[direction].write([schema], depth);
      if (lengthOf(written) > most) break;
      best = written;
    }
    return best;
  };
};
