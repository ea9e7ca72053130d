/** The shared parts of the contract cases of one service: its server, its credentials, and the check of refusals. */

import { expect } from '@jest/globals';
import { type Answered, type Asked, exactJson, readExactJson } from '../support/ask';
import { expectError } from '../support/error-body';
import type { Services } from '../support/services';
import type { ContractOperation } from './contract-operation';
import { type Changes, contractRequest } from './contract-request';
import { type Node, node } from './document-facts';

/** One service under test. */
export interface ContractContext {
  readonly service: 'petstore' | 'ads';
  readonly operations: readonly ContractOperation[];
  services(): Services;
}

/** JSON alone, and XML before JSON: what an operation that answers JSON alone can meet, too. */
export const errorFormats: readonly (readonly [string, RegExp])[] = [
  ['application/json', /^application\/json$/],
  ['application/xml, application/json;q=0.5', /^application\/xml; charset=utf-8$/],
];

/** The scopes that an operation requires of an OAuth token. */
export const requiredScopes = ({ security }: ContractOperation): readonly string[] =>
  security
    .flatMap((requirement) => Object.values(requirement))
    .flat()
    .map(String);

/** Tells whether an API key alone is enough. */
export const takesKey = ({ security }: ContractOperation): boolean =>
  security.some((requirement) => Object.keys(requirement).join() === 'api_key');

/** Returns credentials that are accepted. */
export const goodCredentials = (
  { service, services }: ContractContext,
  operation: ContractOperation,
): Asked => {
  const { login, petToken, adToken } = services();
  if (operation.login !== undefined) return { token: login[service] };
  if (requiredScopes(operation).length > 0) {
    return { token: service === 'petstore' ? petToken : adToken };
  }
  return takesKey(operation) ? { key: 'special-key' } : {};
};

/** Sends the good request, with good credentials, changed. */
export const send = (
  context: ContractContext,
  operation: ContractOperation,
  changes: Changes = {},
): Promise<Answered> => {
  const { methodAndTarget, asked } = contractRequest(operation, changes);
  return context
    .services()
    .ask(methodAndTarget, { ...goodCredentials(context, operation), ...asked });
};

/** Sends without credentials but those that the changes bring. */
export const sendAs = (
  context: ContractContext,
  operation: ContractOperation,
  credentials: Asked,
): Promise<Answered> => {
  const { methodAndTarget, asked } = contractRequest(operation);
  return context.services().ask(methodAndTarget, { ...asked, ...credentials });
};

/** Expects the status of the operation's success. */
export const expectStatus = (operation: ContractOperation, { status, text }: Answered): void => {
  expect([status, text]).toEqual([operation.success.status, text]);
};

/** Expects the refusal, in JSON and in XML, with the document's own text where it has one for the status. */
export const expectRefusal = async (
  operation: ContractOperation,
  status: number,
  ask: (accept: Asked) => Promise<Answered>,
): Promise<Answered> => {
  let last: Answered | undefined;
  for (const [accept, mediaType] of errorFormats) {
    last = await ask({ accept });
    const { message } = await expectError(last, status);
    expect(last.headers['content-type']).toMatch(mediaType);
    expect(last.text).toMatch(/^\{"code":|<ApiResponse><code>/);
    expect(message).toBe(operation.texts.get(status) ?? message);
    if (status === 405) expect(last.headers['allow']).toContain(operation.method);
  }
  if (last === undefined) throw new Error('There is no format to ask in');
  return last;
};

/** Returns a row in a comparable form: documents as values, no row numbers, no salted hashes. */
const comparable = (row: Node): Node => {
  const { key: _, item: __, document, password_hash: hash, ...rest } = row;
  return { ...rest, hash: typeof hash, document: readExactJson(String(document ?? null)) };
};

/** Databases give rows in any order. */
const byText = (one: Node, other: Node): number => (exactJson(one) < exactJson(other) ? -1 : 1);

/** Everything that the services keep: what must be alike after requests of the same effect. */
export const storedRows = async ({ services }: ContractContext): Promise<readonly Node[]> => {
  const { db } = services();
  const tables = ['items', 'item_index', 'users', 'retired_ids'];
  const rows: Node[][] = [];
  for (const table of tables) rows.push(await db.knex(table).select());
  // Which of several rows a process or a connection counts in is its own affair.
  const counted = ['index_key', 'value'];
  rows.push(await db.knex('value_counts').groupBy(counted).select(counted).sum({ count: 'count' }));
  return rows.flat().map(comparable).sort(byText);
};

/** Tells whether the body is bytes, for which no type is wrong. */
export const isBinary = ({ body }: ContractOperation): boolean =>
  node(body?.schema)['format'] === 'binary';
