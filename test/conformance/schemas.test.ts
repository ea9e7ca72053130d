/** Validation of values by the document's schemas, over HTTP: chapter "Schema and document", D01 to D09. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { casesOf } from '../support/text-cases';
import { ask, faultsOf, recording } from './ask';
import { exchangeCase } from './exchange-case';
import { refused, serveSchemas } from './serve-schemas';

test.each(casesOf(join(__dirname, 'schemas.cases.txt')))(
  '%s',
  exchangeCase('application/json', (text) => text),
);

test('D05 handlers get an int64 as bigint', async () => {
  const send = await serveSchemas({ echo: { type: 'integer', format: 'int64' } });
  expect((await send('echo', '9223372036854775807')).received).toBe(9223372036854775807n);
});

test('D09 a fault in a leaf is named, and a tree deeper than any limit is refused', async () => {
  const tree = { $ref: '#/components/schemas/Tree' };
  const properties = { n: { type: 'integer' }, below: { type: 'array', items: tree } };
  const send = await serveSchemas(
    { tree },
    { Tree: { type: 'object', required: ['n'], properties } },
  );
  const echo = await send('tree', '{"n":1,"below":[{"n":2,"below":[{}]}]}');
  expect([echo.status, faultsOf(echo)]).toEqual([400, ['body /below/0/below/0/n']]);
  const deep = await send('tree', '{"n":1,"below":['.repeat(5000) + ']}'.repeat(5000));
  expect([deep.status, deep.received, JSON.parse(deep.body).type]).toEqual([
    400,
    refused,
    'invalid-body',
  ]);
});

describe('readOnly and writeOnly', () => {
  const schema = {
    type: 'object',
    required: ['id', 'name', 'secret'],
    properties: {
      id: { type: 'integer', format: 'int64', readOnly: true },
      name: { type: 'string' },
      secret: { type: 'string', writeOnly: true },
    },
  };
  const content = { 'application/json': { schema } };
  const operation = {
    operationId: 'add',
    requestBody: { required: true, content },
    responses: { 200: { description: 'Added', content } },
  };
  const post = async (text: string, response: object) => {
    const { handler, calls } = recording({ status: 200, body: response });
    const { url } = await serveDocument({
      document: { paths: { '/a': { post: operation } } },
      handlers: { add: handler },
    });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await ask(url, '/a', { method: 'POST', headers, body: text });
    return [answer.status, calls[0]?.body, answer.status === 200 ? answer.body : ''];
  };
  const sent = { name: 'a', secret: 's' };
  const stored = { id: 1n, ...sent };
  const written = '{"id":1,"name":"a"}';
  const given = JSON.stringify(sent);

  test.each<[title: string, text: string, response: object, want: unknown[]]>([
    ['a readOnly one need not be sent', given, stored, [200, sent, written]],
    [
      'one that is sent is ignored',
      '{"id":"x","name":"a","secret":"s"}',
      stored,
      [200, sent, written],
    ],
    ['a writeOnly one must be sent', '{"name":"a"}', stored, [400, undefined, '']],
    ['a readOnly one must be answered', given, sent, [500, sent, '']],
    ['a writeOnly one need not be answered', given, { id: 1n, name: 'a' }, [200, sent, written]],
  ])('D03 %s', async (_title, text, response, want) => {
    expect(await post(text, response)).toEqual(want);
  });
});
