/** What a schema asks of a value beyond its type, a few words each (OAS 3.0.3, Schema Object). */

import type { OpenAPIV3 } from 'openapi-types';
import { writeJson } from '../../../engine';
import { type Html, html } from '../../html/html';

const shown = (value: unknown): Html =>
  html`<code>${typeof value === 'string' ? value : writeJson(value)}</code>`;

const listed = (values: readonly unknown[]): readonly Html[] =>
  values.map((value, index) => html`${index > 0 && ', '}${shown(value)}`);

type Limit = readonly [value: unknown, words: (value: unknown) => Html];

const bounds = (schema: OpenAPIV3.SchemaObject): readonly Limit[] => [
  [
    schema.minimum,
    (value) => html`${schema.exclusiveMinimum ? 'more than' : 'at least'} ${shown(value)}`,
  ],
  [
    schema.maximum,
    (value) => html`${schema.exclusiveMaximum ? 'less than' : 'at most'} ${shown(value)}`,
  ],
  [schema.multipleOf, (value) => html`a multiple of ${shown(value)}`],
  [schema.minLength, (value) => html`at least ${shown(value)} characters`],
  [schema.maxLength, (value) => html`at most ${shown(value)} characters`],
  [schema.pattern, (value) => html`matches ${shown(value)}`],
  [schema.minItems, (value) => html`at least ${shown(value)} items`],
  [schema.maxItems, (value) => html`at most ${shown(value)} items`],
  [schema.uniqueItems || undefined, () => html`no item twice`],
  [schema.minProperties, (value) => html`at least ${shown(value)} properties`],
  [schema.maxProperties, (value) => html`at most ${shown(value)} properties`],
];

const branchWords = (schema: OpenAPIV3.SchemaObject): readonly Html[] => {
  const branches = schema.anyOf ?? schema.oneOf;
  if (schema.type === undefined || branches === undefined) return [];
  const words = branches.flatMap((branch) => ('$ref' in branch ? [] : limitsOf(branch)));
  return words.length === 0
    ? []
    : [html`${words.map((word, index) => [index > 0 && ' or ', word])}`];
};

/** The words, one entry a limit. */
export const limitsOf = (schema: OpenAPIV3.SchemaObject): readonly Html[] => {
  const limits: readonly Limit[] = [
    [schema.enum, (values) => html`one of ${listed(Array.isArray(values) ? values : [])}`],
    [schema.default, (value) => html`${shown(value)} unless given`],
    ...bounds(schema),
    [schema.readOnly || undefined, () => html`only in responses`],
    [schema.writeOnly || undefined, () => html`only in requests`],
    [schema.deprecated || undefined, () => html`deprecated`],
  ];
  const given = limits.flatMap(([value, words]) => (value === undefined ? [] : [words(value)]));
  return [...given, ...branchWords(schema)];
};

/** The example of a schema that is no object, in a few words. */
export const exampleWords = ({ example }: OpenAPIV3.SchemaObject): readonly Html[] =>
  example === undefined || typeof example === 'object' ? [] : [html`for example ${shown(example)}`];
