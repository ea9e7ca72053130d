/** The identities and items that bodies of answers hold. */

import { isNumeric } from '../../../base/exact-number';
import { isPlainObject } from '../../../base/plain-object';
import { identityName } from '../../../document/resources/item-paths';

const isScalar = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || isNumeric(value);

/**
 * The value in a body that names the resource; undefined where it is missing.
 * @param names the properties that the document declares; where it declares none those of the body
 */
export const identityIn = (
  parameter: string,
  body: unknown,
  names: Iterable<string> = [],
): unknown => {
  if (!isPlainObject(body)) return undefined;
  const declared = [...names];
  const known = declared.length > 0 ? declared : Object.keys(body);
  const name = identityName(parameter, known) ?? (known.includes('id') ? 'id' : undefined);
  return name !== undefined && isScalar(body[name]) ? body[name] : undefined;
};

/** The items of a list, or of the only list in an object. */
export const itemsOf = (body: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(body)) return body;
  if (!isPlainObject(body)) return undefined;
  const [list, ...others] = Object.values(body).filter((value) => Array.isArray(value));
  return others.length === 0 ? list : undefined;
};
