/** The ways in which bodies hold the items of a resource: alone, as a list, or as one member of an envelope. */

import type { Schema } from '../../model/schema';
import { withBranches } from '../../schema/schema-parts';
import { SchemaView, strictView } from '../../schema/schema-view';
import type { Shape, ShapeOf } from '../../schema/shape';
import { plain } from './item-paths';

/** The way in which a body holds items, whose schema it has; `member` is an envelope. */
export type BodyForm =
  | { readonly kind: 'item'; readonly schema: Schema }
  | { readonly kind: 'list'; readonly schema: Schema }
  | { readonly kind: 'member'; readonly name: string; readonly inner: BodyForm };

/** The items that are looked for. */
export interface SoughtItems {
  /** The name of the resource, as the collection's path ends. */
  readonly name: string;
  readonly component: string | undefined;
  isItem(shape: Shape): boolean;
}

/** Names one of several: `entry` for `entries`. */
export const singular = (name: string): string =>
  name
    .replace(/ies$/i, 'y')
    .replace(/(ss|x|ch|sh)es$/i, '$1')
    .replace(/(?<!^|s)s$/i, '');

/** Finds the schema of a property, also in the branches of unions; undefined where none is declared by name. */
export const propertySchema = (schema: Schema, name: string): Schema | undefined =>
  new SchemaView(withBranches([schema])).declared(name)[0];

/** Finds the way in which bodies of a schema hold items; undefined where they hold none, or more than one kind. */
export const bodyFormOf = (
  schema: Schema,
  sought: SoughtItems,
  shapeOf: ShapeOf,
  depth = 0,
): BodyForm | undefined => {
  const shape = shapeOf(schema);
  if (shape.type === 'array') {
    const items = strictView(schema).values('items')[0];
    return items && sought.isItem(shapeOf(items)) ? { kind: 'list', schema: items } : undefined;
  }
  if (sought.isItem(shape)) return { kind: 'item', schema };
  // Envelopes stand in one another at most twice.
  if (depth === 2) return undefined;
  const envelopes = /^(?:data|items?|results?|resources?|payload|records?|value|_?embedded)$/i;
  const isNamed = (name: string): boolean =>
    envelopes.test(name) || [sought.name, singular(sought.name)].map(plain).includes(plain(name));
  const members = [...shape.properties].flatMap(([name, member]) => {
    const inner = propertySchema(schema, name);
    if (inner === undefined || (member.type !== 'array' && !isNamed(name))) return [];
    const form = bodyFormOf(inner, sought, shapeOf, depth + 1);
    const component = (member.items ?? member).component;
    const isSame = component !== undefined && component === sought.component;
    return form === undefined
      ? []
      : [{ isSame, form: { kind: 'member' as const, name, inner: form } }];
  });
  const same = members.filter(({ isSame }) => isSame);
  const [only, another] = same.length > 0 ? same : members;
  return another === undefined ? only?.form : undefined;
};

/** Returns the item or list that stands in all envelopes. */
export const innermost = (form: BodyForm): Exclude<BodyForm, { kind: 'member' }> =>
  form.kind === 'member' ? innermost(form.inner) : form;
