/**
 * Every document under specs/ keeps what it promises before a line of behaviour is written: its operations are answered by
 * mocks, and requests are made from the document. A new document is tested here by being there.
 */

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../src/engine/document/document';
import { schemaContext } from '../../src/engine/document/model/schema-context';
import { sampleValue } from '../../src/engine/mock/samples/sample-value';
import { callerOf } from '../conformance/ask';
import { askAt } from '../support/ask';
import { type ServedOrigin, serveDocument } from '../support/serve-document';
import { contractOperations } from './contract-operation';
import { contractRequest } from './contract-request';
import { documentText } from './document-facts';

const names = readdirSync(join(__dirname, '../../specs'))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => basename(file, '.yaml'));

describe.each(names)('%s', (name) => {
  const document = parseApiDocument(`specs/${name}.yaml`, documentText(name));
  const tools = schemaContext(document);
  const operations = contractOperations(name, (schema) => {
    const sample = sampleValue(schema, tools);
    return 'value' in sample ? sample.value : undefined;
  });
  const scopes = document.operations.flatMap(({ security }) =>
    security.flatMap((requirement) => Object.values(requirement).flat()),
  );
  const schemes = Object.values(document.definition.components?.securitySchemes ?? {});
  const keys = schemes.flatMap((one) => ('in' in one && one.in === 'header' ? [one.name] : []));
  const headers = Object.fromEntries(keys.map((key) => [key, 'any']));
  const anybody = async () => callerOf('user', { username: 'user', scopes });

  let served: ServedOrigin;
  beforeAll(async () => {
    const securityHandlers = { apiKey: anybody, bearer: anybody, accountExists: async () => true };
    served = await serveDocument({ document: documentText(name), securityHandlers, mocks: true });
  });

  const exchanges = operations.flatMap((operation) => {
    const accepted = operation.success.media;
    return (operation.body?.media ?? [undefined]).flatMap((type) =>
      (accepted.length === 0 ? ['*/*'] : accepted).map((accept) => {
        return { id: operation.id, operation, type, accept };
      }),
    );
  });

  test.each(exchanges)('$id takes $type and answers $accept', async (exchange) => {
    const { operation, type, accept } = exchange;
    const own = /\{(.+)\}/.exec(operation.login ?? '')?.[1];
    const { methodAndTarget, asked } = contractRequest(operation, {
      ...(type === undefined ? {} : { mediaType: type }),
      ...(own === undefined ? {} : { path: { [own]: 'user' } }),
      asked: { token: 'any', accept, headers },
    });
    const answered = await askAt(new URL(served.url).origin)(methodAndTarget, asked);
    expect([answered.status, answered.text]).toEqual([operation.success.status, answered.text]);
    expect(answered.headers['x-mock']).toBe('true');
    expect(answered.headers['content-type'] ?? '*/*').toContain(accept);
  });
});
