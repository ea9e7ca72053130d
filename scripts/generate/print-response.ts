/** What an operation's handler may answer: its declared successes, and the statuses it may fail with. */

import type { Parameter, ResolvedResponse } from '../../src/engine';
import { printSchema } from './print-schema';
import { type NamedSchemas, schemaContext } from './schema-source';
import { member, objectType, union } from './type-text';

/** The name of the type of headers that a response may add to the declared ones. */
export const FURTHER_HEADERS = 'FurtherHeaders';

const FURTHER_HEADER_TYPES = ['string', 'number', 'readonly string[]'];

/** Its declaration; generated files import nothing. */
export const printFurtherHeaders = (): string =>
  `/** Headers that a response may carry beyond the declared ones. */
export interface ${FURTHER_HEADERS} {
  ${furtherHeaders([])};
}`;

/** An index signature that leaves room for the declared headers' types. */
const furtherHeaders = (declared: readonly string[]): string =>
  `[name: string]: ${union([...FURTHER_HEADER_TYPES, ...declared, 'undefined'])}`;

/** A union over the successes. `default` is the success status 200 where no 2xx is declared. */
export const printResponse = (
  responses: readonly ResolvedResponse[],
  schemas: NamedSchemas,
): string => {
  const successes = responses.filter(({ key }) => /^2(\d\d|XX)$/.test(key));
  const fallback = responses.filter(({ key }) => key === 'default');
  const chosen = successes.length > 0 ? successes : fallback;
  if (chosen.length === 0) return printSuccess('200', undefined, schemas);
  return chosen
    .map((response) => printSuccess(statuses(response, successes), response, schemas))
    .join(' | ');
};

const printSuccess = (
  status: string,
  response: ResolvedResponse | undefined,
  schemas: NamedSchemas,
): string => {
  const body = response === undefined ? undefined : printContent(response, schemas);
  const headers = printHeaders(response?.headers ?? [], schemas);
  return objectType([
    `status: ${status}`,
    body === undefined ? 'body?: undefined' : `body: ${body}`,
    headers,
  ]);
};

const printContent = (response: ResolvedResponse, schemas: NamedSchemas): string | undefined => {
  if (response.content.length === 0 || NO_CONTENT.includes(Number(response.key))) return undefined;
  const context = schemaContext(schemas, 'response');
  return union(response.content.map(({ schema }) => printSchema(schema, context)));
};

const printHeaders = (headers: readonly Parameter[], schemas: NamedSchemas): string => {
  if (headers.length === 0) return `headers?: ${FURTHER_HEADERS}`;
  const context = schemaContext(schemas, 'response');
  const types = headers.map(({ schema }) => printSchema(schema, context));
  const members = headers.map(({ name, required }, index) =>
    member(name, types[index] ?? 'unknown', required),
  );
  const isNeeded = headers.some(({ required }) => required);
  return `headers${isNeeded ? '' : '?'}: ${objectType([...members, furtherHeaders(types)])}`;
};

// RFC 9110 section 15.3: the statuses that carry no content.
const NO_CONTENT: readonly number[] = [204, 205];

/** The registered success statuses (IANA HTTP Status Code Registry). */
const SUCCESSES = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226];

/** The statuses that a response stands for; a range stands for those not declared beside it. */
const statuses = (response: ResolvedResponse, successes: readonly ResolvedResponse[]): string => {
  if (response.key === 'default') return '200';
  if (response.key !== '2XX') return response.key;
  const explicit = successes.map(({ key }) => Number(key));
  const left = SUCCESSES.filter(
    (status) =>
      !explicit.includes(status) && (response.content.length === 0 || !NO_CONTENT.includes(status)),
  );
  return left.join(' | ');
};

/** The explicitly declared statuses that are no success. */
export const printFailure = (responses: readonly ResolvedResponse[]): string => {
  const failures = responses
    .map(({ key }) => key)
    .filter((key) => /^[1345]\d\d$/.test(key))
    .sort();
  return failures.length === 0 ? 'never' : failures.join(' | ');
};
