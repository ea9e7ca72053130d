/** One operation as the member of its tag's interface: what the handler is given and what it may answer. */

import { groupBy } from '../../base/group-by';
import { itemsOf } from '../../engine';
import { deprecationWords, handledResponses } from '../../model/deprecation';
import {
  isContentless,
  type MediaType,
  type Operation,
  type Parameter,
  type ParameterLocation,
  parameterLocations,
  type RequestBody,
  type Response,
  requestMethod,
} from '../../model/operation';
import { onlyValue } from '../../schema/scalars';
import { viewOf } from '../../schema/schema-view';
import { type NamedSchemas, typeOf } from './named-schemas';
import { alternativesOf, printSchema, type TypeContext, typeContext } from './print-schema';
import {
  arrayOf,
  block,
  docComment,
  intersection,
  member,
  objectType,
  quoteText,
  readonlyMember,
  union,
  unionOnLines,
} from './type-text';

/**
 * The member `response`: a union over the declared responses. Those that differ in nothing but their status are one; a 1xx is
 * no final response (RFC 9110 section 15.2).
 */
const printResponse = (responses: readonly Response[], context: TypeContext): string => {
  const answers = responses.filter(({ key }) => /^(?:[2-5](?:\d\d|XX)|default)$/.test(key));
  const alike = groupBy(answers, (response) => printContent(response, context).join('; '));
  // Ranges and `default` keep their names: the engine's types know what they stand for.
  const printKey = ({ key }: Response) => (/^\d+$/.test(key) ? key : quoteText(key));
  const printAlike = (group: readonly Response[]) =>
    objectType([
      `status: ${union(group.map(printKey))}`,
      ...group.slice(0, 1).flatMap((response) => printContent(response, context)),
    ]);
  return `response:${unionOnLines([...alike.values()].map(printAlike))}`;
};

/** The members for body and headers, where there are such. */
const printContent = (response: Response, context: TypeContext) => {
  const { key, content, headers } = response;
  const hasBody = content.length > 0 && !isContentless(key);
  const types = content.map((entry) => {
    const item = printItem(entry, context);
    return item === undefined
      ? printSchema(entry.schema, context)
      : union([`Iterable<${item}>`, `AsyncIterable<${item}>`]);
  });
  return [
    ...(hasBody ? [`body: ${union(types)}`] : []),
    ...(headers.length > 0 ? [printHeaders(response, context)] : []),
  ];
};

/** The type of the items of a content that is read and written item by item; undefined for a whole one. */
const printItem = (content: MediaType, context: TypeContext): string | undefined => {
  const items = itemsOf(content);
  return items && printSchema(items.schema, context);
};

/** Handlers may leave out what the engine gives: a header of one value, and the entity tag of a success. */
const printHeaders = ({ key, headers }: Response, context: TypeContext): string => {
  const isNeeded = (header: Parameter): boolean =>
    header.required &&
    onlyValue(header.schema) === undefined &&
    !(key.startsWith('2') && /^etag$/i.test(header.name));
  const members = headers.map((header) =>
    member(header.name, printSchema(header.schema, context), isNeeded(header)),
  );
  return `headers${headers.some(isNeeded) ? '' : '?'}: ${objectType(members)}`;
};

/** As `OperationTypes` in src/engine/operation/handler.ts wants it: the members that the operation has. */
export const printOperation = (operation: Operation, schemas: NamedSchemas): string => {
  const { security, loggedInUser } = operation;
  const needsCaller =
    loggedInUser?.required === true ||
    (security.length > 0 && security.every((schemes) => Object.keys(schemes).length > 0));
  const members = [
    ...printRequest(operation, typeContext(schemas, 'request')),
    ...(needsCaller ? ["principal: 'required'"] : []),
    printResponse(handledResponses(operation), typeContext(schemas, 'response')),
  ];
  return printMember(operation.operationId, operation, members);
};

/** The same of a request that the API sends itself: it carries what responses of the API carry. */
export const printWebhook = (name: string, webhook: Operation, schemas: NamedSchemas): string =>
  printMember(name, webhook, [
    ...printRequest(webhook, typeContext(schemas, 'response')),
    printResponse(webhook.responses, typeContext(schemas, 'request')),
  ]);

const printMember = (name: string, operation: Operation, members: readonly string[]): string => {
  const dates = deprecationWords(operation);
  const comment = docComment([
    `${requestMethod(operation.method)} ${operation.path}`,
    operation.summary,
    operation.invalidReason && `Out of service: ${operation.invalidReason}`,
    dates && `@deprecated ${dates}`,
  ]);
  return `${comment}${member(name, block(members), true)}`;
};

const printRequest = (operation: Operation, context: TypeContext): readonly string[] => [
  ...parameterLocations.flatMap((location) => printParameters(operation, location, context)),
  ...printBody(operation, context),
];

const printParameters = (
  operation: Operation,
  location: ParameterLocation,
  context: TypeContext,
): readonly string[] => {
  const parameters = operation.parameters.filter((parameter) => parameter.in === location);
  if (location === 'querystring') {
    return parameters.map((parameter) => {
      const type = printSchema(parameter.schema, context);
      return `querystring: ${union(isAlwaysThere(parameter, context) ? [type] : [type, 'undefined'])}`;
    });
  }
  const members = parameters.map((parameter) => {
    const type = printSchema(parameter.schema, context);
    return member(parameter.name, type, isAlwaysThere(parameter, context));
  });
  return members.length === 0 ? [] : [`${location}: ${objectType(members)}`];
};

/** Tells whether handlers get a value; who sends a request may leave out what has a default. */
const isAlwaysThere = ({ required, schema }: Parameter, { direction }: TypeContext): boolean =>
  required ||
  (direction === 'request' && viewOf(schema).parts.some((part) => part.default !== undefined));

const printBody = ({ requestBody }: Operation, context: TypeContext): readonly string[] => {
  if (requestBody === undefined) return [];
  const isSent = context.direction === 'response';
  const types = requestBody.content.map((entry) => {
    const item = printItem(entry, context);
    // A message of the API is written whole.
    if (item !== undefined) return isSent ? arrayOf(item) : `AsyncIterable<${item}>`;
    return printIdentified(entry, requestBody, context);
  });
  const mayBeMissing = !requestBody.required && (isSent || !hasEmptyValue(requestBody));
  return [`body: ${union([...types, ...(mayBeMissing ? ['undefined'] : [])])}`];
};

/** The body's type, with the property that names the resource always there. */
const printIdentified = (
  { schema }: MediaType,
  body: RequestBody,
  context: TypeContext,
): string => {
  const { identifier } = body;
  if (schema === undefined || identifier === undefined) return printSchema(schema, context);
  const [property] = viewOf(schema).declared(identifier);
  const identified = objectType([readonlyMember(identifier, printSchema(property, context), true)]);
  return intersection([alternativesOf(schema, context), [identified]]);
};

/** Tells whether a missing body is read as an empty object, an empty array, no items or no bytes: as the first media type has it. */
const hasEmptyValue = ({ content }: RequestBody): boolean => {
  const [first] = content;
  if (first !== undefined && itemsOf(first) !== undefined) return true;
  const view = viewOf(first?.schema);
  const type = typeOf(view);
  return type === 'object' || type === 'array' || view.isBinary;
};
