/** Says what a schema asks for in words, and lists the members of its values in rows. */

import { lineText } from '../base/json/write-json';
import type { Schema } from '../model/schema';
import { type Limit, SchemaView, viewOf } from './schema-view';

/** A value, or a member of one. */
export interface SchemaRow {
  /** The way to it, such as `items[].name`; empty for the whole. */
  readonly path: string;
  readonly isRequired: boolean;
  /** Its types and limits. */
  readonly words: string;
  readonly description: string;
}

/** Gives the name by which a schema is described elsewhere; undefined for one that is described in its place. */
export type Refer = (schema: Schema) => string | undefined;

/** Values of an enum that are listed. */
const LISTED = 20;
/** Levels of members that have rows. */
const DEEPEST = 6;
/** Rows of one schema at most. */
export const MOST_ROWS = 200;

const limitWords = (limit: Limit | undefined, inclusive: string, exclusive: string) =>
  limit && `${limit.exclusive ? exclusive : inclusive} ${String(limit.value)}`;

/** Says how many things there may be: `1 to 10 items`. */
const countWords = (least: number, most: number, name: string, plural: string) => {
  if (least === 0 && most === Number.POSITIVE_INFINITY) return undefined;
  const noun = (least === most || least === 0 ? most : least) === 1 ? name : plural;
  if (least === most) return `exactly ${least} ${noun}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} ${noun}`;
  return least === 0 ? `at most ${most} ${noun}` : `${least} to ${most} ${plural}`;
};

const enumWords = (values: readonly unknown[] | undefined) => {
  if (values === undefined) return undefined;
  const listed = values.slice(0, LISTED).map(lineText).join(', ');
  if (values.length === 1) return `always ${listed}`;
  return `one of ${listed}${values.length > LISTED ? `, … (${values.length} in all)` : ''}`;
};

const viewOfAll = (schemas: readonly Schema[]): SchemaView =>
  new SchemaView(schemas.flatMap((schema) => viewOf(schema).parts));

/** Refers to what schemas say together, where that is one alone. */
const referenceTo = ([schema, ...others]: readonly Schema[], refer: Refer | undefined) =>
  schema === undefined || others.length > 0 ? undefined : refer?.(schema);

const nameOf = (schema: Schema, index: number): string =>
  schema.component ?? schema.title ?? `form ${index + 1}`;

const branchesOf = (view: SchemaView): readonly Schema[] =>
  view.parts.flatMap(({ oneOf, anyOf }) => [...oneOf, ...anyOf]);

const typeWords = (view: SchemaView, refer: Refer | undefined, depth: number): string => {
  const types = view.sharedTypes ?? [view.type];
  const named = types.filter((type) => type !== 'any' && type !== 'array');
  const component =
    refer === undefined && named.includes('object') ? view.parts[0]?.component : undefined;
  const items =
    view.type === 'array'
      ? wordsOfAll(view.itemSchemas(view.positions), refer, depth + 1) || 'anything'
      : '';
  const lists = items === '' ? [] : [`list of ${items.includes(',') ? `(${items})` : items}`];
  const all = [...lists, ...named].join(' or ');
  return [component === undefined ? all : `${all} ${component}`, ...view.values('format')]
    .filter(Boolean)
    .join(', ');
};

const unionWords = (
  view: SchemaView,
  refer: Refer | undefined,
  depth: number,
): string | undefined => {
  const words = branchesOf(view).map((branch, index) => {
    const name = refer === undefined ? branch.component : refer(branch);
    return name ?? (wordsOf(viewOf(branch), refer, depth + 1) || nameOf(branch, index));
  });
  return words.length === 0 ? undefined : `either ${words.join(' – or ')}`;
};

/** @param depth of lists and unions around it, since a schema may be of itself alone */
const wordsOf = (view: SchemaView, refer?: Refer, depth = 0): string => {
  if (depth > DEEPEST) return '';
  return [
    typeWords(view, refer, depth),
    unionWords(view, refer, depth),
    enumWords(view.enumerated),
    limitWords(view.minimum, 'at least', 'greater than'),
    limitWords(view.maximum, 'at most', 'less than'),
    ...view.values('multipleOf').map((value) => `a multiple of ${String(value)}`),
    countWords(view.minLength, view.maxLength, 'character', 'characters'),
    ...view.values('pattern').map((pattern) => `pattern ${pattern}`),
    countWords(view.minItems, view.maxItems, 'item', 'items'),
    view.uniqueItems && 'no two alike',
    countWords(view.minProperties, view.maxProperties, 'member', 'members'),
    ...view
      .values('default')
      .slice(0, 1)
      .map((value) => `default ${lineText(value)}`),
    // Members are said once for requests and responses where they are referred to.
    refer !== undefined && view.isMarked('readOnly') && 'read-only',
    refer !== undefined && view.isMarked('writeOnly') && 'write-only',
    view.parts.some(({ deprecated }) => deprecated) && 'deprecated',
  ]
    .filter(Boolean)
    .join(', ');
};

const wordsOfAll = (schemas: readonly Schema[], refer: Refer | undefined, depth: number): string =>
  referenceTo(schemas, refer) ?? wordsOf(viewOfAll(schemas), refer, depth);

/** Says the types and limits of a schema: `integer, int64, at least 1, default 20`. */
export const schemaWords = (schema: Schema | undefined): string => wordsOf(viewOf(schema));

/** The way in which a schema is described. */
interface RowOptions {
  /** Leaves out members that messages of this direction do not have; undefined: none. */
  readonly direction?: 'request' | 'response' | undefined;
  /** Names what is described elsewhere, except for the schema itself: nothing. */
  readonly refer?: Refer | undefined;
}

interface Place extends RowOptions {
  readonly path: string;
  readonly isRequired: boolean;
  /** The schemas around it, in which a recursive one ends; none around the whole. */
  readonly around: ReadonlySet<Schema>;
}

/** Lists the members of a value alone: what it is itself has been said. */
function* memberRows(schemas: readonly Schema[], outer: Place): Generator<SchemaRow> {
  const { path, around, refer } = outer;
  const inside = new Set([...around, ...schemas]);
  if (inside.size > DEEPEST || schemas.some((schema) => around.has(schema))) return;
  if (around.size > 0 && referenceTo(schemas, refer) !== undefined) return;
  const view = viewOfAll(schemas);
  const { required } = view;
  const place = { ...outer, around: inside };
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const name of view.names) {
    const isRequired = required.has(name);
    yield* rowsOf(view.declared(name), { ...place, path: at(name), isRequired });
  }
  const others = view.values('additionalProperties').filter(({ types }) => types?.length !== 0);
  if (others.some((other) => wordsOf(viewOf(other), refer) !== '')) {
    yield* rowsOf(others, { ...place, path: at('*'), isRequired: false });
  }
  const items = view.type === 'array' ? view.itemSchemas(view.positions) : [];
  if (items.length > 0) yield* memberRows(items, { ...place, path: `${path}[]` });
  for (const [index, branch] of branchesOf(view).entries()) {
    const name = `${path} (${nameOf(branch, index)})`.trim();
    yield* memberRows([branch], { ...place, path: name });
  }
}

/** Gives what is said beside a reference: the description of what is described elsewhere is there. */
const ownDescription = ({ component, members, description }: Schema): string | undefined =>
  members.some((member) => member.component === component) ? description : undefined;

function* rowsOf(schemas: readonly Schema[], place: Place): Generator<SchemaRow> {
  const view = viewOfAll(schemas);
  const { path, isRequired, direction, refer, around } = place;
  if (direction !== undefined && view.isMarked(direction === 'request' ? 'readOnly' : 'writeOnly'))
    return;
  const name = around.size > 0 ? referenceTo(schemas, refer) : undefined;
  const words = name ?? wordsOf(view, refer);
  const [description = ''] =
    name === undefined ? view.values('description') : schemas.map(ownDescription);
  yield { path, isRequired, words, description };
  yield* memberRows(schemas, place);
}

/** Lists a value and its members, down to some levels; none for any value. */
export const schemaRows = (
  schema: Schema | undefined,
  options: RowOptions,
): readonly SchemaRow[] => {
  if (schema === undefined) return [];
  const rows: SchemaRow[] = [];
  const whole = { ...options, path: '', isRequired: true, around: new Set<Schema>() };
  for (const row of rowsOf([schema], whole)) {
    if (rows.length >= MOST_ROWS) break;
    rows.push(row);
  }
  return rows.filter(({ path, words, description }) => path !== '' || words || description);
};
