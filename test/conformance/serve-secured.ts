/** Serves operations with security requirements; each tells who called it. */

import type { SecurityHandlers } from '../../src/engine/security/credentials';
import type { Principal } from '../../src/http/caller';
import type { Answered } from '../support/ask';
import { serveDocument } from '../support/serve-document';
import { ask, callerOf, type Question } from './ask';

/** Security Scheme Objects. */
const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  basic: { type: 'http', scheme: 'Basic' },
  bearer: { type: 'http', scheme: 'BEARER' },
  unfilled: {
    type: 'oauth2',
    flows: { implicit: { authorizationUrl: '{auth_url}/oauth/authorize', scopes: {} } },
  },
  unfilledIssuer: { type: 'openIdConnect', openIdConnectUrl: 'https://{tenant}.test/openid' },
  auth: {
    type: 'oauth2',
    flows: {
      implicit: { authorizationUrl: 'https://a.test', scopes: { read: 'Read', write: 'Write' } },
    },
  },
};

/** Credentials that are good, and whose they are. */
const callers: ReadonlyMap<string, Principal> = new Map([
  ['good-key', callerOf('key')],
  ['reader', callerOf('reader', { scopes: ['read'] })],
  ['writer', callerOf('writer', { scopes: ['read', 'write'] })],
  ['login', callerOf('ann', { username: 'ann' })],
  ['ann pass:word', callerOf('ann')],
]);

const securityHandlers: SecurityHandlers = {
  apiKey: async (key) => callers.get(key),
  bearer: async (token) => callers.get(token),
  basic: async ({ username, password }) => callers.get(`${username} ${password}`),
};

type Requirements = readonly Readonly<Record<string, readonly string[]>>[];

/** The result of a request: the caller that the handler was given; `refused` where it was not called. */
export interface Admission extends Answered {
  readonly subject: string | undefined;
}

/** Sends to the operation of that name. */
export type Knock = (name: string, question?: Question, query?: string) => Promise<Admission>;

/**
 * Starts serving.
 * @param operations requirements by the operation's name; undefined: the operation says nothing itself
 */
export const serveSecured = async (
  operations: Readonly<Record<string, Requirements | undefined>>,
  root: Requirements | undefined = undefined,
  details: object = {},
): Promise<Knock> => {
  let subject: string | undefined = 'refused';
  const names = Object.keys(operations);
  const operation = (operationId: string): object => ({
    operationId,
    ...(operations[operationId] && { security: operations[operationId] }),
    responses: { 200: { description: 'Fine' } },
    ...details,
  });
  const { url } = await serveDocument({
    document: {
      openapi: '3.1.2',
      ...(root && { security: root }),
      paths: Object.fromEntries(names.map((name) => [`/${name}`, { post: operation(name) }])),
      components: { securitySchemes },
    },
    handlers: Object.fromEntries(
      names.map((name) => [
        name,
        ({ principal }) => {
          subject = principal?.subject;
          return { status: 200 };
        },
      ]),
    ),
    securityHandlers,
  });
  return async (name, question = {}, query = '') => {
    subject = 'refused';
    const response = await ask(url, `/${name}${query}`, { method: 'POST', ...question });
    return { ...response, subject };
  };
};

/** Headers with one credential each. */
export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
export const basic = (text: string, scheme = 'Basic') => ({
  Authorization: `${scheme} ${Buffer.from(text).toString('base64')}`,
});
