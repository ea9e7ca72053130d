/** Validators over a document that consists of nothing but component schemas. */

import { parse } from 'yaml';
import { fragmentOf, pointerOf } from '../../../../src/base/json-pointer';
import { openApi30 } from '../../../../src/document/versions/schema-keywords';
import type { Schema } from '../../../../src/model/schema';
import {
  compileValidators,
  type Validators,
} from '../../../../src/schema/validation/compile-validators';
import { schemasOf } from '../../../support/schemas';
import { writtenOut } from '../../../support/text-cases';

type GivenValidators = {
  readonly [Name in keyof Pick<Validators, 'validatorOf' | 'accepts'>]: (
    schema: object,
    ...rest: Parameters<Validators[Name]> extends [Schema, ...infer Rest] ? Rest : never
  ) => ReturnType<Validators[Name]>;
};

/** Validators of Schema Objects whose references lead to these components. */
export const validatorsOf = (
  components: Readonly<Record<string, object>> = {},
  dialect = openApi30,
): GivenValidators => {
  const validators = compileValidators();
  const read = schemasOf(components, dialect);
  return {
    validatorOf: (schema, ...rest) => validators.validatorOf(read(schema), ...rest),
    accepts: (schema, ...rest) => validators.accepts(read(schema), ...rest),
  };
};

const reference = (component: string): string =>
  `#${fragmentOf(pointerOf(['components', 'schemas', component]))}`;

/** A reference to a component. */
export const refTo = (component: string): object => ({ $ref: reference(component) });

/** Reads a schema in YAML. */
export const readSchema = (text: string): object => parse(writtenOut(text));
