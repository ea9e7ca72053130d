/** Walks through everything in a document that has a meaning of its own, telling schemas and data apart. */

import { referenceOf } from './references';

/** An object of the document and its place. */
export interface DocumentObject {
  readonly value: object;
  readonly steps: readonly string[];
  readonly isSchema: boolean;
}

/** What a place holds: an object by its own keys, one by names of the author's choice, a schema, several, or data. */
export type Role = 'object' | 'names' | 'schema' | 'schemas' | 'data';

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

/** What stands directly below a value, data left out; below a `$ref` nothing does, for its siblings are ignored. */
export const membersOf = (value: object, role: Role): (readonly [string, object, Role])[] =>
  referenceOf(value) !== undefined
    ? []
    : Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
        const own = roleOf(role, key);
        const isPart = typeof item === 'object' && item !== null && own !== 'data';
        return isPart ? [[key, item, own] as const] : [];
      });

/** Every object outside of examples and defaults, outer ones first. */
export const documentObjects = (definition: object): DocumentObject[] => {
  const found: DocumentObject[] = [];
  const visit = (value: object, steps: readonly string[], role: Role): void => {
    found.push({ value, steps, isSchema: role === 'schema' });
    for (const [key, item, own] of membersOf(value, role)) visit(item, [...steps, key], own);
  };
  visit(definition, [], 'object');
  return found;
};
