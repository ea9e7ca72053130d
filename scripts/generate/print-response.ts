/** Prints the responses that an operation's handler may return. */

import { groupBy, type Parameter, type ResolvedResponse } from '../../src/engine';
import { printSchema } from './print-schema';
import { type NamedSchemas, schemaContext } from './schema-source';
import { member, objectType, quoteText, union, unionOnLines } from './type-text';

/**
 * The member `response`: a union over the declared responses. Those that differ in nothing but their status are one; a 1xx is
 * no final response (RFC 9110 section 15.2).
 */
export const printResponse = (
  responses: readonly ResolvedResponse[],
  schemas: NamedSchemas,
): string => {
  const answers = responses.filter(({ key }) => /^(?:[2-5](?:\d\d|XX)|default)$/.test(key));
  const alike = groupBy(answers, (response) => printContent(response, schemas).join('; '));
  return `response:${unionOnLines([...alike.values()].map((group) => printAlike(group, schemas)))}`;
};

const printAlike = (group: readonly ResolvedResponse[], schemas: NamedSchemas): string =>
  objectType([
    `status: ${union(group.map(({ key }) => printKey(key)))}`,
    ...group.slice(0, 1).flatMap((response) => printContent(response, schemas)),
  ]);

/** Ranges and `default` keep their names: the engine's types know what they stand for. */
const printKey = (key: string): string => (/^\d+$/.test(key) ? key : quoteText(key));

/** The members for body and headers, where there are such. */
const printContent = (
  { key, content, headers }: ResolvedResponse,
  schemas: NamedSchemas,
): readonly string[] => {
  const context = schemaContext(schemas, 'response');
  const hasBody = content.length > 0 && !NO_CONTENT.includes(key);
  const types = content.map(({ schema }) => printSchema(schema, context));
  return [
    ...(hasBody ? [`body: ${union(types)}`] : []),
    ...(headers.length > 0 ? [printHeaders(headers, schemas)] : []),
  ];
};

const printHeaders = (headers: readonly Parameter[], schemas: NamedSchemas): string => {
  const context = schemaContext(schemas, 'response');
  const members = headers.map(({ name, schema, required }) =>
    member(name, printSchema(schema, context), required),
  );
  const isNeeded = headers.some(({ required }) => required);
  return `headers${isNeeded ? '' : '?'}: ${objectType(members)}`;
};

// RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5: the statuses that carry no content.
const NO_CONTENT: readonly string[] = ['204', '205', '304'];
