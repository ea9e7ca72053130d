/** Reads operations into the model, references followed and defaults filled in. */

import type { OpenAPIV3 } from 'openapi-types';
import { errorMessage } from '../../base/error-message';
import { pointerTo } from '../../base/json-pointer';
import { withLate } from '../../base/memoize';
import { freezeAll, isPlainObject, ownText } from '../../base/plain-object';
import {
  type Callback,
  fieldMethods,
  isFieldMethod,
  type Link,
  type MessageField,
  type Method,
  type Operation,
  type RequestBody,
  type Response,
  type Server,
} from '../../model/operation';
import { isDate, isDateTime } from '../../schema/validation/checks/formats';
import { type Placed, type References, referenceOf } from '../references/references';
import { methodKeys } from '../structure/later-object-types';
import { ignoresBody } from '../versions/versions';
import {
  type Attempt,
  type DocumentReader,
  knownFields,
  readContent,
  readHeaders,
  readParameters,
} from './read-parameter';

const readBody = (
  body: OpenAPIV3.RequestBodyObject | OpenAPIV3.ReferenceObject,
  pointer: string,
  reader: DocumentReader,
): RequestBody => {
  const found = reader.references.at<OpenAPIV3.RequestBodyObject>(body, pointer);
  return {
    pointer: found.pointer,
    description: found.value.description,
    required: found.value.required === true,
    content: readContent(found.value.content, `${found.pointer}/content`, reader),
    identifier: ownText(found.value, 'x-identifier'),
  };
};

/** Reads a Response Object under its key. */
export const readResponse = (
  key: string,
  entry: OpenAPIV3.ResponseObject | OpenAPIV3.ReferenceObject,
  at: string,
  reader: DocumentReader,
): Response => {
  const found = reader.references.at<OpenAPIV3.ResponseObject & { summary?: string }>(entry, at);
  const { pointer } = found;
  const value = knownFields(found.value, 'Response', reader);
  // A link whose reference leads nowhere is left out.
  const links = Object.entries(value.links ?? {}).flatMap(([name, linked]): Link[] => {
    if (reader.references.find<OpenAPIV3.LinkObject>(linked) === undefined) return [];
    const place = pointerTo(`${pointer}/links`, name);
    const link = reader.references.at<OpenAPIV3.LinkObject>(linked, place);
    const { operationId, operationRef, parameters = {}, requestBody } = link.value;
    return [{ pointer: link.pointer, name, operationId, operationRef, parameters, requestBody }];
  });
  return {
    pointer,
    key,
    // From OAS 3.2.0 on it may have either.
    description: value.description ?? value.summary ?? '',
    headers: readHeaders(value.headers, `${pointer}/headers`, reader),
    content: readContent(value.content, `${pointer}/content`, reader, 'response'),
    links,
  };
};

/** The success where none is declared, no 2xx, redirect, range of either, or `default`: 200 without content. */
export const impliedSuccess: Response = {
  pointer: '',
  key: '200',
  description: 'Done',
  headers: [],
  content: [],
  links: [],
};

/** Reads a field that is a date or a date-time (RFC 3339); undefined where it is none. */
export const ownDate = (object: object, name: string): Date | undefined => {
  const text = ownText(object, name) ?? '';
  const date = new Date(isDate(text) || isDateTime(text) ? text : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** Reads Server Objects. */
export const readServers = (
  servers: readonly OpenAPIV3.ServerObject[] = [],
  pointer: string,
): readonly Server[] =>
  servers.map((server: OpenAPIV3.ServerObject & { readonly name?: string }, index) => {
    const { url, name, variables = {} } = server;
    return { pointer: pointerTo(pointer, index), url, name, variables };
  });

const readCallbacks = (
  callbacks: OpenAPIV3.OperationObject['callbacks'] = {},
  pointer: string,
  reader: DocumentReader,
): Callback[] =>
  Object.entries(callbacks).flatMap(([name, entry]) => {
    const { references } = reader;
    if (references.find<OpenAPIV3.CallbackObject>(entry) === undefined) return [];
    const found = references.at<OpenAPIV3.CallbackObject>(entry, pointerTo(pointer, name));
    const { value: callback, pointer: at } = found;
    // Read when it is asked for: a callback may refer to the path item that it stands in.
    const operations = () => {
      const paths = Object.entries(callback).filter(([key]) => !key.startsWith('x-'));
      return freezeAll(readOperations(Object.fromEntries(paths), at, reader, []));
    };
    return [withLate({ pointer: at, name }, { operations })];
  });

type PathItemFields = ReadonlyMap<string, Placed<unknown>>;

/**
 * Lists the fields of a path item. Those beside its `$ref` win over those of the target.
 * @throws UnresolvableReference
 */
export const pathItemFields = (
  entry: object,
  at: string,
  references: References,
): PathItemFields => {
  const fields = new Map<string, Placed<unknown>>();
  let item: Placed<unknown> = { value: entry, pointer: at };
  for (;;) {
    const { value, pointer } = item;
    for (const [key, field] of Object.entries(Object(value))) {
      if (!fields.has(key)) fields.set(key, { value: field, pointer: pointerTo(pointer, key) });
    }
    const ref = referenceOf(value);
    if (ref === undefined) return fields;
    // Throws for a circle.
    references.resolve(ref, { holder: Object(value) });
    item = references.resolve(ref, { holder: Object(value), isOneStep: true });
  }
};

/** Returns the operation of a method; undefined where the path item has none. */
export const operationIn = (
  fields: PathItemFields,
  method: Method,
): Placed<OpenAPIV3.OperationObject> | undefined => {
  if (isFieldMethod(method)) {
    return fields.get(method) as Placed<OpenAPIV3.OperationObject> | undefined;
  }
  const { value, pointer = '' } = fields.get('additionalOperations') ?? {};
  return Object.hasOwn(Object(value), method)
    ? { value: Object(value)[method], pointer: pointerTo(pointer, method) }
    : undefined;
};

/** Reads an extension of an operation, or else of its path. */
const readExtension = (
  name: `x-${string}`,
  fields: PathItemFields,
  { value: operation, pointer }: Placed<OpenAPIV3.OperationObject>,
): Placed<unknown> | undefined =>
  Object.hasOwn(operation, name)
    ? { value: Reflect.get(operation, name), pointer: pointerTo(pointer, name) }
    : fields.get(name);

const readOperation = (
  fields: PathItemFields,
  path: string,
  method: Method,
  placed: Placed<OpenAPIV3.OperationObject>,
  reader: DocumentReader,
  security: Operation['security'],
): Operation => {
  const { value: operation, pointer } = placed;
  const rule = ownText(operation, 'x-logged-in-user');
  const parameter = /^\{(.+)\}$/.exec(String(rule))?.[1];
  const docsUrl = operation.externalDocs?.url ?? '';
  const servers = fields.get('servers') as Placed<OpenAPIV3.ServerObject[]> | undefined;
  const shared = fields.get('parameters') as Placed<OpenAPIV3.ParameterObject[]> | undefined;
  const own = {
    pointer,
    operationId: operation.operationId ?? `${method} ${path}`,
    hasId: operation.operationId !== undefined,
    method,
    path,
    tags: operation.tags ?? [],
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    deprecated: operation.deprecated === true,
    deprecatedSince: operation.deprecated ? ownDate(operation, 'x-deprecated-since') : undefined,
    sunset: ownDate(operation, 'x-sunset'),
    // As it may stand in a header, where it cannot be relative.
    docsUrl: URL.canParse(docsUrl) ? new URL(docsUrl).href : undefined,
    servers: operation.servers
      ? readServers(operation.servers, `${pointer}/servers`)
      : readServers(servers?.value, servers?.pointer ?? ''),
    security: operation.security ?? security,
    loggedInUser: rule === undefined ? undefined : { required: rule !== 'optional', parameter },
    resource: readExtension('x-spec-first-resource', fields, placed),
    mcp: readExtension('x-mcp', fields, placed)?.value,
  };
  // The document's errors stay with the operation that has them.
  const reasons = new Map<MessageField, string>();
  const attemptOf =
    (field: MessageField): Attempt =>
    (read) => {
      try {
        return [read()];
      } catch (error) {
        if (!reasons.has(field)) reasons.set(field, errorMessage(error));
        return [];
      }
    };
  const lists = [
    [shared?.value, shared?.pointer ?? ''],
    [operation.parameters, `${pointer}/parameters`],
  ] as const;
  const parameters = readParameters(lists, reader, attemptOf('parameters'));
  const body = ignoresBody(reader.structure.version, pointer) ? undefined : operation.requestBody;
  const [requestBody] = attemptOf('requestBody')(
    () => body && readBody(body, `${pointer}/requestBody`, reader),
  );
  const responses = Object.entries(operation.responses ?? {})
    .filter(([key]) => !key.startsWith('x-'))
    .flatMap(([key, entry]) => {
      const at = pointerTo(`${pointer}/responses`, key);
      return attemptOf('responses')(() => readResponse(key, entry, at, reader));
    });
  const hasSuccess = responses.some(({ key }) => /^(?:[23](?:\d\d|XX)|default)$/.test(key));
  const [callbacks = []] = attemptOf('callbacks')(() =>
    readCallbacks(operation.callbacks, `${pointer}/callbacks`, reader),
  );
  return {
    ...own,
    // A path parameter that stands in no template has no value to be read from.
    parameters: parameters.filter(
      (parameter) => parameter.in !== 'path' || path.includes(`{${parameter.name}}`),
    ),
    requestBody,
    responses: hasSuccess ? responses : [impliedSuccess, ...responses],
    callbacks,
    brokenFields: [...reasons.keys()],
    invalidReason: [...reasons.values()][0],
  };
};

/** Lists the operations of a map of path items, in its order. */
export const readOperations = (
  paths: OpenAPIV3.PathsObject,
  pointer: string,
  reader: DocumentReader,
  security: Operation['security'],
): Operation[] =>
  Object.entries(paths).flatMap(([path, entry]) => {
    if (!isPlainObject(entry) || reader.references.find(entry) === undefined) return [];
    const fields = pathItemFields(entry, pointerTo(pointer, path), reader.references);
    // The methods that a path item may have in the document's version.
    const known = reader.structure.types.PathItem.fields;
    const more = known['additionalOperations'] && fields.get('additionalOperations')?.value;
    const methods: Method[] = [
      ...fieldMethods.filter((method) => known[method] !== undefined),
      ...Object.keys(Object(more)).filter((key) => methodKeys.pattern.test(key)),
    ];
    return methods.flatMap((method) => {
      const operation = operationIn(fields, method);
      if (operation === undefined) return [];
      return [readOperation(fields, path, method, operation, reader, security)];
    });
  });
