/** All rules of one schema that concern the value itself, in the order in which they are reported. */

import { readText, type SchemaFields } from '../schema-fields';
import type { Check } from './checks/check';
import { equalityChecks } from './checks/equality-checks';
import { formats } from './checks/formats';
import { lengthChecks } from './checks/length-checks';
import { numberChecks } from './checks/number-checks';
import { patternCheck } from './checks/pattern-check';
import { type Representation, typeCheck } from './checks/type-check';

/**
 * The checks of a schema, without those of its subschemas. Throws InvalidSchema where a keyword is ill-typed.
 * @param inherited what an enclosing schema or an allOf sibling says of the value's representation
 */
export const checksOf = (schema: SchemaFields, inherited?: Representation): readonly Check[] =>
  [
    typeCheck(schema, inherited),
    ...equalityChecks(schema),
    ...numberChecks(schema),
    ...lengthChecks(schema),
    formats.get(readText(schema, 'format') ?? ''),
    patternCheck(schema),
  ].filter((check) => check !== undefined);
