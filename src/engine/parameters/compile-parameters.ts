/** Reads an operation's parameters out of a request and holds each against its schema; what depends on the document alone is settled once. */

import { parseCookie } from 'cookie';
import { drawFrom, type Fuel } from '../../base/fuel';
import { MalformedText } from '../../base/malformed-text';
import { emptyRecord } from '../../base/plain-object';
import type { Operation, Parameter, ParameterLocation } from '../document/model/operation';
import { HttpError, type ValidationError } from '../http/http-error';
import type { ShapeOf } from '../schema/shape';
import type { Validators } from '../schema/validation/compile-validators';
import { errorFrom, type Field, fieldOf, readFields } from './fields';
import { queryFields } from './query-fields';
import { isWellEncoded, parseQueryString } from './query-string';
import { kindOf, textParameterReader } from './typed-value';

type Texts = Readonly<Record<string, string | string[] | undefined>>;

/** A request's parameters before they are read. */
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

/** What reading gives. Values still have to be validated; a wrong parameter has none. */
export interface ParsedParameters {
  readonly values: ParameterValues;
  readonly errors: readonly ValidationError[];
}

/** Reads one location, adding what it finds wrong to `errors`. */
type LocationReader = (raw: RawParameters, errors: ValidationError[]) => Record<string, unknown>;

const none = Object.freeze(emptyRecord<unknown>());

/** A field of a location whose values are texts under keys. */
const textField = (key: string, parameter: Parameter, shapeOf: ShapeOf): Field<Texts> => {
  const shape = shapeOf(parameter.schema);
  const readText = textParameterReader(parameter, shape);
  const read = (texts: Texts): unknown => {
    const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
    if (text === undefined) return undefined;
    if (typeof text === 'string') return readText(text);
    if (kindOf(shape) === 'list') return readText(text.join(','));
    throw new MalformedText('must not be given more than once');
  };
  return fieldOf(parameter, shape, read);
};

const encoded = { decode: (text: string) => text };

const cookiesOf = ({ headers: { cookie } }: RawParameters): Texts =>
  parseCookie(typeof cookie === 'string' ? cookie : '', encoded);

const textLocation =
  (textsOf: (raw: RawParameters) => Texts, keyOf = ({ name }: Parameter) => name) =>
  (parameters: readonly Parameter[], shapeOf: ShapeOf): LocationReader => {
    const fields = parameters.map((parameter) => textField(keyOf(parameter), parameter, shapeOf));
    return (raw, errors) => readFields(fields, textsOf(raw), errors);
  };

const queryLocation = (parameters: readonly Parameter[], shapeOf: ShapeOf): LocationReader => {
  const fields = queryFields(parameters, shapeOf);
  return (raw, errors) => {
    try {
      const values = readFields(fields, parseQueryString(raw.query), errors);
      // Undeclared parameters are not read, yet the query as a whole has to be one.
      if (errors.length === 0 && !isWellEncoded(raw.query)) {
        throw new MalformedText('must be well-formed percent-encoded UTF-8');
      }
      return values;
    } catch (error) {
      errors.push(errorFrom('query', '', error));
      return none;
    }
  };
};

/**
 * Compiles an operation's parameters into the function that reads them from a request. Reading converts text by style and
 * shape and reports what only it can see: a parameter that is missing, given twice or malformed. Text that does not
 * convert stays text, for validation to refuse. Undeclared parameters are ignored.
 */
export const compileParameters = (
  parameters: readonly Parameter[],
  shapeOf: ShapeOf,
): ((raw: RawParameters) => ParsedParameters) => {
  const locationReader = (location: ParameterLocation, compile: typeof queryLocation) => {
    const own = parameters.filter((parameter) => parameter.in === location);
    return own.length === 0 ? () => none : compile(own, shapeOf);
  };
  const path = locationReader(
    'path',
    textLocation((raw) => raw.path),
  );
  const query = locationReader('query', queryLocation);
  const lowerCase = ({ name }: Parameter) => name.toLowerCase();
  const header = locationReader(
    'header',
    textLocation((raw) => raw.headers, lowerCase),
  );
  const cookie = locationReader('cookie', textLocation(cookiesOf));
  if (parameters.length === 0) {
    const nothing = { values: { path: none, query: none, header: none, cookie: none }, errors: [] };
    return () => nothing;
  }
  return (raw) => {
    const errors: ValidationError[] = [];
    const values = {
      path: path(raw, errors),
      query: query(raw, errors),
      header: header(raw, errors),
      cookie: cookie(raw, errors),
    };
    return { values, errors };
  };
};

/**
 * Gives the typed values. Throws an HttpError `invalid-parameter` that lists every error.
 * @param fuel the steps that reading and checking them may take
 */
export type ReadParameters = (raw: RawParameters, fuel: Fuel) => ParameterValues;

/** Compiles the check of one parameter's value; an absent one has no errors. */
const valueCheck = (
  { name, in: location, schema }: Parameter,
  validators: Validators,
): ((values: ParameterValues) => readonly ValidationError[]) => {
  const validate = validators.validatorOf(schema, 'request');
  return (values) => {
    const value = values[location][name];
    if (value === undefined) return [];
    return validate(value).map(({ path, message }) => ({
      in: location,
      path: name + path,
      message,
    }));
  };
};

/** Compiles an operation's parameters; each validator is compiled at its first use. */
export const compileParameterCheck = (
  operation: Operation,
  shapeOf: ShapeOf,
  validators: Validators,
): ReadParameters => {
  const read = compileParameters(operation.parameters, shapeOf);
  const checks = operation.parameters.map((parameter) => valueCheck(parameter, validators));
  const readAll = (raw: RawParameters): ParsedParameters => {
    const { values, errors } = read(raw);
    return errors.length > 0
      ? { values, errors }
      : { values, errors: checks.flatMap((check) => check(values)) };
  };
  return (raw, fuel) => {
    const { values, errors: all } = drawFrom(fuel, () => readAll(raw));
    if (all.length > 0) {
      throw new HttpError(400, 'invalid-parameter', 'A parameter does not fit its schema', {
        errors: all,
      });
    }
    return values;
  };
};
