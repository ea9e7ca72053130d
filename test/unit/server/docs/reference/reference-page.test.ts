/** The reference says what the document says, whatever that is. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../../src/engine/document/document';
import { pageOf, referenceOf, textOf } from '../make-reference';

const idsOf = (page: string) => [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
const targetsOf = (page: string) => [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);

/** What must hold of every page, WCAG 2.2 1.3.1 and 2.4.1 among it. */
const expectSound = (page: string): void => {
  const ids = idsOf(page);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(targetsOf(page).filter((id) => !ids.includes(id))).toEqual([]);
  const levels = [...page.matchAll(/<h(\d)[ >]/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  expect(levels.filter((level, index) => level - (levels[index - 1] ?? 0) > 1)).toEqual([]);
  expect(page.match(/<script|<img|<iframe|\son\w+=|javascript:/gi)).toBeNull();
  for (const landmark of ['<header', '<nav', '<main']) expect(page).toContain(landmark);
};

describe.each(['petstore', 'ads'])('of specs/%s.yaml', (name) => {
  const document = parseApiDocument(`${name}.yaml`, readFileSync(`specs/${name}.yaml`, 'utf8'));
  const page = pageOf(document);

  test('is sound', async () => {
    expectSound(await page);
  });

  test('has every operation, parameter, answer, schema and scheme', async () => {
    const text = textOf(await page);
    const { components = {} } = document.definition;
    const names = document.operations.flatMap(({ path, summary, parameters, responses }) => [
      path,
      summary,
      ...parameters.map((parameter) => parameter.name),
      ...responses.map(({ description }) => description),
    ]);
    const all = [
      ...names,
      ...Object.keys({ ...components.schemas, ...components.securitySchemes }),
    ];
    expect(all.filter((word) => !text.includes(word))).toEqual([]);
  });

  test('shows a command for every operation', async () => {
    expect((await page).match(/<code>curl /g)).toHaveLength(document.operations.length);
  });
});

describe('says of', () => {
  const operation = (part: object) => ({
    paths: {
      '/a/{id}': {
        get: { operationId: 'read', responses: { 200: { description: 'Yes' } }, ...part },
      },
    },
  });
  const parameter = (part: object) =>
    operation({ parameters: [{ name: 'id', in: 'path', required: true, ...part }] });

  test.each<[string, object, string]>([
    [
      'a type',
      parameter({ schema: { type: 'integer', format: 'int64' } }),
      'id path integer (int64) required',
    ],
    [
      'limits',
      parameter({ schema: { type: 'integer', minimum: 1, maximum: 9, exclusiveMaximum: true } }),
      'at least 1 ; less than 9',
    ],
    [
      'values',
      parameter({ schema: { type: 'string', enum: ['a', 'b'], default: 'a' } }),
      'one of a , b ; a unless given',
    ],
    [
      'alternatives',
      parameter({ schema: { type: 'integer', anyOf: [{ maximum: 5 }, { minimum: 11 }] } }),
      'at most 5 or at least 11',
    ],
    [
      'a list',
      parameter({ schema: { type: 'array', items: { type: 'string' }, minItems: 1 } }),
      'list of string',
    ],
    [
      'a map',
      operation({
        responses: {
          200: {
            description: 'Yes',
            content: {
              'application/json': {
                schema: { type: 'object', additionalProperties: { type: 'integer' } },
              },
            },
          },
        },
      }),
      'application/json : map of integer',
    ],
    [
      'nameless objects',
      operation({
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['b'],
                properties: {
                  b: { type: 'object', properties: { deep: { type: 'boolean', nullable: true } } },
                },
              },
            },
          },
        },
      }),
      'b object required deep boolean or null',
    ],
    [
      'headers',
      operation({
        responses: {
          200: {
            description: 'Yes',
            headers: { 'X-Left': { description: 'Calls left', schema: { type: 'integer' } } },
          },
        },
      }),
      'Header X-Left integer Calls left',
    ],
    ['what is open', operation({}), 'Public.'],
    [
      'a login',
      operation({
        'x-logged-in-user': '{id}',
        parameters: [{ name: 'id', in: 'path', required: true, schema: {} }],
      }),
      'The login of the user that id names is needed.',
    ],
    ['what is deprecated', operation({ deprecated: true }), 'deprecated'],
    ['a licence', { info: { title: 'T', version: '1', license: { name: 'MIT' } } }, 'Licence: MIT'],
    [
      'a faulty reference',
      operation({ parameters: [{ $ref: '#/components/parameters/None' }] }),
      'Not served: ',
    ],
  ])('%s', async (_, document, want) => {
    const page = await referenceOf(document);
    expectSound(page);
    expect(textOf(page)).toContain(want);
  });
});

describe('a command', () => {
  const schemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    asked: { type: 'apiKey', in: 'query', name: 'key' },
    kept: { type: 'apiKey', in: 'cookie', name: 'sid' },
    basic: { type: 'http', scheme: 'Basic' },
    oauth: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://x/', scopes: {} } } },
  };
  const command = async (part: object): Promise<string> => {
    const page = await referenceOf({
      paths: { '/a': { post: { operationId: 'make', responses: {}, ...part } } },
      components: { securitySchemes: schemes },
    });
    const [, text = ''] = /<code>(curl [^<]*)<\/code>/.exec(page) ?? [];
    return text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  };

  const body = (key: string, media: object) => ({ requestBody: { content: { [key]: media } } });

  test.each<[string, object, string]>([
    ['a key in a header', { security: [{ key: [] }] }, "-H 'X-Key: API_KEY'"],
    [
      'a key in the query',
      { security: [{ asked: [] }] },
      "'https://api.example/base/a?key=API_KEY'",
    ],
    ['a key in a cookie', { security: [{ kept: [] }] }, "-b 'sid=API_KEY'"],
    ['a name and a password', { security: [{ basic: [] }] }, "-u 'NAME:PASSWORD'"],
    ['a token', { security: [{ oauth: ['x'] }] }, "-H 'Authorization: Bearer TOKEN'"],
    ['a login', { 'x-logged-in-user': 'required' }, "-H 'Authorization: Bearer LOGIN_TOKEN'"],
    [
      'a scheme that is not there',
      { security: [{ none: [] }] },
      "curl -X POST 'https://api.example/base/a'",
    ],
    ['JSON', body('application/json', { example: { a: "it's" } }), `-d '{\n  "a": "it'\\''s"\n}'`],
    [
      'a form',
      body('application/x-www-form-urlencoded', {
        schema: { type: 'object', properties: { a: { type: 'string' } } },
        example: { a: 'b c' },
      }),
      "-d 'a=b+c'",
    ],
    [
      'XML',
      body('application/xml', {
        schema: { type: 'object', xml: { name: 'x' }, properties: { a: { type: 'integer' } } },
      }),
      '<x><a>0</a></x>'.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ],
    [
      'parts',
      body('multipart/form-data', {
        schema: { type: 'object', properties: { a: { type: 'string', example: 'b' } } },
      }),
      "-F 'a=b'",
    ],
    [
      'bytes',
      body('application/octet-stream', { schema: { type: 'string', format: 'binary' } }),
      "--data-binary '@FILE'",
    ],
  ])('carries %s', async (_, part, want) => {
    expect(await command(part)).toContain(want);
  });
});

describe('of a hostile document', () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'{{`;
  const schema = {
    type: 'object',
    description: evil,
    properties: {
      [evil]: { type: 'string', enum: [evil], default: evil, pattern: 'x', example: evil },
    },
  };

  test('shows its texts and runs none', async () => {
    const page = await referenceOf({
      info: {
        title: evil,
        version: evil,
        description: evil,
        contact: { name: evil, url: 'javascript:alert(1)' },
        termsOfService: 'JavaScript:alert(1)',
      },
      tags: [{ name: evil, description: evil }],
      paths: {
        '/a': {
          post: {
            operationId: evil,
            tags: [evil],
            summary: evil,
            description: evil,
            externalDocs: { url: 'javascript:alert(1)', description: evil },
            parameters: [
              {
                name: evil,
                in: 'query',
                description: evil,
                schema: { type: 'string' },
                example: evil,
              },
            ],
            requestBody: {
              description: evil,
              content: { 'application/json': { schema, example: { [evil]: evil } } },
            },
            responses: { 200: { description: evil, content: { [`text/${evil}`]: { schema } } } },
            security: [{ [evil]: [evil] }],
          },
        },
      },
      components: {
        schemas: { Evil: schema },
        securitySchemes: { Odd: { type: 'apiKey', in: 'header', name: evil, description: evil } },
      },
    });
    expect(page.match(/<script|<img|\bhref="\s*javascript:/gi)).toBeNull();
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('ends where schemas go round in circles', async () => {
    const page = await referenceOf({
      paths: {
        '/a': {
          get: {
            operationId: 'a',
            responses: {
              200: {
                description: 'a',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
              },
            },
          },
        },
      },
      components: {
        schemas: {
          A: {
            type: 'object',
            properties: {
              b: { $ref: '#/components/schemas/B' },
              all: { type: 'array', items: { $ref: '#/components/schemas/A' } },
            },
          },
          B: { allOf: [{ $ref: '#/components/schemas/A' }] },
        },
      },
    });
    expectSound(page);
  });

  test('gives operations that are called alike ids of their own', async () => {
    const get = (operationId: string) => ({ get: { operationId, responses: {} } });
    const paths = { '/a': get('a b'), '/b': get('a/b'), '/c': get('a-b'), '/d': get('a-b') };
    const page = await referenceOf({ paths });
    expectSound(page);
    expect(idsOf(page)).toEqual(
      expect.arrayContaining(['operation-a~20b', 'operation-a~2fb', 'operation-a-b']),
    );
  });
});

test('of a thousand operations lets others be served between them', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [
      `/thing${index}/{id}`,
      {
        get: {
          operationId: `get${index}`,
          tags: [`t${index % 7}`],
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'It' } },
        },
      },
    ]),
  );
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 0);
  const page = await referenceOf({ paths });
  clearInterval(count);
  expect(page.match(/<code>curl /g)).toHaveLength(1000);
  expect(turns).toBeGreaterThan(5);
});
