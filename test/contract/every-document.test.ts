/**
 * Every document under specs/ keeps what it promises before a line of behaviour is written: its operations are answered by
 * mocks, and requests are made from the document. A new document is tested here by being there.
 */

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../src/engine/document/document';
import type { MediaType, Operation } from '../../src/engine/document/model/operation';
import { type SchemaContext, schemaContext } from '../../src/engine/document/model/schema-context';
import type { SecurityHandlers } from '../../src/engine/security/security-handlers';
import { ask, callerOf, type Response } from '../conformance/ask';
import { serveDocument } from '../support/serve-document';
import { documentText } from './document-facts';
import { type SampleRequest, sampleRequest } from './sample-request';

const names = readdirSync(join(__dirname, '../../specs'))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => basename(file, '.yaml'));

/** Lets anybody in, as a user with whatever is asked for. */
const letIn = (operations: readonly Operation[]): SecurityHandlers => {
  const scopes = operations.flatMap(({ security }) =>
    security.flatMap((one) => Object.values(one).flat()),
  );
  const user = async () => callerOf('user', { username: 'user', scopes: [...new Set(scopes)] });
  return { apiKey: user, bearer: user, accountExists: async () => true };
};

const statusOf = (operation: Operation): number => {
  const [first] = operation.responses.map(({ key }) => key).filter((key) => /^2\d\d$/.test(key));
  return Number(first ?? 200);
};

const successContent = (operation: Operation): readonly MediaType[] =>
  operation.responses.find(({ key }) => key === String(statusOf(operation)))?.content ??
  operation.responses.find(({ key }) => key === 'default')?.content ??
  [];

describe.each(names)('%s', (name) => {
  const document = parseApiDocument(`specs/${name}.yaml`, documentText(name));
  const tools: SchemaContext = schemaContext(document);
  const served = document.operations.filter(({ invalidReason }) => invalidReason === undefined);
  const keyNames = Object.values(document.definition.components?.securitySchemes ?? {}).flatMap(
    (scheme) => ('in' in scheme && scheme.in === 'header' ? [scheme.name] : []),
  );
  let url = '';
  beforeAll(async () => {
    const securityHandlers = letIn(served);
    ({ url } = await serveDocument({
      document: documentText(name),
      securityHandlers,
      mocks: true,
    }));
  });

  const contentsOf = ({ requestBody }: Operation): readonly (MediaType | undefined)[] =>
    requestBody === undefined ? [undefined] : requestBody.content;
  const goodRequest = (operation: Operation, content = contentsOf(operation)[0]): SampleRequest => {
    const request = sampleRequest(operation, content, tools);
    const own = operation.loggedInUser?.parameter;
    const target = own === undefined ? request.target : operation.path.replace(`{${own}}`, 'user');
    const keys = Object.fromEntries(keyNames.map((key) => [key, 'key']));
    return {
      ...request,
      target,
      headers: { ...request.headers, ...keys, authorization: 'Bearer x' },
    };
  };
  const send = (
    operation: Operation,
    { target, headers, body }: SampleRequest,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    ask(url, target, {
      method: operation.method.toUpperCase(),
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { body }),
    });
  const exchanges = served.flatMap((operation) => {
    const id = operation.operationId;
    const answers = successContent(operation).map(({ key }) => key);
    return contentsOf(operation).flatMap((content) =>
      (answers.length === 0 ? ['*/*'] : answers).map((accept) => ({
        id,
        operation,
        content,
        key: content?.key ?? 'nothing',
        accept,
      })),
    );
  });

  test.each(exchanges)('$id takes $key and answers $accept', async (exchange) => {
    const { operation, content, accept } = exchange;
    const response = await send(operation, goodRequest(operation, content), { accept });
    expect([response.status, response.body]).toEqual([statusOf(operation), response.body]);
    expect(response.headers['x-mock']).toBe('true');
    expect(response.headers['content-type'] ?? '*/*').toContain(accept);
  });
});
