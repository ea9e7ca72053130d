/**
 * Every document under specs/ keeps what it promises before a line of behaviour is written: its operations are answered by
 * mocks, and requests are made from the document. A new document is tested here by being there.
 */

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Credential, testServer } from '../../src/contract';
import {
  type ApiDocument,
  type Principal,
  parseApiDocument,
  type SecurityHandlers,
  securitySchemesOf,
} from '../../src/engine';
import { documentScopes } from '../../src/server/services/built-in-authorization-server';
import { serveDocument } from '../support/serve-document';
import { documentText } from './document-facts';

const names = readdirSync(join(__dirname, '../../specs'))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => basename(file, '.yaml'));

const callerWith = (username: string | undefined, scopes: readonly string[]): Principal => ({
  ...{ username, scopes },
  ...{ subject: 'somebody', credentialId: 'somebody' },
});

/** Takes the key `key`, the token `token` with all scopes, and the login `login`. */
const securityHandlersOf = (document: ApiDocument): SecurityHandlers => {
  const scopes = [...documentScopes(document).known.keys()];
  const byToken = new Map([
    ['token', callerWith(undefined, scopes)],
    ['login', callerWith('demo', [])],
  ]);
  return {
    apiKey: (key) => (key === 'key' ? callerWith(undefined, []) : undefined),
    bearer: (token) => byToken.get(token),
    accountExists: async () => true,
  };
};

const credentialsOf = (document: ApiDocument): Credential[] => [
  ...[...securitySchemesOf(document)].map(([scheme, { type }]) => ({
    ...{ scheme, value: type === 'apiKey' ? 'key' : 'token', scopes: undefined },
  })),
  { scheme: 'x-logged-in-user', value: 'login', scopes: undefined },
];

test.each(names)('the mocks of %s keep to it', async (name) => {
  const text = documentText(name);
  const securityHandlers = securityHandlersOf(parseApiDocument(`specs/${name}.yaml`, text));
  const { url, document } = await serveDocument({ document: text, securityHandlers, mocks: true });
  const { failures, coverage } = await testServer({
    ...{ document, url, seed: 1, depth: 'quick', stateless: true },
    credentials: credentialsOf(document),
  });
  expect(failures.map(({ endpoint, rule, message }) => [endpoint, rule, message])).toEqual([]);
  const unreached = coverage.operations.filter(({ statuses }) =>
    statuses.every(({ key, count }) => count === 0 || /^[45]/.test(key)),
  );
  expect(unreached.map(({ operation }) => operation)).toEqual([]);
});
