/** Reads the keywords of a Schema Object whose values are no schemas, by the dialect of the document's version. */

import { compareExactly, type ExactNumber, isNumeric } from '../../base/exact-number';
import { isPlainObject, ownText, type PlainObject } from '../../base/plain-object';
import { nearestName } from '../../base/text/nearest-name';
import { cutText } from '../../base/text/printable';
import { InvalidSchema, type JsonType, jsonTypes, type Schema } from '../../model/schema';
import { foreignPattern } from '../../schema/validation/checks/foreign-pattern';
import { type ReadXml, xmlIn, xmlIn31, xmlNodeIn } from './xml-objects';

const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The fields of a Schema Object; the first wrong one is kept as its error. */
export class Keywords {
  error: InvalidSchema | undefined;
  readonly fields: PlainObject;

  constructor(fields: PlainObject) {
    this.fields = fields;
  }

  value(keyword: string): unknown {
    return Object.hasOwn(this.fields, keyword) ? this.fields[keyword] : undefined;
  }

  refuse(keyword: string, message: string, advice?: string): undefined {
    this.error ??= new InvalidSchema(message, keyword, advice);
  }

  number(keyword: string): ExactNumber | undefined {
    const value = this.value(keyword);
    if (value === undefined || isNumeric(value)) return value;
    // As OpenAPI 3.0 has it.
    const advice = typeof value === 'boolean' ? 'Write the limit itself.' : undefined;
    return this.refuse(keyword, `The keyword "${keyword}" must be a number.`, advice);
  }

  divisor(keyword: string): ExactNumber | undefined {
    const value = this.number(keyword);
    if (value === undefined || compareExactly(value, 0) > 0) return value;
    return this.refuse(keyword, `The keyword "${keyword}" must be greater than 0.`);
  }

  count(keyword: string): number | undefined {
    const value = this.number(keyword);
    if (value === undefined) return undefined;
    if (compareExactly(value, 0) >= 0 && Number.isInteger(Number(value))) return Number(value);
    return this.refuse(keyword, `The keyword "${keyword}" must be a whole number, 0 or greater.`);
  }

  #checked<Value>(keyword: string, accepts: (value: unknown) => value is Value, what: string) {
    const value = this.value(keyword);
    if (value === undefined || accepts(value)) return value;
    return this.refuse(keyword, `The keyword "${keyword}" must be ${what}.`);
  }

  flag(keyword: string): boolean {
    const isFlag = (value: unknown) => typeof value === 'boolean';
    return this.#checked(keyword, isFlag, 'true or false') ?? false;
  }

  text(keyword: string): string | undefined {
    return this.#checked(keyword, isText, 'a string');
  }

  values(keyword: string): readonly unknown[] | undefined {
    return this.#checked(keyword, isList, 'a list');
  }

  list(keyword: string): readonly unknown[] | undefined {
    const isFilled = (value: unknown): value is readonly unknown[] =>
      isList(value) && value.length > 0;
    return this.#checked(keyword, isFilled, 'a list that is not empty');
  }

  names(keyword: string): readonly string[] {
    const areNames = (value: unknown): value is readonly string[] =>
      isList(value) && value.every(isText);
    return this.#checked(keyword, areNames, 'a list of names') ?? [];
  }

  map(keyword: string): PlainObject | undefined {
    return this.#checked(keyword, isPlainObject, 'a map');
  }
}

/** Reads the type names; undefined where one is unknown, or none is given. */
const readTypes = (keywords: Keywords, names: readonly unknown[], known: readonly JsonType[]) => {
  const isKnown = (name: unknown): name is JsonType => known.some((type) => type === name);
  if (names.every(isKnown)) return names;
  const unknown = names.find((name) => !isKnown(name));
  const meant = typeof unknown === 'string' ? nearestName(unknown, known) : undefined;
  const text = cutText(JSON.stringify(unknown));
  const message = `The type ${text} must be one of ${known.join(', ')}.`;
  return keywords.refuse('type', message, meant && `Did you mean ${meant}?`);
};

const listOf = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value]);

/** A dialect of JSON Schema, as one version of OpenAPI has it. */
export interface Dialect {
  /** True where keywords beside `$ref` hold, too. */
  readonly refHasSiblings: boolean;
  /** The URIs of `$schema` and `jsonSchemaDialect` for which it stands. */
  readonly uris: RegExp;
  /** The keywords that hold schemas. */
  readonly applicators: Readonly<Record<string, 'value' | 'list' | 'map'>>;
  /** The fields that may say a keyword where it is not called so; `null` is the type. */
  readonly fields: Readonly<Partial<Record<keyof Schema | 'null', readonly string[]>>>;
  /** Reads the keywords on which the dialects differ. */
  differing(keywords: Keywords): Partial<Schema>;
  readonly xmlIn: ReadXml;
}

/** Returns the error of schemas in a dialect that is not the given one; undefined where it is. */
export const dialectError = (uri: string | undefined, { uris }: Dialect) => {
  if (uri === undefined || uris.test(uri)) return undefined;
  const advice = 'Write https://json-schema.org/draft/2020-12/schema, if the schemas fit it.';
  const message = `The dialect ${uri} of schemas is not known here.`;
  return new InvalidSchema(message, '$schema', advice);
};

const oldApplicators: Dialect['applicators'] = {
  items: 'value',
  properties: 'map',
  additionalProperties: 'value',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  not: 'value',
};

const commonFields = {
  types: ['type'],
  members: ['allOf'],
  contentEncoding: ['format'],
  contentMediaType: ['format'],
} as const;

/** The dialect of OpenAPI 3.0 (OAS 3.0.4, section 4.7.24). */
export const openApi30: Dialect = {
  refHasSiblings: false,
  xmlIn,
  uris: /^/,
  applicators: oldApplicators,
  fields: {
    ...commonFields,
    null: ['nullable'],
    exclusiveMinimum: ['minimum'],
    exclusiveMaximum: ['maximum'],
  },
  differing(keywords) {
    const known = jsonTypes.filter((type) => type !== 'null');
    const types = readTypes(keywords, listOf(keywords.value('type')), known);
    // Without a type `nullable` says nothing (OAS 3.0.4, section 4.7.24.2).
    const isNullable = keywords.flag('nullable');
    // Many documents write `required: true` at a property, where it says nothing.
    const isFlag = typeof keywords.value('required') === 'boolean';
    const values = keywords.list('enum');
    const [minimum, isAbove] = [keywords.number('minimum'), keywords.flag('exclusiveMinimum')];
    const [maximum, isBelow] = [keywords.number('maximum'), keywords.flag('exclusiveMaximum')];
    return {
      types: types?.length ? [...types, ...(isNullable ? ['null' as const] : [])] : undefined,
      enum: values,
      isConst: false,
      minimum: isAbove ? undefined : minimum,
      exclusiveMinimum: isAbove ? minimum : undefined,
      maximum: isBelow ? undefined : maximum,
      exclusiveMaximum: isBelow ? maximum : undefined,
      required: isFlag ? [] : keywords.names('required'),
      examples: listOf(keywords.value('example')),
    };
  },
};

/** The dialect of OpenAPI 3.1: JSON Schema 2020-12 (OAS 3.1.2, section 4.8.24). */
export const jsonSchema202012: Dialect = {
  refHasSiblings: true,
  xmlIn: xmlIn31,
  uris: /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/[\w-]+)#?$/,
  applicators: {
    ...oldApplicators,
    contentSchema: 'value',
    prefixItems: 'list',
    contains: 'value',
    unevaluatedItems: 'value',
    patternProperties: 'map',
    propertyNames: 'value',
    dependentSchemas: 'map',
    unevaluatedProperties: 'value',
    if: 'value',
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword, and no function
    then: 'value',
    else: 'value',
  },
  fields: {
    ...commonFields,
    null: ['type'],
    enum: ['const', 'enum'],
    contentEncoding: ['contentEncoding', 'format'],
    contentMediaType: ['contentMediaType', 'format'],
    ifTrue: ['then'],
    ifFalse: ['else'],
  },
  differing(keywords) {
    const type = keywords.value('type');
    const names = Array.isArray(type) ? (keywords.list('type') ?? []) : listOf(type);
    const [constant, listed] = [keywords.value('const'), keywords.value('examples')];
    return {
      types: names.length === 0 ? undefined : readTypes(keywords, names, jsonTypes),
      enum: constant === undefined ? keywords.values('enum') : [constant],
      isConst: constant !== undefined,
      minimum: keywords.number('minimum'),
      maximum: keywords.number('maximum'),
      exclusiveMinimum: keywords.number('exclusiveMinimum'),
      exclusiveMaximum: keywords.number('exclusiveMaximum'),
      required: keywords.names('required'),
      examples: [...(Array.isArray(listed) ? listed : []), ...listOf(keywords.value('example'))],
    };
  },
};

/** The dialect of OpenAPI 3.2. */
export const openApi32: Dialect = { ...jsonSchema202012, xmlIn: xmlNodeIn };

const dependentNames = (keywords: Keywords): ReadonlyMap<string, readonly string[]> | undefined => {
  const dependents = keywords.map('dependentRequired');
  if (dependents === undefined) return undefined;
  const lists = new Keywords(dependents);
  const names = Object.keys(dependents).map((name) => [name, lists.names(name)] as const);
  keywords.error ??= lists.error;
  return new Map(names);
};

/** Refuses identifiers that are none (JSON Schema 2020-12, sections 8.2.1 and 8.2.2). */
const checkIdentifiers = (keywords: Keywords): void => {
  if (/#./.test(keywords.text('$id') ?? '')) {
    keywords.refuse('$id', 'The identifier of a schema has no fragment.', 'Write `$anchor`.');
  }
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    if (/^[A-Za-z_][\w.-]*$/.test(keywords.text(keyword) ?? 'a')) continue;
    const advice = 'Begin with a letter, and use letters, digits, dots, hyphens and underscores.';
    keywords.refuse(keyword, `The keyword "${keyword}" must be a name.`, advice);
  }
};

/** Gives the keywords that hold schemas; those that hold something else are refused. */
export const applicatorsIn = (keywords: Keywords, { applicators }: Dialect): PlainObject => {
  const found: PlainObject = {};
  for (const keyword of Object.keys(keywords.fields)) {
    const kind = Object.hasOwn(applicators, keyword) ? applicators[keyword] : undefined;
    if (kind !== undefined) found[keyword] = keywords[kind](keyword);
  }
  return found;
};

const noExtensions: ReadonlyMap<string, unknown> = new Map();

/** Reads all keywords of a Schema Object but those that hold schemas, and `xml`. */
export const plainKeywords = (keywords: Keywords, dialect: Dialect) => {
  const { fields } = keywords;
  const differing = dialect.differing(keywords);
  const format = keywords.text('format');
  const isModern = 'contains' in dialect.applicators;
  if (isModern) checkIdentifiers(keywords);
  const modernText = (keyword: string) => (isModern ? keywords.text(keyword) : undefined);
  const extensions = Object.keys(fields).filter((name) => name.startsWith('x-'));
  const modernCount = (keyword: string) => (isModern ? keywords.count(keyword) : undefined);
  const pattern = keywords.text('pattern');
  return {
    format,
    uniqueItems: keywords.flag('uniqueItems'),
    multipleOf: keywords.divisor('multipleOf'),
    minLength: keywords.count('minLength'),
    maxLength: keywords.count('maxLength'),
    // A rule warns of one of another language.
    pattern: pattern && foreignPattern(pattern) !== undefined ? undefined : pattern,
    contentEncoding: modernText('contentEncoding') ?? (format === 'byte' ? 'base64' : undefined),
    contentMediaType:
      modernText('contentMediaType') ??
      (format === 'binary' ? 'application/octet-stream' : undefined),
    minContains: modernCount('minContains'),
    maxContains: modernCount('maxContains'),
    minItems: keywords.count('minItems'),
    maxItems: keywords.count('maxItems'),
    minProperties: keywords.count('minProperties'),
    maxProperties: keywords.count('maxProperties'),
    dependentRequired: isModern ? dependentNames(keywords) : undefined,
    title: ownText(fields, 'title'),
    description: ownText(fields, 'description'),
    default: keywords.value('default'),
    readOnly: fields['readOnly'] === true,
    writeOnly: fields['writeOnly'] === true,
    deprecated: fields['deprecated'] === true,
    extensions:
      extensions.length === 0
        ? noExtensions
        : new Map(extensions.map((name) => [name, fields[name]])),
    // After the others, which V8 then allocates at once.
    ...differing,
  } satisfies Partial<Schema>;
};
