/** Holds the values of a response to their schemas, where responses are checked at all. */

import type { Schema, ShapeOf } from '../schema/shape';
import type { Validators } from '../schema/validation/compile-validators';

/** What responses are compiled from. */
export interface ResponseContext {
  readonly shapeOf: ShapeOf;
  readonly validators: Validators;
  /** Whether each response is checked before it is sent. */
  readonly validateResponses: boolean;
}

/** Throws where a value is not what its schema says; the index is given for an item of a list that is checked by itself. */
export type Check = (value: unknown, index?: number) => void;

/** Checks a value of the response, if responses are checked at all. */
export const compileCheck = (
  what: string,
  schema: Schema | undefined,
  tools: ResponseContext,
): Check => {
  if (!tools.validateResponses || schema === undefined) return () => undefined;
  const validate = tools.validators.validatorOf(schema, 'response');
  return (value, index) => {
    const [fault] = validate(value);
    if (fault === undefined) return;
    const path = index === undefined ? fault.path : `/${index}${fault.path}`;
    throw new Error(`The response's ${what}${path} ${fault.message}`);
  };
};
