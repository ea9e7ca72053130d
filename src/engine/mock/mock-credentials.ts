/** Values that could be taken for a credential, and how mocks mark them. specs/README.md has the rule for users. */

import { isPlainObject } from '../../base/plain-object';
import type { Operation } from '../../model/operation';
import { anySchema } from '../../model/schema';
import type { Fits } from '../../schema/samples/sample-checks';
import type { Shape } from '../../schema/shape';
import type { SchemaContext } from '../media-types/schema-context';

const passwords = 'pass-?(?:word|wd|phrase|code)s?|pwd';
const credentials = `${passwords}|tokens?|secrets?|credentials?|api-?keys?|jwts?|session-?ids?|cookies?`;
const passwordName = new RegExp(`(?:${passwords})$`);
const credentialName = new RegExp(`(?:${credentials})$`);
const issuer = new RegExp(
  `(?:^|[^a-z])(?:(?:log|sign)-?(?:in|on|up)|auth(?:enticate|orize)?|sessions?|${credentials})(?:$|[^a-z])`,
);

/** Splits a name into words in lower case: `accessToken` and `Access-Token` become `access-token`. */
const inWords = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

const isPassword = (name: string, shape: Shape): boolean =>
  shape.format === 'password' || passwordName.test(inWords(name));

/** Tells an operation whose id or path names a sign-in or credentials, or that takes a password. */
export const issuesCredentials = (
  { operationId, path, parameters, requestBody }: Operation,
  { shapeOf }: SchemaContext,
): boolean =>
  [operationId, path].some((name) => issuer.test(inWords(name))) ||
  parameters.some(({ name, schema }) => isPassword(name, shapeOf(schema))) ||
  (requestBody?.content ?? []).some(({ schema = anySchema }) =>
    [...shapeOf(schema).properties].some(([name, shape]) => isPassword(name, shape)),
  );

/** A place of a message. */
export interface Place {
  /** Of the header or the property; undefined for the body itself. */
  readonly name: string | undefined;
  readonly shape: Shape | undefined;
  readonly fits: Fits;
}

/** Gives the place of a member or an item; an item has the name of its list. */
const placeIn = ({ name, shape }: Place, key: string, isItem: boolean, fits: Fits): Place => {
  if (isItem) return { name, shape: shape?.items, fits };
  const undeclared = typeof shape?.additional === 'object' ? shape.additional : undefined;
  return { name: key, shape: shape?.properties.get(key) ?? undeclared, fits };
};

const isCredential = (text: string, { name, shape }: Place, isIssued: boolean): boolean => {
  if (shape?.format === 'password') return true;
  return name === undefined ? isIssued && !/^\s*</.test(text) : credentialName.test(inWords(name));
};

const markText = (text: string, { name, fits }: Place): string | undefined => {
  const marks = [`mock ${text}`, `mock-${text}`, 'mock', undefined];
  const mark = marks.findIndex(fits);
  if (mark >= 0) return marks[mark];
  throw new Error(`its schema has no ${name ?? 'text'} that says that it is a mock's`);
};

/**
 * Marks texts that could be taken for a credential: those with `format: password` or below a name that ends as credentials
 * are called, and the body of an operation that issues them, unless it is markup. Says `mock` in the way that fits the
 * schema, or leaves the text out, as it does with `writeOnly` properties. Gives the value itself where nothing is marked.
 * @throws Error where the schema allows neither
 */
export const markCredentials = (value: unknown, place: Place, isIssued: boolean): unknown => {
  const { shape, fits } = place;
  if (shape?.writeOnly && fits(undefined)) return undefined;
  if (typeof value === 'string') {
    return isCredential(value, place, isIssued) ? markText(value, place) : value;
  }
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  let marked = value;
  for (const [key, member] of Object.entries(value)) {
    const replace = (one: unknown) =>
      Array.isArray(marked) ? marked.with(Number(key), one) : { ...marked, [key]: one };
    const inner = placeIn(place, key, Array.isArray(value), (one) => fits(replace(one)));
    const given = markCredentials(member, inner, isIssued);
    if (given !== member) marked = replace(given);
  }
  return marked;
};
