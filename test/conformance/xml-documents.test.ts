/** XML texts as such: encodings, what is hostile, and media types; X31, X32, X34. Mocks of OpenAPI 3.2; W19 to W21. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, recording } from './ask';
import { refused, type SendTo, serveSchemas } from './serve-schemas';

let send: SendTo;
beforeAll(async () => {
  const tree = { $ref: '#/components/schemas/Tree' };
  send = await serveSchemas(
    {
      token: { type: 'string' },
      tree,
      free: { type: 'object', xml: { name: 'o' } },
      numbers: { type: 'array', xml: { name: 'ns' }, items: { type: 'integer' } },
    },
    { Tree: { type: 'object', xml: { name: 't' }, properties: { t: tree } } },
  );
});

const refuses = async (
  schema: string,
  sent: string | Uint8Array,
  type = 'application/xml',
): Promise<void> => {
  const echo = await send(schema, sent, type, 'application/json');
  expect([echo.status, echo.received, JSON.parse(echo.body).type]).toEqual([
    400,
    refused,
    'invalid-body',
  ]);
};

/** Serves an operation whose body and response are of one media type. */
const serveBody = async (type: string, schema: object, body?: unknown) => {
  const { handler, calls } = recording({ status: 200, body });
  const content = { [type]: { schema } };
  const response = { description: 'Fine', ...(body !== undefined && { content }) };
  const post = { operationId: 'a', requestBody: { content }, responses: { 200: response } };
  const { url } = await serveDocument({
    document: { paths: { '/a': { post } } },
    handlers: { a: handler },
    maxBodyBytes: 1_000_000,
  });
  return { url, calls };
};

const mark = '\uFEFF';
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('encodings', () => {
  const declared = (encoding: string): string =>
    `<?xml version="1.0" encoding="${encoding}"?><string>é</string>`;
  test.each<[title: string, type: string, body: Uint8Array]>([
    ['UTF-8 unless told otherwise', 'application/xml', Buffer.from('<string>é</string>')],
    ['a byte-order mark', 'application/xml', Buffer.from(`${mark}<string>é</string>`)],
    ['declared UTF-8', 'application/xml', Buffer.from(declared('utf-8'))],
    ['declared ISO-8859-1', 'application/xml', Buffer.from(declared('ISO-8859-1'), 'latin1')],
    ['UTF-16 with a mark', 'application/xml', Buffer.from(mark + declared('UTF-16'), 'utf16le')],
    ['UTF-16BE with a mark', 'application/xml', utf16be(mark + declared('UTF-16'))],
    [
      'the charset of the Content-Type',
      'application/xml; charset=iso-8859-1',
      Buffer.from('<string>é</string>', 'latin1'),
    ],
    [
      'which comes before the declaration',
      'application/xml; charset="ISO-8859-1"',
      Buffer.from(declared('utf-8'), 'latin1'),
    ],
    [
      'but after the mark',
      'application/xml; charset=iso-8859-1',
      Buffer.from(`${mark}<string>é</string>`),
    ],
  ])('X31 %s', async (_title, type, body) => {
    const echo = await send('token', body, type, 'application/json');
    expect([echo.status, echo.received]).toEqual([200, 'é']);
  });

  test.each<[title: string, type: string, body: string | Uint8Array]>([
    ['no UTF-8', 'application/xml', Buffer.from('<string>é</string>', 'latin1')],
    ['an encoding that is not read', 'application/xml', declared('EBCDIC-FI-SE')],
  ])('X31 refused: %s', (_title, type, body) => refuses('token', body, type));
});

describe('hostile texts', () => {
  const entities = '<!DOCTYPE s [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><string>&b;</string>';
  test.each<[title: string, schema: string, text: string]>([
    ['a DTD', 'token', '<!DOCTYPE string><string>a</string>'],
    ['entity definitions', 'token', entities],
    [
      'an outside entity',
      'token',
      '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/hostname">]><string>&x;</string>',
    ],
    ['an undefined entity', 'token', '<string>&nbsp;</string>'],
    ['two roots', 'token', '<string>a</string><string>b</string>'],
    ['text after the root', 'token', '<string>a</string>b'],
    ['no root', 'token', '<!-- nothing -->'],
    ['an element that does not end', 'token', '<string>a'],
    ['elements that cross', 'token', '<string><a></string></a>'],
    ['an attribute twice', 'tree', '<t a="1" a="2"/>'],
    ['too deep', 'tree', '<t>'.repeat(5000) + '</t>'.repeat(5000)],
    ['no XML', 'token', '"a"'],
  ])('X32 refused: %s', (_title, schema, text) => refuses(schema, text));

  test.each([
    [120_000, 400],
    [300_000, 413],
  ])('X32 refused: %d elements', async (count, status) => {
    const { url, calls } = await serveBody('application/xml', {
      type: 'object',
      xml: { name: 't' },
    });
    const headers = { 'Content-Type': 'application/xml' };
    const body = `<t>${'<a/>'.repeat(count)}</t>`;
    const response = await ask(url, '/a', { method: 'POST', headers, body });
    expect([response.status, calls]).toEqual([status, []]);
  });

  test('X32 names of every object are data', async () => {
    const echo = await send(
      'free',
      '<o><__proto__><polluted>1</polluted></__proto__></o>',
      'application/xml',
      'application/json',
    );
    expect(echo.body).toBe('{"__proto__":{"polluted":"1"}}');
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('media types', () => {
  const types = [
    'application/xml',
    'text/xml',
    'application/vnd.own+xml',
    'application/problem+XML',
  ];
  test.each(types)('X34 %s', async (type) => {
    const schema = {
      type: 'object',
      xml: { name: 'o' },
      properties: { n: { type: 'integer', format: 'int64' } },
    };
    const { url, calls } = await serveBody(type, schema, { n: 5n });
    const response = await ask(url, '/a', {
      method: 'POST',
      headers: { 'Content-Type': type, Accept: type },
      body: '<o><n>9007199254740993</n></o>',
    });
    expect(calls.map(({ body }) => body)).toEqual([{ n: 9007199254740993n }]);
    expect([response.status, response.headers['content-type'], response.body]).toEqual([
      200,
      `${type}; charset=utf-8`,
      '<?xml version="1.0" encoding="UTF-8"?>\n<o><n>5</n></o>',
    ]);
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
  const { body } = await ask(url, '/a', { headers: { Accept: 'application/xml' } });
  expect(body.split('\n')[1]).toBe(
    '<report>a<Animal kind="Cat">Tom</Animal><![CDATA[<b>]]></report>',
  );
});
