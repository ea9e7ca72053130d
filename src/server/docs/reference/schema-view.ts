/** A schema for readers: what it is, what it asks, and its properties. */

import type { OpenAPIV3 } from 'openapi-types';
import { type References, writeJson } from '../../../engine';
import { type Html, html, type Part } from '../../html/html';
import { markdown } from '../page/markdown';
import { schemaAnchor } from './reference';

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject;

/** References to anything but components are followed this far. */
const deepest = 8;

const component = /^#\/components\/schemas\/([^/]+)$/;

/** The component that a schema is a reference to. */
const componentOf = (schema: Schema): string | undefined => {
  const name = '$ref' in schema ? component.exec(schema.$ref)?.[1] : undefined;
  return name?.replaceAll('~1', '/').replaceAll('~0', '~');
};

const joined = (parts: readonly Part[], word: string): Part =>
  parts.map((part, index) => (index === 0 ? part : [` ${word} `, part]));

const objectType = (
  { properties, additionalProperties }: OpenAPIV3.SchemaObject,
  references: References,
  depth: number,
): Part =>
  properties === undefined && typeof additionalProperties === 'object'
    ? ['map of ', typeOf(additionalProperties, references, depth + 1)]
    : 'object';

const plainType = (schema: OpenAPIV3.SchemaObject, references: References, depth: number): Part => {
  const list = (members: readonly Schema[], word: string): Part =>
    joined(
      members.map((member) => typeOf(member, references, depth + 1)),
      word,
    );
  if (schema.type === 'array') return ['list of ', typeOf(schema.items, references, depth + 1)];
  if (schema.type === 'object' || schema.properties !== undefined) {
    return objectType(schema, references, depth);
  }
  if (schema.type !== undefined) {
    return schema.format === undefined ? schema.type : `${schema.type} (${schema.format})`;
  }
  if (schema.allOf !== undefined) return list(schema.allOf, 'and');
  if (schema.oneOf !== undefined) return list(schema.oneOf, 'or');
  return schema.anyOf === undefined ? 'any value' : list(schema.anyOf, 'and/or');
};

/** The words. */
export const typeOf = (target: Schema, references: References, depth = 0): Html => {
  const schema = references.find<OpenAPIV3.SchemaObject>(target);
  const name = componentOf(target);
  if (schema === undefined) return html`unknown`;
  if (name !== undefined) return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
  if (depth > deepest) return html`…`;
  const type = plainType(schema, references, depth);
  return html`${type}${schema.nullable === true && ' or null'}`;
};

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
const limitsOf = (schema: OpenAPIV3.SchemaObject): readonly Html[] => {
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
const exampleWords = ({ example }: OpenAPIV3.SchemaObject): readonly Html[] =>
  example === undefined || typeof example === 'object' ? [] : [html`for example ${shown(example)}`];

/** Levels of nameless objects that are written out. */
const deepestObject = 5;

/** One entry of a list of names, such as a property or a parameter. */
export const entry = (name: Html, facts: readonly Html[], text: readonly Part[]): Html =>
  html`<div><dt>${name}${facts.map((fact) => html` <span class="fact">${fact}</span>`)}</dt><dd>${text}</dd></div>`;

/** Limits as one sentence. */
export const limitLine = (schema: OpenAPIV3.SchemaObject): Html | undefined => {
  const words = [...limitsOf(schema), ...exampleWords(schema)];
  if (words.length === 0) return undefined;
  return html`<p class="limits">${words.map((word, index) => [index > 0 && '; ', word])}</p>`;
};

const propertyEntry = (
  name: string,
  property: Schema,
  isRequired: boolean,
  references: References,
  depth: number,
): Html => {
  const schema = references.find<OpenAPIV3.SchemaObject>(property) ?? {};
  const isNamed = componentOf(property) !== undefined;
  return entry(
    html`<code>${name}</code>`,
    [typeOf(property, references), ...(isRequired ? [html`<strong>required</strong>`] : [])],
    isNamed
      ? []
      : [
          markdown(schema.description, 6),
          limitLine(schema),
          propertiesOf(property, references, depth + 1),
        ],
  );
};

/** The schema whose properties a reader wants to see: that of the items where a list is nameless. */
const objectIn = (target: Schema, references: References): OpenAPIV3.SchemaObject | undefined => {
  if (componentOf(target) !== undefined) return undefined;
  const schema = references.find<OpenAPIV3.SchemaObject>(target);
  if (schema?.type === 'array') return objectIn(schema.items, references);
  const { additionalProperties, properties } = schema ?? {};
  return properties === undefined && typeof additionalProperties === 'object'
    ? objectIn(additionalProperties, references)
    : schema;
};

/** The properties of an object without a name of its own; those with one have a section. */
export const propertiesOf = (
  target: Schema,
  references: References,
  depth = 0,
): Html | undefined => {
  const schema = objectIn(target, references);
  if (schema === undefined || depth > deepestObject) return undefined;
  const own = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    propertyEntry(name, property, schema.required?.includes(name) === true, references, depth),
  );
  const branches = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const parts = branches.flatMap((branch) => propertiesOf(branch, references, depth + 1) ?? []);
  if (own.length === 0 && parts.length === 0) return undefined;
  return html`${own.length > 0 && html`<dl class="entries">${own}</dl>`}${parts}`;
};
