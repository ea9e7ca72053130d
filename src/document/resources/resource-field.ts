/** The field `x-spec-first-resource`, by which a document says what paths and methods do not tell of a resource. */

import { isPlainObject } from '../../base/plain-object';

/** The roles that an operation may have for a resource. */
export const roles = ['list', 'create', 'read', 'replace', 'patch', 'delete'] as const;

/** A role of an operation: `replace` and `patch` change an item as PUT and PATCH do. */
export type Role = (typeof roles)[number];

/** The parts of the field; what is left out is inferred. */
export interface ResourceField {
  readonly name?: string;
  readonly role?: Role;
  /** The property that names an item. */
  readonly identity?: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isRole = (value: unknown): value is Role => roles.some((role) => role === value);

const advice = 'Write false, or an object with `name`, `role` and `identity`, or some of them.';

const members: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: isText,
  role: isRole,
  identity: isText,
};

/** Reads the field: what it says, false for an operation of no resource, or the error that it has, in sentences. */
export const readResourceField = (value: unknown): ResourceField | false | Error => {
  if (value === false || value === undefined) return value ?? {};
  if (!isPlainObject(value)) return new Error(`This is no description of a resource. ${advice}`);
  const other = Object.keys(value).find((key) => !Object.hasOwn(members, key));
  if (other !== undefined) return new Error(`A resource has no member \`${other}\`. ${advice}`);
  const wrong = Object.keys(value).find((key) => members[key]?.(value[key]) === false);
  if (wrong !== undefined) {
    const expected = wrong === 'role' ? `one of ${roles.join(', ')}` : 'a text';
    return new Error(`The \`${wrong}\` of the resource is wrong. Write ${expected}.`);
  }
  return value;
};
