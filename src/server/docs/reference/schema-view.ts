/** A schema for readers: what it is, what it asks, and its properties. */

import type { OpenAPIV3 } from 'openapi-types';
import type { References } from '../../../engine';
import { type Html, html, type Part } from '../../html/html';
import { markdown } from '../page/markdown';
import { exampleWords, limitsOf } from './schema-limits';
import { componentOf, type Schema, typeOf } from './schema-type';

/** Levels of nameless objects that are written out. */
const deepest = 5;

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
  if (schema === undefined || depth > deepest) return undefined;
  const own = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    propertyEntry(name, property, schema.required?.includes(name) === true, references, depth),
  );
  const branches = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const parts = branches.flatMap((branch) => propertiesOf(branch, references, depth + 1) ?? []);
  if (own.length === 0 && parts.length === 0) return undefined;
  return html`${own.length > 0 && html`<dl class="entries">${own}</dl>`}${parts}`;
};
