/**
 * Every document under specs/ keeps what it promises before a line of behaviour is written: its operations are answered by
 * mocks, and requests are made from the document. A new document is tested here by being there.
 */

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { type Credential, testServer } from '../../src/contract';
import { definitionJson } from '../../src/document/bundle/write-definition';
import { structureOf, wholeDocument } from '../../src/document/structure/positions';
import { newestVersion, versionOf } from '../../src/document/versions/versions';
import { type ApiDocument, parseApiDocument, type SecurityHandlers } from '../../src/engine';
import type { Principal } from '../../src/http/caller';
import { documentScopes } from '../../src/identity/oauth/authorization-server';
import { serveDocument } from '../support/serve-document';
import { documentText, node } from './document-facts';

const names = readdirSync(join(__dirname, '../../specs'))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => basename(file, '.yaml'));

const callerWith = (username: string | undefined, scopes: readonly string[]): Principal => ({
  username,
  scopes,
  subject: 'somebody',
  credentialId: 'somebody',
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
  ...[...document.securitySchemes].map(([scheme, { type }]) => ({
    scheme,
    value: type === 'apiKey' ? 'key' : 'token',
    scopes: undefined,
  })),
  { scheme: 'x-logged-in-user', value: 'login', scopes: undefined },
];

test.each(names)('the mocks of %s keep to it', async (name) => {
  const text = documentText(name);
  const securityHandlers = securityHandlersOf(parseApiDocument(`specs/${name}.yaml`, text));
  const { url, document } = await serveDocument({ document: text, securityHandlers, mocks: true });
  const { failures, coverage } = await testServer({
    document,
    url,
    seed: 1,
    depth: 'quick',
    stateless: true,
    credentials: credentialsOf(document),
  });
  expect(failures.map(({ endpoint, rule, message }) => [endpoint, rule, message])).toEqual([]);
  const unreached = coverage.operations.filter(({ statuses }) =>
    statuses.every(({ key, count }) => count === 0 || /^[45]/.test(key)),
  );
  expect(unreached.map(({ operation }) => operation)).toEqual([]);
});

/** Keywords of OpenAPI 3.0 that only describe (OAS 3.0.4, Schema Object). */
const describing = ['discriminator', 'example', 'externalDocs', 'xml', 'components'];

test.each(names)('other validators compile the schemas of %s with their defaults', (name) => {
  const { definition, replacements } = parseApiDocument(`specs/${name}.yaml`, documentText(name));
  const served = node(JSON.parse(definitionJson(definition, replacements)));
  const structure = structureOf(versionOf(served['openapi']) ?? newestVersion);
  const schemas = [...structure.objectsIn(wholeDocument(served))].filter(
    (object) => object.name === 'Schema',
  );
  const keywords = schemas.flatMap(({ value }) => Object.keys(value));
  const ajv = addFormats(new Ajv({ logger: false }));
  ajv.addVocabulary([...describing, ...new Set(keywords.filter((key) => key.startsWith('x-')))]);
  const faultOf = ({ value, pointer }: (typeof schemas)[number]): readonly string[] => {
    try {
      ajv.compile({ ...value, components: served['components'] });
      return [];
    } catch (error) {
      return [`${pointer}: ${error}`];
    }
  };
  expect(schemas.flatMap(faultOf)).toEqual([]);
});
