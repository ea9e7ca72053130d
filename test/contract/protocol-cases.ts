/** HTTP on every path: HEAD, OPTIONS, other methods, other paths; and the document itself. */

import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Answered } from '../support/ask';
import { expectError } from '../support/error-body';
import { type ContractContext, errorFormats, send } from './contract-context';
import type { ContractOperation } from './contract-operation';
import { contractRequest } from './contract-request';
import { documentText } from './document-facts';

const allMethods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];

/** The methods that the path of an operation allows. */
const methodsOfPath = (operations: readonly ContractOperation[], path: string): string[] => {
  const methods = operations.filter(({ template }) => template === path).map((one) => one.method);
  return [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
};

const allowed = ({ headers }: Answered): readonly string[] =>
  (headers['allow'] ?? '').split(', ').sort();

/** Headers that are alike in two answers to the same request. */
const lastingHeaders = ({ headers }: Answered) => {
  const { date: _date, 'x-request-id': _id, 'set-cookie': cookies, ...lasting } = headers;
  return { ...lasting, cookies: cookies?.map((cookie) => cookie.replace(/=[^;]*/, '')) };
};

const describePaths = ({ operations, services }: ContractContext): void => {
  const firstOfPaths = operations.filter(
    ({ template }, index) => index === operations.findIndex((one) => one.template === template),
  );
  describe.each(firstOfPaths)('$template', (operation) => {
    const methods = methodsOfPath(operations, operation.template);
    const askBy = (method: string, accept?: string) => {
      const changes = { query: '', withoutBody: true, method };
      return services().ask(contractRequest(operation, changes).methodAndTarget, { accept });
    };

    const others = allMethods.filter((method) => !methods.includes(method));
    test.each(others)('refuses %s with 405 and Allow', async (method) => {
      for (const [accept, mediaType] of errorFormats) {
        const answered = await askBy(method, accept);
        expect(await expectError(answered, 405)).toMatchObject({ type: 'method-not-allowed' });
        expect(answered.headers['content-type']).toMatch(mediaType);
        expect(allowed(answered)).toEqual(methods);
      }
    });

    test('answers OPTIONS with Allow', async () => {
      const answered = await askBy('OPTIONS');
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

  const gets = operations.filter(({ method }) => method === 'GET');

  test.each(gets)('$id answers HEAD as GET, without the body', async (operation) => {
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

  test.each(gets)('$id answers HEAD to a stranger as GET, too', async (operation) => {
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
        for (const method of ['GET', 'OPTIONS']) {
          const answered = await services().ask(`${method} /${service}${path}`, { accept });
          expect(await expectError(answered, 404)).toMatchObject({ type: 'route-not-found' });
          expect(answered.headers['content-type']).toMatch(mediaType);
        }
      }
    },
  );

  test.each<[string, (text: string) => unknown]>([
    ['yaml', (text) => text],
    ['json', (text) => parse(text)],
  ])(
    'the document is served as it was written at openapi.%s, with the address of the sign-in',
    async (form, read) => {
      const { ask, origin } = services();
      const served = documentText(service).replaceAll('{auth_url}', `${origin}/${service}`);
      const { status, headers, text } = await ask(`GET /${service}/openapi.${form}?original`);
      expect([status, headers['content-type']]).toEqual([200, `application/${form}`]);
      expect(read(text)).toEqual(read(served));
      const head = await ask(`HEAD /${service}/openapi.${form}`);
      expect([head.status, head.text]).toEqual([200, '']);
    },
  );
};
