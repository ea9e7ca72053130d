/** An Ajv instance that is handed translated schemas as they are needed and compiles each at its first use. */

import { Ajv, type ValidateFunction } from 'ajv';
import { memoize } from '../../lang/memoize';
import type { Fuel } from './fuel';
import type { JsonSchema } from './json-schema';
import { keywords, lazyValidator } from './keywords';

/** A translated schema under its id. */
export interface NamedSchema {
  readonly id: string;
  readonly jsonSchema: JsonSchema;
}

/** Compiles the first of the schemas; the others, those that it refers to, however far, follow as values reach them. */
type AjvInstance = (root: NamedSchema, referred: Iterable<NamedSchema>) => ValidateFunction;

/**
 * A new engine.
 * @param thorough whether to go on after the first fault; takes memory in proportion to the faults
 */
export const createAjv = (fuel: Fuel, thorough: boolean): AjvInstance => {
  const lazyOf = memoize((id: string) => lazyValidator(() => compiled(id)), {
    max: Number.POSITIVE_INFINITY,
  });
  const ajv = new Ajv({
    allErrors: thorough,
    keywords: [...keywords(fuel, thorough, lazyOf)],
    logger: false,
    messages: false,
    meta: false,
    // A property named `constructor` is there only if the value has it.
    ownProperties: true,
    strict: false,
    validateSchema: false,
  });
  const compiled = (id: string): ValidateFunction => {
    const validate = ajv.getSchema(id);
    if (validate === undefined) throw new Error(`The schema ${id} is not known.`);
    return validate;
  };
  const known = new Set<string>();
  const add = ({ id, jsonSchema }: NamedSchema): void => {
    if (known.has(id)) return;
    known.add(id);
    ajv.addSchema(jsonSchema, id);
  };
  return (root, referred) => {
    add(root);
    for (const schema of referred) add(schema);
    return compiled(root.id);
  };
};
