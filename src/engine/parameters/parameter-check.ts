/** Reads an operation's parameters and holds each against its schema. */

import type { Operation, Parameter } from '../document/model/operation';
import { HttpError, type ValidationError } from '../http/http-error';
import type { ShapeOf } from '../schema/shape';
import type { Validators } from '../schema/validation/compile-validators';
import { compileParameters, type ParameterValues, type RawParameters } from './compile-parameters';

/** Gives the typed values. Throws an HttpError `invalid-parameter` that lists every fault. */
export type ReadParameters = (raw: RawParameters) => ParameterValues;

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
  return (raw) => {
    const { values, errors } = read(raw);
    const all = errors.length > 0 ? errors : checks.flatMap((check) => check(values));
    if (all.length > 0) {
      throw new HttpError(400, 'invalid-parameter', 'A parameter does not fit its schema', {
        errors: all,
      });
    }
    return values;
  };
};
