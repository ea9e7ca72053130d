/** Lists a document's operations as plain records (operation.ts), following references and filling in defaults. */

import type { OpenAPIV3 } from 'openapi-types';
import { errorMessage } from '../../../base/error-message';
import type { References } from '../references/references';
import type { MediaType, Method, Operation, RequestBody, ResolvedResponse } from './operation';
import { examplesOf, resolveHeaders, resolveParameters } from './resolve-parameter';

const methods: readonly Method[] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
];

/** `x-…` fields that the engine reads; the specification allows any (OAS 3.0.3, Specification Extensions). */
interface Extended {
  readonly 'x-identifier'?: unknown;
  readonly 'x-logged-in-user'?: unknown;
}

const mediaTypes = (
  content: OpenAPIV3.ResponseObject['content'],
  references: References,
): MediaType[] =>
  Object.entries(content ?? {}).map(([key, mediaType]) => ({
    key,
    schema: mediaType.schema,
    encoding: mediaType.encoding ?? {},
    examples: examplesOf(mediaType, references),
  }));

const requestBodyRecord = (
  operation: OpenAPIV3.OperationObject,
  references: References,
): RequestBody | undefined => {
  if (operation.requestBody === undefined) return undefined;
  const body = references.follow<OpenAPIV3.RequestBodyObject>(operation.requestBody);
  const identifier = (body as Extended)['x-identifier'];
  return {
    required: body.required === true,
    content: mediaTypes(body.content, references),
    identifier: typeof identifier === 'string' ? identifier : undefined,
  };
};

/** Lists the entries of a Responses Object. */
export const resolveResponses = (
  responses: OpenAPIV3.ResponsesObject,
  references: References,
): ResolvedResponse[] =>
  Object.entries(responses)
    .filter(([key]) => !key.startsWith('x-'))
    .map(([key, entry]) => {
      const response = references.follow<OpenAPIV3.ResponseObject>(entry);
      return {
        key,
        description: response.description ?? '',
        headers: resolveHeaders(response.headers, references),
        content: mediaTypes(response.content, references),
      };
    });

/** The success where only failures are declared: 200 without content. */
export const impliedSuccess: ResolvedResponse = {
  key: '200',
  description: 'Done',
  headers: [],
  content: [],
};

/** Adds a success where none is declared: no 2xx, redirect, range of either, or `default`. */
const withSuccess = (responses: readonly ResolvedResponse[]): readonly ResolvedResponse[] =>
  responses.some(({ key }) => /^(?:[23](?:\d\d|XX)|default)$/.test(key))
    ? responses
    : [impliedSuccess, ...responses];

const loggedInUser = (operation: OpenAPIV3.OperationObject): Operation['loggedInUser'] => {
  const rule = (operation as Extended)['x-logged-in-user'];
  if (typeof rule !== 'string') return undefined;
  return { required: rule !== 'optional', parameter: /^\{(.+)\}$/.exec(rule)?.[1] };
};

const operationRecord = (
  definition: OpenAPIV3.Document,
  pathItem: OpenAPIV3.PathItemObject,
  path: string,
  method: Method,
  operation: OpenAPIV3.OperationObject,
  references: References,
): Operation => {
  const name = {
    operationId: operation.operationId ?? `${method} ${path}`,
    method,
    path,
    tags: operation.tags ?? [],
    summary: operation.summary ?? '',
    security: operation.security ?? definition.security ?? [],
    loggedInUser: loggedInUser(operation),
  };
  try {
    return {
      ...name,
      // A path parameter that stands in no template has no value to be read from.
      parameters: resolveParameters(pathItem, operation, references).filter(
        (parameter) => parameter.in !== 'path' || path.includes(`{${parameter.name}}`),
      ),
      requestBody: requestBodyRecord(operation, references),
      responses: withSuccess(resolveResponses(operation.responses ?? {}, references)),
      invalidReason: undefined,
    };
  } catch (error) {
    // The document's error stays with the operation that has it.
    const invalidReason = errorMessage(error);
    return {
      ...name,
      parameters: [],
      requestBody: undefined,
      responses: [impliedSuccess],
      invalidReason,
    };
  }
};

/** Lists every operation of the document, in its order. */
export const operationsOf = (definition: OpenAPIV3.Document, references: References): Operation[] =>
  Object.entries(definition.paths)
    .filter(([path]) => path.startsWith('/'))
    .flatMap(([path, entry]) => {
      const pathItem = references.find<OpenAPIV3.PathItemObject>(entry) ?? {};
      return methods.flatMap((method) => {
        const operation = pathItem[method as OpenAPIV3.HttpMethods];
        return operation === undefined
          ? []
          : [operationRecord(definition, pathItem, path, method, operation, references)];
      });
    });
