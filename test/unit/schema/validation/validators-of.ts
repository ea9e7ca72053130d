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

/** The schemas that `*name` stands for in a schema that is text; a name with a capital is a component's. */
const shorthands: Readonly<Record<string, string>> = {
  string: '{type: string}',
  boolean: '{type: boolean}',
  null: "{type: 'null'}",
  number: '{type: number}',
  integer: '{type: integer}',
  int32: '{type: integer, format: int32}',
  int64: '{type: integer, format: int64}',
  readOnly: '{type: integer, format: int64, readOnly: true}',
  row: '{type: object, properties: {a: *integer, b: *string}}',
  rows: '{type: array, items: *row}',
  claws: '{type: object, required: [claws], properties: {claws: *int64}}',
  bark: '{type: object, required: [bark], properties: {bark: *int64}}',
  cat: '{type: object, required: [kind, lives], properties: {kind: {type: string, enum: [cat]}, lives: *integer}}',
  dog: '{type: object, required: [kind, name], properties: {kind: {type: string, enum: [dog]}, name: *string}}',
};

/** A schema in YAML without its shorthands. */
export const writtenOut = (text: string): string =>
  text.replaceAll(/\*(\w+)/g, (_, name: string) =>
    writtenOut(shorthands[name] ?? `{$ref: '${reference(name)}'}`),
  );

/** Reads a schema in YAML. */
export const readSchema = (text: string): object => parse(writtenOut(text));
