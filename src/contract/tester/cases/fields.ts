/** The fields of an operation: its parameters and the top-level properties of its body. */

import fc from 'fast-check';
import type { MediaType, Operation, Parameter, SamplePlan, SchemaContext } from '../../../engine';
import {
  bodyPlan,
  type CaseOptions,
  type FieldReplacement,
  parameterOptions,
  parameterPlan,
} from '../requests/case-arbitrary';
import { undeclaredName } from '../values/facets';
import { type ValueOptions, absent } from '../values/lists';
import { keepFitting } from '../values/texts';
import { type WrongValue, wrongValues } from '../values/wrong-values';

/** A field's wrong values. */
export interface WrongField extends FieldReplacement {
  readonly broken: WrongValue['broken'];
}

const short = (tools: SchemaContext): CaseOptions => ({
  tools,
  content: undefined,
  optional: false,
  examples: false,
  depth: 3,
});

/** How values of a body are made and spoilt. */
export const bodyOptions = (tools: SchemaContext): ValueOptions => ({
  tools,
  alphabet: 'any',
  optional: false,
  depth: 3,
});

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/**
 * Keeps those that a server has to refuse. OAS 3.0.4, Style Values: a text is no deepObject at all, so that the parameter is absent,
 * and values inside its members are undefined.
 */
const definedIn = ({ style }: Parameter, field: WrongField): WrongField[] => {
  if (style !== 'deepObject') return [field];
  if (field.path.length > 1 || (field.path.length === 0 && field.broken === 'type')) return [];
  if (field.path.length === 0) return [field];
  const value = keepFitting(field.value, isScalar);
  return value === undefined ? [] : [{ ...field, value }];
};

/** Wrong values of each parameter. */
export const wrongParameters = ({ parameters }: Operation, tools: SchemaContext): WrongField[] =>
  parameters.flatMap((parameter): WrongField[] => {
    const { in: location, name, required, schema } = parameter;
    const options = parameterOptions(parameter, tools.shapeOf(schema).type, short(tools));
    const wrong = wrongValues(parameterPlan(parameter, tools), options);
    const missing: WrongField[] =
      required && location !== 'path'
        ? [{ in: location, name, path: [], broken: 'required', value: fc.constant(absent) }]
        : [];
    // In a parameter null is a text like others.
    const said = wrong.filter(({ broken }) => broken !== 'nullable');
    return [
      ...missing,
      ...said.flatMap((one) => definedIn(parameter, { ...one, in: location, name })),
    ];
  });

/** Wrong values at each place of a body. */
export const wrongBodies = (
  operation: Operation,
  content: MediaType,
  tools: SchemaContext,
): WrongField[] => {
  const plan: SamplePlan = bodyPlan(operation, content, tools);
  return wrongValues(plan, bodyOptions(tools)).map((one) => ({ ...one, in: 'body', name: '' }));
};

/** What coverage calls the field: what is wrong with a list, or with an object as a whole, is wrong with the body. */
export const fieldOf = ({ in: location, name, path: [step = ''] }: FieldReplacement) => {
  if (location !== 'body') return { in: location, name };
  return { in: location, name: step === '*' || step === undeclaredName ? '' : step };
};

const placeOf = ({ in: location, name, path }: FieldReplacement): string => {
  const steps = path.map((step) => `/${step}`).join('');
  return location === 'body' ? `body${steps}` : `${location} parameter "${name}"${steps}`;
};

const brokenWords: Readonly<Record<WrongField['broken'], string>> = {
  type: 'of another type',
  format: 'against its format',
  nullable: 'null',
  enum: 'none of the listed values',
  minimum: 'below its minimum',
  maximum: 'above its maximum',
  multipleOf: 'no multiple of its step',
  minLength: 'too short',
  maxLength: 'too long',
  pattern: 'against its pattern',
  minItems: 'with too few items',
  maxItems: 'with too many items',
  uniqueItems: 'with an item twice',
  required: 'missing',
  additionalProperties: 'though no such property is allowed',
  minProperties: 'with too few properties',
  maxProperties: 'with too many properties',
};

/** `body/price below its minimum`. */
export const describeWrong = (field: WrongField): string =>
  `${placeOf(field)} ${brokenWords[field.broken]}`;
