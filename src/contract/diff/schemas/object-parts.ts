/** What schemas that hold together say of an object: its properties, which of them are required, and what else it may have. */

import { isPlainObject, type PlainObject, pointerTo } from '../../../engine';
import type { SourceObject } from '../values/source-objects';
import type { MergeSchemas, OtherProperties, Property } from './schema-set';

const mapIn = (schema: PlainObject, keyword: string): PlainObject => {
  const value = schema[keyword];
  return isPlainObject(value) ? value : {};
};

/** What a part says of a property: its schema, that there must be none (false), or nothing. */
const saidOf = ({ value }: SourceObject, name: string): unknown => {
  const properties = mapIn(value, 'properties');
  return Object.hasOwn(properties, name) ? properties[name] : value['additionalProperties'];
};

/** The properties that a part declares and none forbids. */
export const propertiesOf = (
  parts: readonly SourceObject[],
  merge: MergeSchemas,
): ReadonlyMap<string, Property> => {
  const pointers = new Map<string, string>();
  for (const { value, pointer } of parts) {
    for (const name of Object.keys(mapIn(value, 'properties'))) {
      if (!pointers.has(name)) pointers.set(name, pointerTo(`${pointer}/properties`, name));
    }
  }
  const properties = new Map<string, Property>();
  for (const [name, pointer] of pointers) {
    const said = parts.map((part) => saidOf(part, name));
    if (said.includes(false)) continue;
    const schemas = said.filter(isPlainObject);
    properties.set(name, {
      schemas,
      pointer,
      get schema() {
        return merge(schemas);
      },
    });
  }
  return properties;
};

/** Pointers of the names in `required`. */
export const requiredOf = (parts: readonly SourceObject[]): ReadonlyMap<string, string> => {
  const required = new Map<string, string>();
  for (const { value, pointer } of parts) {
    for (const [at, name] of (Array.isArray(value['required'])
      ? value['required']
      : []
    ).entries()) {
      if (typeof name === 'string' && !required.has(name)) {
        required.set(name, pointerTo(`${pointer}/required`, at));
      }
    }
  }
  return required;
};

/** What stands under names that no part declares. */
export const othersOf = (parts: readonly SourceObject[], merge: MergeSchemas): OtherProperties => {
  const keyword = 'additionalProperties';
  const said = parts.filter(({ value }) => value[keyword] !== undefined);
  const closed = said.find(({ value }) => value[keyword] === false);
  if (closed !== undefined) return { kind: 'none', pointer: pointerTo(closed.pointer, keyword) };
  const described = said.filter(({ value }) => isPlainObject(value[keyword]));
  const [first] = described;
  if (first === undefined) return { kind: said.length > 0 ? 'any' : 'unsaid' };
  return {
    kind: 'schema',
    schema: merge(described.map(({ value }) => value[keyword])),
    pointer: pointerTo(first.pointer, keyword),
  };
};
