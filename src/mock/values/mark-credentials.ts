/** Values that could be taken for a credential, and how mocks mark them. specs/README.md has the rule for users. */

import { isPlainObject } from '../../base/plain-object';
import type { SchemaContext } from '../../engine';
import type { Operation } from '../../model/operation';
import { anySchema, type Schema, schemaOf } from '../../model/schema';
import type { Fits } from '../../schema/samples/sample-checks';
import { exemplaryValues } from '../../schema/samples/sample-plan';
import { sampleValue } from '../../schema/samples/sample-value';
import { withBranches } from '../../schema/schema-parts';
import { SchemaView } from '../../schema/schema-view';
import type { Shape } from '../../schema/shape';
import { valueKey } from '../../schema/validation/checks/equality-checks';

const passwords = 'pass-?(?:word|wd|phrase|code)s?|pwd';
const passwordName = new RegExp(`(?:${passwords})$`);
const credentialName = new RegExp(
  `(?:${passwords}|tokens?|secrets?|credentials?|api-?keys?|jwts?|session-?ids?|cookies?)$`,
);
/** Names of what asks for another page, and of nothing secret. */
const pageToken = /(?:next|prev(?:ious)?|page|continuation|cursor|sync|start|skip)-?tokens?$/;

/** Splits a name into words in lower case: `accessToken` and `Access-Token` become `access-token`. */
const inWords = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

const isPassword = (name: string, shape: Shape): boolean =>
  shape.format === 'password' || passwordName.test(inWords(name));

/** Tells an operation that takes a password, so that a text which it answers may be a login. */
export const takesPassword = ({ parameters, requestBody }: Operation, { shapeOf }: SchemaContext) =>
  parameters.some(({ name, schema }) => isPassword(name, shapeOf(schema))) ||
  (requestBody?.content ?? []).some(({ schema = anySchema }) =>
    [...shapeOf(schema).properties].some(([name, shape]) => isPassword(name, shape)),
  );

/** A place of a message. */
export interface Place {
  /** Of the header or the property; undefined for the body itself. */
  readonly name: string | undefined;
  readonly schemas: readonly Schema[];
  /** True where the document itself gives the value, which is no secret then. */
  readonly isGiven: boolean;
  /** True where a body that is a text may be a login. */
  readonly isIssued?: boolean;
  readonly fits: Fits;
}

const isCredential = (text: string, place: Place, parts: readonly Schema[]): boolean => {
  const { name, isGiven, isIssued = false } = place;
  const formats = parts.map(({ format }) => format ?? '');
  if (formats.includes('password')) return true;
  if (isGiven || formats.some((format) => /^(?:date|time|duration)/.test(format))) return false;
  if (name === undefined) return isIssued && !/^\s*</.test(text);
  return credentialName.test(inWords(name)) && !pageToken.test(inWords(name));
};

const markText = (text: string, { name, schemas, fits }: Place, tools: SchemaContext) => {
  const marks = [`mock ${text}`, `mock-${text}`, 'mock', undefined];
  const mark = marks.findIndex(fits);
  if (mark >= 0) return marks[mark];
  const sought = schemaOf({ members: schemas, types: ['string'], pattern: '[mM][oO][cC][kK]' });
  const sample = sampleValue(sought, tools);
  if ('value' in sample && typeof sample.value === 'string' && fits(sample.value))
    return sample.value;
  throw new Error(`its schema has no ${name ?? 'text'} that says that it is a mock's`);
};

/**
 * Marks texts that could be taken for a credential: those with `format: password`, and made ones below a name that ends as credentials
 * are called, or as the body of an operation that takes a password, unless it is markup. What the document gives as an example, a
 * default or a member of an enum is public. Says `mock` in a way that fits the schema, or leaves the text out, as it does with
 * `writeOnly` properties. Gives the value itself where nothing is marked.
 * @throws Error where the schema allows neither
 */
export const markCredentials = (value: unknown, place: Place, tools: SchemaContext): unknown => {
  const { fits } = place;
  const parts = withBranches(place.schemas);
  if (parts.some(({ writeOnly }) => writeOnly) && fits(undefined)) return undefined;
  const given = [...exemplaryValues({ parts }), ...parts.flatMap((part) => part.enum ?? [])];
  const isGiven =
    place.isGiven || (given.length > 0 && given.map(valueKey).includes(valueKey(value)));
  const own = { ...place, isGiven };
  if (typeof value === 'string') {
    return isCredential(value, own, parts) ? markText(value, place, tools) : value;
  }
  return Array.isArray(value) || isPlainObject(value)
    ? markMembers(value, own, parts, tools)
    : value;
};

const markMembers = (
  value: object,
  place: Place,
  parts: readonly Schema[],
  tools: SchemaContext,
) => {
  const view = new SchemaView(parts);
  let marked = value;
  for (const [key, member] of Object.entries(value)) {
    const replace = (value: unknown) =>
      Array.isArray(marked) ? marked.with(Number(key), value) : { ...marked, [key]: value };
    // An item has the name of its list.
    const inner = Array.isArray(value)
      ? { schemas: view.itemSchemas(Number(key)) }
      : { name: key, schemas: view.constraintsOn(key).map(({ schema }) => schema) };
    const fits: Fits = (value) => place.fits(replace(value));
    const given = markCredentials(member, { ...place, ...inner, fits }, tools);
    if (given !== member) marked = replace(given);
  }
  return marked;
};
