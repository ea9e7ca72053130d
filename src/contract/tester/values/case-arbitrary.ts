/** Arbitrary requests for an operation: valid ones, and such that have one place replaced. */

import fc from 'fast-check';
import { concreteMediaType } from '../../../base/media-type';
import { isPlainObject } from '../../../base/plain-object';
import { itemsOf, type SchemaContext } from '../../../engine';
import {
  type MediaType,
  type Operation,
  type Parameter,
  type ParameterLocation,
  parameterLocations,
  valuesOf,
} from '../../../model/operation';
import { anySchema, schemaOf } from '../../../model/schema';
import { valueSchema } from '../../../requests/item-contents';
import type { CaseParameters, RequestCase } from '../../../requests/request-case';
import { planOf, type SamplePlan, typedValue } from '../../../schema/samples/sample-plan';
import { keepFitting } from './texts';
import { absent, type Maybe, type Replacement, type ValueOptions, valueArbitrary } from './values';

/** A place of a request. */
export interface FieldReplacement extends Replacement {
  readonly in: ParameterLocation | 'body';
  /** The parameter's name; empty for the body. */
  readonly name: string;
}

/** The kind of requests that are made. */
export interface CaseOptions {
  readonly tools: SchemaContext;
  /** Undefined: no body. */
  readonly content: MediaType | undefined;
  /** The presence of optional values; parameters are never always present. */
  readonly optional: ValueOptions['optional'];
  /** True to take the document's examples where it has some. */
  readonly examples: boolean;
  readonly replacement?: FieldReplacement | undefined;
}

/** The plan of a parameter's values. */
export const parameterPlan = ({ schema }: Parameter): SamplePlan => planOf([schema]);

/** Gives the options by which values of a body are made and broken. */
export const bodyOptions = (
  tools: SchemaContext,
  optional: ValueOptions['optional'] = false,
): ValueOptions => ({ tools, alphabet: 'any', optional, depth: 3 });

/** Gives the options by which the values of a parameter are made and broken. */
export const parameterOptions = (
  { in: location, schema }: Parameter,
  tools: SchemaContext,
  optional?: ValueOptions['optional'],
): ValueOptions => {
  // Several values in one text, and headers, leave no room for special characters.
  const isPlain =
    ['header', 'cookie'].includes(location) ||
    ['array', 'object'].includes(tools.shapeOf(schema).type);
  return { ...bodyOptions(tools, optional), alphabet: isPlain ? 'plain' : 'any' };
};

const exampleOf = (
  schema: MediaType['schema'],
  examples: MediaType['examples'] = [],
  { shapeOf }: SchemaContext,
): unknown => {
  const [given] = valuesOf(examples);
  if (schema === undefined) return given;
  const plan = planOf([schema]);
  const value = given ?? plan.parts.flatMap((part) => part.examples)[0];
  return value === undefined ? undefined : typedValue(schema, shapeOf)(value);
};

const replacementFor = ({ in: location, name }: Parameter, { replacement }: CaseOptions) =>
  replacement?.in === location && replacement.name === name ? replacement : undefined;

/** An ETag that no server gives. */
export const unknownTag = '"contract-test"';

/** Tells whether the values of a parameter are entity tags (RFC 9110 section 13.1), whatever text its schema allows. */
export const hasTags = (field: Pick<Parameter, 'name'> & { readonly in: string }): boolean =>
  field.in === 'header' && /^if-(?:none-)?match$/i.test(field.name);

const madeValue = (parameter: Parameter, options: CaseOptions) => {
  const replacement = replacementFor(parameter, options);
  const accepts = options.tools.validators.accepts(parameter.schema, 'request');
  if (replacement === undefined && hasTags(parameter) && accepts(unknownTag)) {
    return fc.constant(unknownTag);
  }
  return valueArbitrary(parameterPlan(parameter), {
    ...parameterOptions(parameter, options.tools, options.optional),
    replacement,
  });
};

/** Nothing, null and an empty list have no text of their own. */
const isWritable = (value: unknown): boolean => {
  if (value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isPlainObject(value) || Object.keys(value).length > 0;
};

/** Slashes of a segment are decoded too early by many programs; no text, no segment. */
const asSegment = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(/[/\\]/g, '-') || 'x' : value;

const parameterArbitrary = (parameter: Parameter, options: CaseOptions): Maybe => {
  const { examples, optional, tools } = options;
  if (replacementFor(parameter, options) !== undefined) return madeValue(parameter, options);
  const example = examples ? exampleOf(parameter.schema, parameter.examples, tools) : undefined;
  if (example !== undefined) return fc.constant(example);
  if (!parameter.required && !optional) return fc.constant(absent);
  // One that is all optional must have something after all.
  const written = [options, { ...options, optional: true }]
    .flatMap((one) => madeValue(parameter, one) ?? [])
    .map((values) => (parameter.in === 'path' ? values.map(asSegment) : values))
    .map((values) => keepFitting(values, isWritable))
    .find((values) => values !== undefined);
  if (parameter.required) return written;
  return written === undefined ? fc.constant(absent) : fc.option(written, { nil: absent });
};

/** The plan of a body; what `x-identifier` names is required. */
export const bodyPlan = ({ requestBody }: Operation, content: MediaType): SamplePlan => {
  const schema = valueSchema(content) ?? anySchema;
  return planOf(
    requestBody?.identifier === undefined
      ? [schema]
      : [schema, schemaOf({ types: ['object'], required: [requestBody.identifier] })],
  );
};

const bodyArbitrary = (operation: Operation, options: CaseOptions) => {
  const { content, replacement, tools, examples, optional } = options;
  if (content === undefined) return fc.constant(undefined);
  // Of items each example is a list, and texts are left out.
  const shown =
    itemsOf(content) === undefined
      ? content.examples
      : content.examples
          .filter(
            ({ value, isData }) => isData || (value !== undefined && typeof value !== 'string'),
          )
          .map((one) => ({ ...one, value: [one.value].flat() }));
  const example = examples ? exampleOf(valueSchema(content), shown, tools) : undefined;
  const made = valueArbitrary(bodyPlan(operation, content), {
    ...bodyOptions(tools, optional),
    replacement: replacement?.in === 'body' ? replacement : undefined,
  });
  const value = example === undefined ? made : withExample(example, made, replacement);
  const mediaType = concreteMediaType(content.key);
  return value?.map((one) => ({ content, mediaType, value: one }));
};

/** The example; of a replaced value the property that is replaced. */
const withExample = (example: unknown, made: Maybe, replacement: FieldReplacement | undefined) => {
  if (replacement?.in !== 'body') return fc.constant(example);
  const [name] = replacement.path;
  return made?.map((value) => {
    if (name === undefined || !isPlainObject(value) || !isPlainObject(example)) return value;
    const { [name]: _, ...rest } = example;
    return Object.hasOwn(value, name) ? { ...rest, [name]: value[name] } : rest;
  });
};

/** Requests of an operation; undefined where its schemas give no values. */
export const caseArbitrary = (
  operation: Operation,
  options: CaseOptions,
): fc.Arbitrary<RequestCase> | undefined => {
  const { parameters } = operation;
  const bodies = bodyArbitrary(operation, options);
  const values = parameters.flatMap((parameter) => parameterArbitrary(parameter, options) ?? []);
  if (bodies === undefined || values.length < parameters.length) return undefined;
  return fc.tuple(bodies, fc.tuple(...values)).map(([body, all]) => {
    const given = parameters
      .map(({ in: location, name }, index) => ({ location, name, value: all[index] }))
      .filter(({ value }) => value !== absent);
    const records = parameterLocations.map((one) => {
      const inOne = given.filter(({ location }) => location === one);
      return [one, Object.fromEntries(inOne.map(({ name, value }) => [name, value]))] as const;
    });
    return { operation, body, parameters: Object.fromEntries(records) as CaseParameters };
  });
};
