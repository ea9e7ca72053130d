/** Reads Parameter, Header and Media Type Objects into the model, defaults filled in. */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerTo } from '../../base/json-pointer';
import { isPlainObject } from '../../base/plain-object';
import type {
  Encoding,
  Example,
  MediaType,
  Parameter,
  ParameterLocation,
  ParameterStyle,
} from '../../model/operation';
import { anySchema, type Schema, schemaOf, withKeywords } from '../../model/schema';
import type { References } from '../references/references';
import type { ObjectName } from '../structure/field-type';
import type { Structure } from '../structure/positions';
import type { Version } from '../versions/versions';
import type { ReadSchema } from './read-schema';

/** The means to read a document's objects. */
export interface DocumentReader {
  readonly references: References;
  readonly readSchema: ReadSchema;
  readonly structure: Pick<Structure, 'version' | 'types'>;
}

/** Leaves out the fields that the version does not have: they are reported, and have no effect. */
export const knownFields = <Value extends object>(
  value: Value,
  name: ObjectName,
  { structure: { types } }: Pick<DocumentReader, 'structure'>,
): Value => {
  const isKnown = ([key]: [string, unknown]) => Object.hasOwn(types[name].fields, key);
  return Object.fromEntries(Object.entries(value).filter(isKnown)) as Value;
};

/** Lists `example` and then `examples`; an `externalValue` is not fetched. A bad example takes nothing out of service. */
export const readExamples = (
  holder: { readonly example?: unknown; readonly examples?: unknown },
  pointer: string,
  reader: Pick<DocumentReader, 'references' | 'structure'>,
): readonly Example[] => {
  const lone =
    holder.example === undefined
      ? []
      : [{ name: undefined, value: holder.example, pointer: pointerTo(pointer, 'example') }];
  const named = isPlainObject(holder.examples) ? Object.entries(holder.examples) : [];
  return [
    ...lone,
    ...named.flatMap(([name, entry]): Example[] => {
      const example: unknown = isPlainObject(entry) ? reader.references.find(entry) : undefined;
      if (!isPlainObject(example)) return [];
      const { value, dataValue, serializedValue } = knownFields(example, 'Example', reader);
      // It has no value, or one that is elsewhere.
      if ([value, dataValue, serializedValue].every((one) => one === undefined)) return [];
      return [
        {
          value: dataValue === undefined ? value : dataValue,
          ...(dataValue !== undefined && { isData: true }),
          ...(typeof serializedValue === 'string' && { serialized: serializedValue }),
          name,
          pointer: pointerTo(pointerTo(pointer, 'examples'), name),
        },
      ];
    }),
  ];
};

/** Tells whether a value is a location of parameters in a version. */
export const isLocation = (value: unknown, { styles }: Version): value is ParameterLocation =>
  typeof value === 'string' && Object.hasOwn(styles, value);

/**
 * Tells whether a header parameter of that name is ignored: Content-Type is described by `content`, Accept by the responses,
 * Authorization by `security` (OAS 3.0.3, Parameter Object).
 */
export const isIgnoredHeader = (name: string): boolean =>
  /^(?:accept|content-type|authorization)$/i.test(name);

/** Tells whether `allowReserved` has a meaning: only where values are percent-encoded (OAS 3.2.0, Parameter Object). */
export const mayBeReserved = (
  location: ParameterLocation,
  style: unknown,
  { reservedIn }: Version,
): boolean => reservedIn.includes(location) && style !== 'cookie';

/** Turns a schema of one value into an array of such values, for `x-comma-separated`. */
const commaSeparatedSchema = (schema: Schema): Schema => {
  const { pointer, types, default: fallback } = schema;
  if (types?.includes('array')) return schema;
  const items = withKeywords(schema, { default: undefined });
  const list = { pointer, types: ['array' as const], items, minItems: 1 };
  return schemaOf(fallback === undefined ? list : { ...list, default: [fallback] });
};

/** Reads a Parameter Object or Header Object. */
export const readParameter = (
  name: string,
  location: ParameterLocation,
  parameter: Omit<OpenAPIV3.ParameterObject, 'in' | 'name'>,
  pointer: string,
  reader: DocumentReader,
): Parameter => {
  const { version } = reader.structure;
  // It is described by its `schema`, or by its one media type.
  const first = Object.fromEntries(Object.entries(parameter.content ?? {}).slice(0, 1));
  const [content] = readContent(first, `${pointer}/content`, reader);
  const declared =
    (parameter.schema === undefined
      ? content?.schema
      : reader.readSchema(parameter.schema, `${pointer}/schema`)) ?? anySchema;
  const commaSeparated: boolean = Reflect.get(parameter, 'x-comma-separated') === true;
  const schema = commaSeparated ? commaSeparatedSchema(declared) : declared;
  // OAS 3.0.3, Parameter Object.
  const usual = location === 'path' || location === 'header' ? 'simple' : 'form';
  const style = (parameter.style ?? usual) as ParameterStyle;
  const isMulti = style === 'form' || style === 'cookie';
  const examples = readExamples(parameter, pointer, reader);
  return {
    pointer,
    name,
    in: location,
    description: parameter.description,
    deprecated: parameter.deprecated === true,
    required: location === 'path' || parameter.required === true,
    style,
    // A list within one value is written as one value, though it is read where its key is repeated, too.
    explode: schema === declared ? (parameter.explode ?? isMulti) : false,
    allowEmptyValue: parameter.allowEmptyValue === true,
    allowReserved: parameter.allowReserved === true && mayBeReserved(location, style, version),
    schema,
    mediaType: content?.key,
    encoding: content?.encoding ?? {},
    commaSeparated,
    examples: examples.length > 0 ? examples : (content?.examples ?? []),
  };
};

/** Reads the Header Objects of a response or a part; Content-Type is described by `content`, and values that are not objects are skipped. */
export const readHeaders = (
  headers: Readonly<Record<string, OpenAPIV3.HeaderObject | OpenAPIV3.ReferenceObject>> = {},
  pointer: string,
  reader: DocumentReader,
): Parameter[] =>
  Object.entries(headers)
    .filter(([name, header]) => name.toLowerCase() !== 'content-type' && isPlainObject(header))
    .map(([name, header]) => {
      const found = reader.references.at<OpenAPIV3.HeaderObject>(header, pointerTo(pointer, name));
      return readParameter(name, 'header', found.value, found.pointer, reader);
    });

/** Writes the sentence about a parameter that is a query string of no media type. */
export const needsContent = (name: string): string =>
  `Describe the parameter ${name} in querystring by a \`content\` of one media type, and by no \`schema\`.`;

/** Says why parameters cannot share the query string (OAS 3.2.0, Parameter Locations); undefined where they can. */
export const querystringError = (parameters: readonly Parameter[]): string | undefined => {
  const [whole, second] = parameters.filter((parameter) => parameter.in === 'querystring');
  const other = second ?? parameters.find((parameter) => parameter.in === 'query');
  return whole && other
    ? `The parameter ${whole.name} is the whole query string, and leaves no room for ${other.name} in ${other.in}. Remove one of the two.`
    : undefined;
};

/** Gives what is read; nothing where that fails. */
export type Attempt = <Part>(read: () => Part) => readonly Part[];

/** Reads the parameters of the path item and the operation; those of the operation override by name and location. */
export const readParameters = (
  lists: readonly (readonly [entries: OpenAPIV3.OperationObject['parameters'], pointer: string])[],
  reader: DocumentReader,
  attempt: Attempt,
): Parameter[] => {
  const { references } = reader;
  const byKey = new Map<string, Parameter>();
  const add = (entry: OpenAPIV3.ParameterObject | OpenAPIV3.ReferenceObject, at: string): void => {
    const { value, pointer } = references.at<OpenAPIV3.ParameterObject>(entry, at);
    const { name, in: location } = value;
    if (!isLocation(location, reader.structure.version)) {
      throw new Error(`The parameter ${name} is in ${location}, where none can be`);
    }
    if (location === 'header' && isIgnoredHeader(name)) return;
    const parameter = readParameter(name, location, value, pointer, reader);
    // Header names are case-insensitive (RFC 9110 section 5.1).
    byKey.set(`${location} ${location === 'header' ? name.toLowerCase() : name}`, parameter);
  };
  for (const [entries = [], pointer] of lists) {
    for (const [index, entry] of entries.entries()) {
      attempt(() => add(entry, pointerTo(pointer, index)));
    }
  }
  const parameters = [...byKey.values()];
  const bare = parameters.find(
    (parameter) => parameter.in === 'querystring' && parameter.mediaType === undefined,
  );
  const reason = querystringError(parameters) ?? (bare && needsContent(bare.name));
  attempt(() => {
    if (reason !== undefined) throw new Error(reason);
  });
  return parameters;
};

/** An Encoding Object of OpenAPI 3.2; earlier ones lack the last fields. */
interface EncodingObject extends OpenAPIV3.EncodingObject {
  readonly encoding?: Readonly<Record<string, EncodingObject>>;
  readonly prefixEncoding?: readonly EncodingObject[];
  readonly itemEncoding?: EncodingObject;
}

const readPositions = (
  { prefixEncoding = [], itemEncoding }: Pick<EncodingObject, 'prefixEncoding' | 'itemEncoding'>,
  pointer: string,
  hasStyles: boolean,
  reader: DocumentReader,
) => ({
  prefixEncoding: prefixEncoding.map((encoding, index) =>
    readEncoding(encoding, pointerTo(`${pointer}/prefixEncoding`, index), hasStyles, reader),
  ),
  itemEncoding:
    itemEncoding && readEncoding(itemEncoding, `${pointer}/itemEncoding`, hasStyles, reader),
});

const readEncoding = (
  object: EncodingObject,
  pointer: string,
  hasStyles: boolean,
  reader: DocumentReader,
): Encoding => {
  const { contentType, headers, encoding } = object;
  const { style, explode, allowReserved }: EncodingObject = hasStyles ? object : {};
  return {
    pointer,
    contentType,
    headers: readHeaders(headers, `${pointer}/headers`, reader),
    style: style as ParameterStyle | undefined,
    explode,
    allowReserved,
    encoding: encoding && readEncodings(encoding, `${pointer}/encoding`, true, reader),
    ...readPositions(object, pointer, false, reader),
  };
};

const readEncodings = (
  encodings: Readonly<Record<string, EncodingObject>>,
  pointer: string,
  hasStyles: boolean,
  reader: DocumentReader,
): MediaType['encoding'] =>
  Object.fromEntries(
    Object.entries(encodings).map(([name, entry]) => [
      name,
      readEncoding(entry, pointerTo(pointer, name), hasStyles, reader),
    ]),
  );

/** Reads a map of Media Type Objects, which stands in that message. */
export const readContent = (
  content: OpenAPIV3.ResponseObject['content'] = {},
  at: string,
  reader: DocumentReader,
  message: 'request' | 'response' = 'request',
): MediaType[] =>
  Object.entries(content).map(([key, entry]) => {
    // Earlier versions than OpenAPI 3.2 lack the last fields.
    type MediaTypeObject = OpenAPIV3.MediaTypeObject &
      Pick<EncodingObject, 'prefixEncoding' | 'itemEncoding'> & { itemSchema?: object | boolean };
    const found = reader.references.at(entry as MediaTypeObject, pointerTo(at, key));
    const { pointer } = found;
    const value = knownFields(found.value, 'MediaType', reader);
    const { schema, itemSchema, encoding = {} } = value;
    const { version } = reader.structure;
    // In others the styles of encodings are ignored.
    const hasStyles = /^\s*multipart\//i.test(key)
      ? version.hasPartStyles && /^\s*multipart\/form-data\s*(?:;|$)/i.test(key)
      : version.hasResponseStyles || message === 'request';
    const read = (one: object | boolean | undefined, field: string) =>
      one === undefined ? undefined : reader.readSchema(one, `${pointer}/${field}`);
    return {
      pointer,
      key,
      schema: read(schema, 'schema'),
      itemSchema: read(itemSchema, 'itemSchema'),
      encoding: readEncodings(encoding, `${pointer}/encoding`, hasStyles, reader),
      ...readPositions(value, pointer, hasStyles, reader),
      examples: readExamples(value, pointer, reader),
    };
  });
