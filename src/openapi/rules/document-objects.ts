/** Walks through everything in a document that has a meaning of its own, telling schemas and data apart. */

import { referenceOf } from '../references';

/** An object of the document and its place. */
export interface DocumentObject {
  readonly value: object;
  readonly steps: readonly string[];
  readonly isSchema: boolean;
}

/** What a place holds: an object by its own keys, one by names of the author's choice, a schema, several, or data. */
type Role = 'object' | 'names' | 'schema' | 'schemas' | 'data';

// OAS 3.0.3: what stands under a fixed key, where it is not an ordinary object.
const roles: ReadonlyMap<string, Role> = new Map([
  ...['example', 'examples', 'default', 'enum', 'value'].map((key): [string, Role] => [
    key,
    'data',
  ]),
  ...['schema', 'items', 'additionalProperties', 'not'].map((key): [string, Role] => [
    key,
    'schema',
  ]),
  ...['schemas', 'properties', 'allOf', 'oneOf', 'anyOf'].map((key): [string, Role] => [
    key,
    'schemas',
  ]),
  ...[
    'paths',
    'responses',
    'parameters',
    'requestBodies',
    'headers',
    'securitySchemes',
    'links',
    'callbacks',
    'content',
    'encoding',
    'variables',
    'mapping',
  ].map((key): [string, Role] => [key, 'names']),
]);

const roleOf = (parent: Role, key: string): Role => {
  if (parent === 'schemas') return 'schema';
  return parent === 'names' ? 'object' : (roles.get(key) ?? 'object');
};

/** Every object outside of examples and defaults, outer ones first; nothing below a `$ref`, whose siblings are ignored. */
export const documentObjects = (definition: object): DocumentObject[] => {
  const found: DocumentObject[] = [];
  const visit = (value: unknown, steps: readonly string[], role: Role): void => {
    if (typeof value !== 'object' || value === null || role === 'data') return;
    found.push({ value, steps, isSchema: role === 'schema' });
    if (referenceOf(value) !== undefined) return;
    for (const [key, item] of Object.entries(value))
      visit(item, [...steps, key], roleOf(role, key));
  };
  visit(definition, [], 'object');
  return found;
};
