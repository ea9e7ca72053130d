/** What HTTP promises of every path: HEAD, OPTIONS, other methods, other paths; and the document itself. */

import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Answered } from '../support/ask';
import { expectError } from '../support/error-body';
import { type ContractContext, errorFormats, send } from './contract-context';
import type { ContractOperation } from './contract-operation';
import { contractRequest } from './contract-request';
import { documentText } from './document-facts';

const allMethods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];

/** Operations by path, one of each to take the example from. */
const byTemplate = (operations: readonly ContractOperation[]) =>
  [...new Set(operations.map(({ template }) => template))].map((template) => {
    const ofPath = operations.filter((operation) => operation.template === template);
    const methods = ofPath.map(({ method }) => method);
    const implied = methods.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
    return [template, ofPath, [...methods, ...implied].sort()] as const;
  });

const allowed = ({ headers }: Answered): readonly string[] =>
  (headers['allow'] ?? '').split(', ').sort();

/** Headers that are alike in two answers to the same request. */
const lastingHeaders = ({ headers }: Answered) => {
  const { date: _date, 'set-cookie': cookies, ...lasting } = headers;
  return { ...lasting, cookies: cookies?.map((cookie) => cookie.replace(/=[^;]*/, '')) };
};

const describePaths = (context: ContractContext): void => {
  describe.each(byTemplate(context.operations))('%s', (_, [operation], methods) => {
    if (operation === undefined) return;
    const others = allMethods.filter((method) => !methods.includes(method));
    const plain = { query: '', withoutBody: true };

    test.each(others)('refuses %s with 405 and Allow', async (method) => {
      for (const [accept, mediaType] of errorFormats) {
        const { methodAndTarget } = contractRequest(operation, { ...plain, method });
        const answered = await context.services().ask(methodAndTarget, { accept });
        expect(await expectError(answered, 405)).toMatchObject({ type: 'method-not-allowed' });
        expect(answered.headers['content-type']).toMatch(mediaType);
        expect(allowed(answered)).toEqual(methods);
      }
    });

    test('answers OPTIONS with Allow', async () => {
      const { methodAndTarget } = contractRequest(operation, { ...plain, method: 'OPTIONS' });
      const answered = await context.services().ask(methodAndTarget);
      expect(answered).toMatchObject({ status: 204, text: '' });
      expect(allowed(answered)).toEqual(methods);
    });
  });
};

/** Of a list nobody knows the length before it is written: it may be left out (RFC 9110 section 9.3.2). */
const headersOfHead = ({ success }: ContractOperation, head: Answered, get: Answered) => {
  const { 'content-length': length } = get.headers;
  const implied = success.schema['type'] === 'array' ? { 'content-length': length } : {};
  return { ...implied, ...lastingHeaders(head) };
};

/** Adds the cases. */
export const describeProtocol = (context: ContractContext): void => {
  const { service, services, operations } = context;
  describePaths(context);

  const gets = operations
    .filter(({ method }) => method === 'GET')
    .map((operation) => [operation.id, operation] as const);

  test.each(gets)('%s answers HEAD as GET, without the body', async (_, operation) => {
    for (const accept of ['application/json', 'application/xml, application/json;q=0.5']) {
      await services().reset();
      const get = await send(context, operation, { asked: { accept } });
      await services().reset();
      const head = await send(context, operation, { method: 'HEAD', asked: { accept } });
      expect(head.text).toBe('');
      expect([head.status, headersOfHead(operation, head, get)]).toEqual([
        get.status,
        lastingHeaders(get),
      ]);
    }
  });

  test.each(gets)('%s answers HEAD to a stranger as GET, too', async (_, operation) => {
    const { methodAndTarget, asked } = contractRequest(operation);
    const get = await services().ask(methodAndTarget, asked);
    const head = await services().ask(methodAndTarget.replace('GET', 'HEAD'), asked);
    expect([head.status, head.text, lastingHeaders(head)]).toEqual([
      get.status,
      '',
      lastingHeaders(get),
    ]);
  });

  test.each(['/nowhere', '/', '', '/pet/', '//pet', '/user/login/more', '/PET/1', '/..%2f..'])(
    'the unknown path %s is 404',
    async (path) => {
      for (const [accept, mediaType] of errorFormats) {
        const answered = await services().ask(`GET /${service}${path}`, { accept });
        expect(await expectError(answered, 404)).toMatchObject({ type: 'route-not-found' });
        expect(answered.headers['content-type']).toMatch(mediaType);
      }
    },
  );

  describe('the document', () => {
    const served = () =>
      documentText(service).replaceAll('{auth_url}', `${services().origin}/${service}`);

    test('is served as YAML, byte for byte but for the address of the sign-in', async () => {
      const { status, headers, text } = await services().ask(`GET /${service}/openapi.yaml`);
      expect([status, headers['content-type']]).toEqual([200, 'application/yaml']);
      expect(text).toBe(served());
    });

    test('is served as JSON', async () => {
      const { status, headers, text } = await services().ask(`GET /${service}/openapi.json`);
      expect([status, headers['content-type']]).toEqual([200, 'application/json']);
      expect(JSON.parse(text)).toEqual(parse(served()));
    });

    test.each(['yaml', 'json'])('answers HEAD for openapi.%s', async (ending) => {
      const head = await services().ask(`HEAD /${service}/openapi.${ending}`);
      expect([head.status, head.text]).toEqual([200, '']);
    });
  });
};
