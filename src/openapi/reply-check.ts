/** Holds the values of a reply to their schemas, where replies are checked at all. */

import type { Schema, ShapeOf } from '../codecs/shape';
import type { Validators } from './validation/compile-validators';

/** What responses are compiled from. */
export interface ResponseTools {
  readonly shapeOf: ShapeOf;
  readonly validators: Validators;
  /** Whether each answer is checked before it is sent. */
  readonly validateResponses: boolean;
}

/** Throws where a value of the reply is not what its schema says, if replies are checked at all. */
export const compileCheck = (
  what: string,
  schema: Schema | undefined,
  tools: ResponseTools,
): ((value: unknown) => void) => {
  if (!tools.validateResponses || schema === undefined) return () => undefined;
  const validate = tools.validators.validatorOf(schema, 'reply');
  return (value) => {
    const [fault] = validate(value);
    if (fault !== undefined) throw new Error(`The reply's ${what}${fault.path} ${fault.message}`);
  };
};
