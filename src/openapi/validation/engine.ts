/** An Ajv instance that is handed translated schemas as they are needed and compiles each at its first use. */

import { Ajv, type ValidateFunction } from 'ajv';
import type { Fuel } from './fuel';
import type { JsonSchema } from './json-schema';
import { keywords } from './keywords';

/** A translated schema under its id. */
export interface NamedSchema {
  readonly id: string;
  readonly jsonSchema: JsonSchema;
}

/** Compiles the first of the schemas; the others are those that it refers to, however far. */
export type Engine = (root: NamedSchema, referred: Iterable<NamedSchema>) => ValidateFunction;

/**
 * A new engine.
 * @param thorough whether to go on after the first fault; takes memory in proportion to the faults
 */
export const makeEngine = (fuel: Fuel, thorough: boolean): Engine => {
  const ajv = new Ajv({
    allErrors: thorough,
    keywords: [...keywords(fuel, thorough)],
    logger: false,
    messages: false,
    meta: false,
    // A property named `constructor` is there only if the value has it.
    ownProperties: true,
    strict: false,
    validateSchema: false,
  });
  const known = new Set<string>();
  const add = ({ id, jsonSchema }: NamedSchema): void => {
    if (known.has(id)) return;
    known.add(id);
    ajv.addSchema(jsonSchema, id);
  };
  return (root, referred) => {
    add(root);
    for (const schema of referred) add(schema);
    const validate = ajv.getSchema(root.id);
    if (validate === undefined) throw new Error(`The schema ${root.id} is not compiled.`);
    return validate;
  };
};
