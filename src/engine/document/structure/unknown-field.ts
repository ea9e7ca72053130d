/** Says what is wrong with a field that the specification does not know at its place. */

import { nearestName } from '../../lang/nearest-name';
import type { ObjectName } from './field-type';
import { objectTypes } from './object-types';

const isKnown = (name: ObjectName, key: string): boolean =>
  Object.hasOwn(objectTypes[name].fields, key) ||
  key.startsWith('x-') ||
  objectTypes[name].members !== undefined ||
  (objectTypes[name].referable && key === '$ref');

/** What to do about it. */
const advice = (name: ObjectName, key: string): string => {
  const meant = nearestName(key, Object.keys(objectTypes[name].fields));
  if (meant !== undefined) return `Write \`${meant}\`, if that is meant.`;
  const isOfSchema = Object.hasOwn(objectTypes.Schema.fields, key);
  return isOfSchema && (name === 'Parameter' || name === 'Header')
    ? 'Move it into `schema`.'
    : 'Remove it, or begin its name with `x-`.';
};

/** A sentence about a key of an object; undefined where it is a field or an extension. */
export const unknownField = (name: ObjectName, key: string): string | undefined =>
  isKnown(name, key)
    ? undefined
    : `OpenAPI 3.0 knows no field \`${key}\` of this ${objectTypes[name].title}, and it is ignored. ${advice(name, key)}`;
