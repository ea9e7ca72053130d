/** Reads an operation's parameters from a request and validates them; all that depends on the document alone is compiled once. */

import { parseCookie } from 'cookie';
import { drawFrom, type Fuel, FuelExhausted } from '../../base/fuel';
import { MalformedText } from '../../base/malformed-text';
import { copyOf, emptyRecord } from '../../base/plain-object';
import { errorAt, HttpError, type ValidationError, withoutValue } from '../../http/http-error';
import type { Parameter, ParameterLocation } from '../../model/operation';
import { type Coerce, compileParameterCoercion, handingOver } from '../../schema/coercion';
import type { SchemaContext } from '../media-types/schema-context';
import { isWellEncoded, pairReaders, parseCookies, parseQueryString, withoutPairs } from './query';
import { kindOf, type QueryPairs, type Read, textParameterReader } from './typed-value';

type Texts = Readonly<Record<string, string | string[] | undefined>>;

/**
 * A request's parameters before they are read.
 * @example { path: { id: '7' }, query: 'limit=5', headers: { 'x-trace': 'a' } }
 */
export interface RawParameters {
  /** Template names to raw, still percent-encoded segments. */
  readonly path: Readonly<Record<string, string>>;
  /** The raw query string without `?`. */
  readonly query: string;
  /** As node:http gives them, lower-case names. */
  readonly headers: Texts;
}

/** Typed values by declared name; absent ones without a default are left out. No record has a prototype. */
export type ParameterValues = Readonly<Record<ParameterLocation, Record<string, unknown>>>;

/** Values that still have to be validated; a malformed parameter has an error in place of a value. */
export interface ParsedParameters {
  readonly values: ParameterValues;
  readonly errors: readonly ValidationError[];
}

interface Field<Source> {
  readonly parameter: Parameter;
  readonly read: Read<Source>;
  /** Gives a value the form that bodies have: exact types, defaults of properties, no readOnly ones. */
  readonly coerce: Coerce;
  /** The schema's default; undefined if it has none. */
  readonly defaultValue: unknown;
}

const fieldOf = <Source>(
  parameter: Parameter,
  read: Read<Source>,
  { shapeOf }: SchemaContext,
): Field<Source> => {
  const shape = shapeOf(parameter.schema);
  const coerce = compileParameterCoercion(shape);
  return { parameter, read, coerce, defaultValue: shape.defaultValue };
};

/** Makes a validation error of what a reader throws; throws on all but MalformedText and FuelExhausted. */
const errorFrom = (location: ParameterLocation, name: string, error: unknown): ValidationError => {
  if (error instanceof MalformedText || error instanceof FuelExhausted) {
    const [path, rule] = error instanceof MalformedText ? [error.path, 'syntax'] : ['', 'steps'];
    return { in: location, path: name + path, message: error.message, rule };
  }
  throw error;
};

const readField = <Source>(
  { parameter, read, coerce, defaultValue }: Field<Source>,
  source: Source,
  errors: ValidationError[],
): unknown => {
  const { name, in: location, required } = parameter;
  try {
    const value = read(source);
    if (value !== undefined) return coerce(value);
  } catch (error) {
    errors.push(errorFrom(location, name, error));
    return undefined;
  }
  if (required) {
    errors.push({ in: location, path: name, message: 'is required', rule: 'required' });
    return undefined;
  }
  // A copy, because a handler may change what it is given.
  return defaultValue === undefined ? undefined : coerce(copyOf(defaultValue));
};

const readFields = <Source>(
  fields: readonly Field<Source>[],
  source: Source,
  errors: ValidationError[],
): Record<string, unknown> => {
  const values = emptyRecord<unknown>();
  for (const field of fields) {
    const value = readField(field, source, errors);
    if (value !== undefined) values[field.parameter.name] = value;
  }
  return values;
};

/** Reads one location, adding what is wrong to `errors`. */
type LocationReader = (raw: RawParameters, errors: ValidationError[]) => Record<string, unknown>;

/** Returns the names of the API keys in a location, which are no members of parameters that take the rest of it. */
type KeysIn = (location: ParameterLocation) => readonly string[];

const noKeys: KeysIn = () => [];

type CompileLocation = (
  parameters: readonly Parameter[],
  tools: SchemaContext,
  keysIn: KeysIn,
) => LocationReader;

const none = Object.freeze(emptyRecord<unknown>());

const textField = (key: string, parameter: Parameter, tools: SchemaContext): Field<Texts> => {
  const readText = textParameterReader(parameter, tools);
  const isList = kindOf(tools.shapeOf(parameter.schema)) === 'list';
  const read = (texts: Texts): unknown => {
    const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
    if (text === undefined) return undefined;
    if (typeof text === 'string') return readText(text);
    if (isList) return readText(text.join(','));
    throw new MalformedText('must not be given more than once');
  };
  return fieldOf(parameter, read, tools);
};

const cookieHeader = ({ headers: { cookie } }: RawParameters): string =>
  typeof cookie === 'string' ? cookie : '';

const textLocation =
  (
    textsOf: (raw: RawParameters) => Texts,
    keyOf = ({ name }: Parameter) => name,
  ): CompileLocation =>
  (parameters, tools) => {
    const fields = parameters.map((parameter) => textField(keyOf(parameter), parameter, tools));
    return (raw, errors) => readFields(fields, textsOf(raw), errors);
  };

/** Tells whether a parameter may be several pairs: cookies of the style form are one text each (OAS 3.2.0, Appendix D). */
const isPairs = ({ in: location, style, mediaType }: Parameter): boolean =>
  location === 'query' || (style === 'cookie' && mediaType === undefined);

const pairsLocation =
  (
    location: ParameterLocation,
    pairsOf: (raw: RawParameters) => QueryPairs,
    isWellFormed: (raw: RawParameters) => boolean = () => true,
  ): CompileLocation =>
  (parameters, tools, keysIn) => {
    const readers = pairReaders(parameters, tools, keysIn(location));
    const fields = [...readers]
      .filter(([parameter]) => isPairs(parameter))
      .map(([parameter, read]) => fieldOf(parameter, read, tools));
    return (raw, errors) => {
      try {
        const values = readFields(fields, pairsOf(raw), errors);
        // Undeclared parameters are not read, yet the query as a whole has to be well-formed.
        if (errors.length === 0 && !isWellFormed(raw)) {
          throw new MalformedText('must be well-formed percent-encoded UTF-8');
        }
        return values;
      } catch (error) {
        errors.push(errorFrom(location, '', error));
        return none;
      }
    };
  };

/** An empty query string is none. */
const querystringLocation: CompileLocation = (parameters, tools, keysIn) => {
  const fields = parameters.map((parameter) => {
    const { mediaType = '', schema } = parameter;
    const isForm = tools.codecs.contentCodec(mediaType, tools.shapeOf(schema))?.name === 'form';
    const keys = isForm ? keysIn('query') : [];
    const readText = textParameterReader(parameter, tools);
    const read = ({ query }: RawParameters): unknown => {
      const text = withoutPairs(query, keys);
      return text === '' ? undefined : readText(text);
    };
    return fieldOf(parameter, read, tools);
  });
  return (raw, errors) => readFields(fields, raw, errors);
};

const encoded = { decode: (text: string) => text };
const cookieTexts = textLocation((raw) => parseCookie(cookieHeader(raw), encoded));
const cookiePairs = pairsLocation('cookie', (raw) => parseCookies(cookieHeader(raw)));

const cookieLocation: CompileLocation = (parameters, tools, keysIn) => {
  const texts = parameters.filter((parameter) => !isPairs(parameter));
  const readTexts = cookieTexts(texts, tools, keysIn);
  if (texts.length === parameters.length) return readTexts;
  // Free members of an object are none of the others.
  const readPairs = cookiePairs(parameters, tools, keysIn);
  return (raw, errors) => Object.assign(readTexts(raw, errors), readPairs(raw, errors));
};

const locations: Readonly<Record<ParameterLocation, CompileLocation>> = {
  path: textLocation(({ path }) => path),
  query: pairsLocation(
    'query',
    ({ query }) => parseQueryString(query),
    ({ query }) => isWellEncoded(query),
  ),
  querystring: querystringLocation,
  header: textLocation(
    ({ headers }) => headers,
    ({ name }) => name.toLowerCase(),
  ),
  cookie: cookieLocation,
};

/**
 * Compiles parameters into the function that reads them from a request. Reading converts text by style and shape, and reports
 * what only it can see: a parameter that is missing, given twice or malformed. Text that does not convert stays text, for
 * validation to refuse. Undeclared parameters are ignored.
 */
export const compileParameters = (
  parameters: readonly Parameter[],
  tools: SchemaContext,
  keysIn = noKeys,
): ((raw: RawParameters) => ParsedParameters) => {
  const readerFor = (location: ParameterLocation): LocationReader => {
    const declared = parameters.filter((parameter) => parameter.in === location);
    return declared.length === 0 ? () => none : locations[location](declared, tools, keysIn);
  };
  if (parameters.length === 0) {
    const values = { path: none, query: none, querystring: none, header: none, cookie: none };
    const nothing = { values, errors: [] };
    return () => nothing;
  }
  const read = {
    path: readerFor('path'),
    query: readerFor('query'),
    querystring: readerFor('querystring'),
    header: readerFor('header'),
    cookie: readerFor('cookie'),
  };
  return (raw) => {
    const errors: ValidationError[] = [];
    const values = {
      path: read.path(raw, errors),
      query: read.query(raw, errors),
      querystring: read.querystring(raw, errors),
      header: read.header(raw, errors),
      cookie: read.cookie(raw, errors),
    };
    return { values, errors };
  };
};

/** Makes the error of a request whose parameters are wrong. */
export const invalidParameters = (errors: readonly ValidationError[]): HttpError =>
  new HttpError(400, 'invalid-parameter', 'A parameter does not fit its schema', { errors });

/**
 * Returns the typed values. Throws an HttpError `invalid-parameter` that lists every error.
 * @param fuel the steps that reading and checking them may take
 */
export type ReadParameters = (raw: RawParameters, fuel: Fuel) => ParameterValues;

/** Compiles parameters into the function that reads and validates them; each validator is compiled at its first use. */
export const compileParameterCheck = (
  parameters: readonly Parameter[],
  tools: SchemaContext,
  keysIn = noKeys,
): ((raw: RawParameters) => ParsedParameters) => {
  const read = compileParameters(parameters, tools, keysIn);
  const checks = parameters.map(({ name, in: location, schema }) => {
    const isKey = keysIn(location).some((key) => key.toLowerCase() === name.toLowerCase());
    const validate = tools.validators.validatorOf(schema, 'request');
    return (values: ParameterValues): readonly ValidationError[] => {
      const value = values[location][name];
      if (value === undefined) return [];
      return validate(value).map((error) => {
        const { message, rule, allowed } = error;
        const told = isKey ? { message: withoutValue(message), rule, allowed } : error;
        return errorAt(location, name + error.path, told);
      });
    };
  });
  return (raw) => {
    const { values, errors } = read(raw);
    return { values, errors: [...errors, ...checks.flatMap((check) => check(values))] };
  };
};

/**
 * Compiles the parameters of an operation.
 * @example const { path, query } = compileReadParameters(operation.parameters, tools)(raw);
 */
export const compileReadParameters = (
  parameters: readonly Parameter[],
  tools: SchemaContext,
  keysIn = noKeys,
): ReadParameters => {
  const readAndCheck = compileParameterCheck(parameters, tools, keysIn);
  const hand = handingOver(parameters.map(({ schema }) => tools.shapeOf(schema)));
  return (raw, fuel) => {
    const { values, errors } = drawFrom(fuel, () => readAndCheck(raw));
    if (errors.length > 0) throw invalidParameters(errors);
    for (const located of Object.values(values)) hand(located);
    return values;
  };
};
