/** What a schema is, in a few words; what it refers to is linked. */

import type { OpenAPIV3 } from 'openapi-types';
import type { References } from '../../../engine';
import { type Html, html, type Part } from '../../html/html';
import { schemaAnchor } from './anchors';

export type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject;

/** References to anything but components are followed this far. */
const deepest = 8;

const component = /^#\/components\/schemas\/([^/]+)$/;

/** The component that a schema is a reference to. */
export const componentOf = (schema: Schema): string | undefined => {
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
