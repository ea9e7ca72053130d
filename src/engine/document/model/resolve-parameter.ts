/** Parameter and Header Objects as plain records, defaults filled in (OAS 3.0.3, Parameter Object), and their examples. */

import type { OpenAPIV3 } from 'openapi-types';
import { isPlainObject } from '../../../base/plain-object';
import type { Schema } from '../../schema/shape';
import type { References } from '../references/references';
import type { DeclaredExample, Parameter, ParameterLocation, ParameterStyle } from './operation';

/** Lists `example` and then `examples`; an `externalValue` is not fetched. A bad example takes nothing out of service. */
export const examplesOf = (
  holder: { readonly example?: unknown; readonly examples?: unknown },
  references: References,
): readonly DeclaredExample[] => {
  const lone = holder.example === undefined ? [] : [{ name: undefined, value: holder.example }];
  const named = isPlainObject(holder.examples) ? Object.entries(holder.examples) : [];
  return [
    ...lone,
    ...named.flatMap(([name, entry]) => {
      const example: unknown = isPlainObject(entry) ? references.find(entry) : undefined;
      const value = isPlainObject(example) ? example['value'] : undefined;
      return value === undefined ? [] : [{ name, value }];
    }),
  ];
};

// OAS 3.0.3, Parameter Object: defaults of `style` by location.
const defaultStyle: Record<ParameterLocation, ParameterStyle> = {
  query: 'form',
  cookie: 'form',
  path: 'simple',
  header: 'simple',
};

// Content-Type is described by `content`, Accept by the responses, Authorization by `security` (OAS 3.0.3, Parameter Object).
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

/** Tells whether a value is a location of parameters. */
export const isLocation = (value: unknown): value is ParameterLocation =>
  typeof value === 'string' && Object.hasOwn(defaultStyle, value);

/** Tells whether a header parameter of that name is ignored. */
export const isIgnoredHeader = (name: string): boolean => ignoredHeaders.has(name.toLowerCase());

/** Turns a schema of one value into an array of such values, for `x-comma-separated`. */
const commaSeparatedSchema = (schema: Schema, references: References): Schema => {
  const { default: fallback, ...item } = references.follow<OpenAPIV3.SchemaObject>(schema);
  if (item.type === 'array') return schema;
  const items: Schema = '$ref' in schema ? schema : item;
  const array: OpenAPIV3.ArraySchemaObject = { type: 'array', items, minItems: 1 };
  return fallback === undefined ? array : { ...array, default: [fallback] };
};

/** Makes the record of a Parameter Object or Header Object, defaults filled in. */
export const resolveParameter = (
  name: string,
  location: ParameterLocation,
  parameter: Omit<OpenAPIV3.ParameterObject, 'in' | 'name'>,
  references: References,
): Parameter => {
  const [mediaType, content] = Object.entries(parameter.content ?? {})[0] ?? [];
  const declared: Schema = parameter.schema ?? content?.schema ?? {};
  const commaSeparated =
    (parameter as { readonly 'x-comma-separated'?: unknown })['x-comma-separated'] === true;
  const schema = commaSeparated ? commaSeparatedSchema(declared, references) : declared;
  const style = (parameter.style ?? defaultStyle[location]) as ParameterStyle;
  return {
    name,
    in: location,
    required: location === 'path' || parameter.required === true,
    style,
    // A list within one value is written as one value, though it is read where its key is repeated, too.
    explode: schema === declared ? (parameter.explode ?? style === 'form') : false,
    allowEmptyValue: parameter.allowEmptyValue === true,
    schema,
    mediaType,
    commaSeparated,
    examples: examplesOf(parameter, references),
  };
};

/** Lists the Header Objects of a response or a part; Content-Type is described by `content`, and values that are not objects are skipped. */
export const resolveHeaders = (
  headers: Readonly<Record<string, OpenAPIV3.HeaderObject | OpenAPIV3.ReferenceObject>> = {},
  references: References,
): Parameter[] =>
  Object.entries(headers)
    .filter(([name, header]) => name.toLowerCase() !== 'content-type' && isPlainObject(header))
    .map(([name, header]) =>
      resolveParameter(name, 'header', references.follow(header), references),
    );

/** Parameters of the path item and the operation; those of the operation override by name and location. */
export const resolveParameters = (
  pathItem: OpenAPIV3.PathItemObject,
  operation: OpenAPIV3.OperationObject,
  references: References,
): Parameter[] => {
  const byKey = new Map<string, Parameter>();
  for (const entry of [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = references.follow<OpenAPIV3.ParameterObject>(entry);
    const location: unknown = parameter.in;
    if (!isLocation(location)) {
      throw new Error(`The parameter ${parameter.name} is in ${location}, where none can be`);
    }
    if (location === 'header' && isIgnoredHeader(parameter.name)) continue;
    const record = resolveParameter(parameter.name, location, parameter, references);
    // Header names are case-insensitive (RFC 9110 section 5.1).
    const key = location === 'header' ? parameter.name.toLowerCase() : parameter.name;
    byKey.set(`${location} ${key}`, record);
  }
  return [...byKey.values()];
};
