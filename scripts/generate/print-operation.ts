/** One operation as the member of its tag's interface: what the handler is given and what it may answer. */

import type { Operation, Parameter, ParameterLocation, RequestBody } from '../../src/engine';
import { printResponse } from './print-response';
import { alternativesOf, printSchema } from './print-schema';
import { allParts, findProperty, typeOf } from './schema-parts';
import {
  followSchema,
  type NamedSchemas,
  type Schema,
  type SchemaContext,
  schemaContext,
} from './schema-source';
import {
  block,
  docComment,
  intersection,
  member,
  objectType,
  readonlyMember,
  union,
} from './type-text';

/** As `OperationTypes` in src/engine/operation/handler.ts wants it: the members that the operation has. */
export const printOperation = (operation: Operation, schemas: NamedSchemas): string => {
  const context = schemaContext(schemas, 'request');
  const comment = docComment([
    `${operation.method.toUpperCase()} ${operation.path}`,
    operation.summary,
    operation.invalidReason && `Out of service: ${operation.invalidReason}`,
  ]);
  const members = [
    ...(['path', 'query', 'header', 'cookie'] as const).flatMap((location) =>
      printParameters(operation, location, context),
    ),
    ...printBody(operation, context),
    ...(needsCaller(operation) ? ["principal: 'required'"] : []),
    printResponse(operation.responses, schemas),
  ];
  return `${comment}${member(operation.operationId, block(members), true)}`;
};

const printParameters = (
  operation: Operation,
  location: ParameterLocation,
  context: SchemaContext,
): readonly string[] => {
  const members = operation.parameters
    .filter((parameter) => parameter.in === location)
    .map((parameter) =>
      member(
        parameter.name,
        printSchema(parameter.schema, context),
        isAlwaysThere(parameter, context),
      ),
    );
  return members.length === 0 ? [] : [`${location}: ${objectType(members)}`];
};

const isAlwaysThere = (parameter: Parameter, { schemas }: SchemaContext): boolean =>
  parameter.required || followSchema(parameter.schema, schemas)?.default !== undefined;

const needsCaller = ({ security, loggedInUser }: Operation): boolean =>
  loggedInUser?.required === true ||
  (security.length > 0 && security.every((schemes) => Object.keys(schemes).length > 0));

// RFC 9110 section 9.3: a body of these methods has no meaning, and none is read.
const BODILESS: readonly string[] = ['get', 'head', 'delete'];

const printBody = (
  { method, requestBody }: Operation,
  context: SchemaContext,
): readonly string[] => {
  if (requestBody === undefined || BODILESS.includes(method)) return [];
  const types = requestBody.content.map(({ schema }) =>
    schema === undefined ? 'unknown' : printIdentified(schema, requestBody, context),
  );
  const mayBeMissing = !requestBody.required && !hasEmptyValue(requestBody, context);
  return [`body: ${union([...types, ...(mayBeMissing ? ['undefined'] : [])])}`];
};

/** The body's type, with the property that names the resource always there. */
const printIdentified = (
  schema: Schema,
  { identifier }: RequestBody,
  context: SchemaContext,
): string => {
  if (identifier === undefined) return printSchema(schema, context);
  const property = findProperty(schema, identifier, context.schemas);
  const identified = objectType([readonlyMember(identifier, printSchema(property, context), true)]);
  return intersection([alternativesOf(schema, context), [identified]]);
};

/** Tells whether a missing body is read as an empty object, an empty array or no bytes: as the first media type has it. */
const hasEmptyValue = ({ content }: RequestBody, { schemas }: SchemaContext): boolean => {
  const parts = allParts(content[0]?.schema, schemas);
  const type = typeOf(parts);
  return type === 'object' || type === 'array' || parts.some(({ format }) => format === 'binary');
};
