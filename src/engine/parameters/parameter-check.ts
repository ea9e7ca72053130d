/** Reads an operation's parameters and holds each against its schema. */

import type { Operation, Parameter } from '../document/model/operation';
import { HttpError, type ValidationError } from '../http/http-error';
import type { ShapeOf } from '../schema/shape';
import type { Validate, Validators } from '../schema/validation/compile-validators';
import { compileParameters, type ParameterValues, type RawParameters } from './compile-parameters';

/** Gives the typed values. Throws an HttpError `invalid-parameter` that lists every fault. */
export type ReadParameters = (raw: RawParameters) => ParameterValues;

const none: readonly ValidationError[] = [];

/** The faults of one parameter's value; none where it is absent. */
const parameterFaults = (
  parameter: Parameter,
  values: ParameterValues,
  validate: Validate,
): readonly ValidationError[] => {
  const value = values[parameter.in][parameter.name];
  if (value === undefined) return none;
  const found = validate(value);
  return found.length === 0
    ? none
    : found.map(({ path, message }) => ({
        in: parameter.in,
        path: parameter.name + path,
        message,
      }));
};

/** Compiles an operation's parameters; each validator comes to be at its first use. */
export const compileParameterCheck = (
  operation: Operation,
  shapeOf: ShapeOf,
  validators: Validators,
): ReadParameters => {
  const read = compileParameters(operation.parameters, shapeOf);
  const checks = operation.parameters.map((parameter) => {
    let validate: Validate | undefined;
    return (values: ParameterValues): readonly ValidationError[] => {
      validate ??= validators.validatorOf(parameter.schema, 'request');
      return parameterFaults(parameter, values, validate);
    };
  });
  const faultsIn = (values: ParameterValues): readonly ValidationError[] => {
    let all: readonly ValidationError[] = none;
    for (const check of checks) {
      const found = check(values);
      if (found.length > 0) all = [...all, ...found];
    }
    return all;
  };
  return (raw) => {
    const { values, errors } = read(raw);
    const all = errors.length > 0 ? errors : faultsIn(values);
    if (all.length > 0) {
      throw new HttpError(400, 'invalid-parameter', 'A parameter does not fit its schema', {
        errors: all,
      });
    }
    return values;
  };
};
