/** XML texts as such, beyond the published cases: X32. Mocks of OpenAPI 3.2: W19 to W21. */

import { describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, recording } from './ask';
import { serveSchemas } from './serve-schemas';

/** Serves an operation with a body of XML. */
const serveBody = async () => {
  const { handler, calls } = recording();
  const content = { 'application/xml': { schema: { type: 'object', xml: { name: 't' } } } };
  const responses = { 200: { description: 'Fine' } };
  const post = { operationId: 'a', requestBody: { content }, responses };
  const { url } = await serveDocument({
    document: { paths: { '/a': { post } } },
    handlers: { a: handler },
    maxBodyBytes: 1_000_000,
  });
  return { url, calls };
};

describe('hostile texts', () => {
  test.each([
    ['too deep', `${'<t>'.repeat(5000)}${'</t>'.repeat(5000)}`, 400],
    ['many elements', `<t>${'<a/>'.repeat(120_000)}</t>`, 400],
    ['more elements', `<t>${'<a/>'.repeat(300_000)}</t>`, 413],
  ])('X32 refused: %s', async (_title, body, status) => {
    const { url, calls } = await serveBody();
    const headers = { 'Content-Type': 'application/xml' };
    const response = await ask(url, '/a', { method: 'POST', headers, body });
    expect([response.status, calls]).toEqual([status, []]);
  });

  test('X32 names of every object are data', async () => {
    const send = await serveSchemas({ free: { type: 'object', xml: { name: 'o' } } });
    const text = '<o><__proto__><polluted>1</polluted></__proto__></o>';
    const echo = await send('free', text, 'application/xml', 'application/json');
    expect(echo.text).toBe('{"__proto__":{"polluted":"1"}}');
    expect({}).not.toHaveProperty('polluted');
  });
});

test('W19 W20 W21 mocks have attributes, texts, CDATA sections and ordered items', async () => {
  const node = (nodeType: string, example: string) => ({
    type: 'string',
    example,
    xml: { nodeType },
  });
  const Animal = {
    type: 'object',
    properties: { kind: node('attribute', 'Cat'), name: node('text', 'Tom') },
  };
  const schema = {
    type: 'array',
    xml: { nodeType: 'element', name: 'report' },
    minItems: 3,
    prefixItems: [node('text', 'a'), { $ref: '#/components/schemas/Animal' }, node('cdata', '<b>')],
  };
  const content = { 'application/xml': { schema } };
  const responses = { 200: { description: 'Fine', content } };
  const { url } = await serveDocument({
    document: {
      openapi: '3.2.0',
      paths: { '/a': { get: { operationId: 'a', responses } } },
      components: { schemas: { Animal } },
    },
    mocks: true,
  });
  const { text: body } = await ask(url, '/a', { headers: { Accept: 'application/xml' } });
  expect(body.split('\n')[1]).toBe(
    '<report>a<Animal kind="Cat">Tom</Animal><![CDATA[<b>]]></report>',
  );
});
