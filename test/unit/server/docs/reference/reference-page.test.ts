/** The reference says what the document says, whatever that is. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../../src/engine/document/document';
import { documentOf, pageOf, referenceOf, textOf } from '../make-reference';

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

/** One operation: what it says, and what its response says, beside what each needs. */
const operation = (part: string, ok = '') => `
paths:
  /a/{id}:
    get:
      operationId: read
      responses: { 200: { description: Yes, ${ok} } }
      ${part}
`;
const parameter = (schema: string) =>
  operation(`parameters: [{ name: id, in: path, required: true, schema: ${schema} }]`);
const json = (schema: string) => `content: { application/json: { schema: ${schema} } }`;

describe('says of', () => {
  const deep = '{ type: object, properties: { deep: { type: boolean, nullable: true } } }';

  test.each<[string, string, string]>([
    ['a type', parameter('{ type: integer, format: int64 }'), 'id path integer (int64) required'],
    [
      'limits',
      parameter('{ type: integer, minimum: 1, maximum: 9, exclusiveMaximum: true }'),
      'at least 1 ; less than 9',
    ],
    [
      'values',
      parameter('{ type: string, enum: [a, b], default: a }'),
      'one of a , b ; a unless given',
    ],
    [
      'alternatives',
      parameter('{ type: integer, anyOf: [{ maximum: 5 }, { minimum: 11 }] }'),
      'at most 5 or at least 11',
    ],
    [
      'a list',
      parameter('{ type: array, items: { type: string }, minItems: 1 }'),
      'list of string',
    ],
    [
      'a map',
      operation('', json('{ type: object, additionalProperties: { type: integer } }')),
      'application/json : map of integer',
    ],
    [
      'nameless objects',
      operation(
        `requestBody: { ${json(`{ type: object, required: [b], properties: { b: ${deep} } }`)} }`,
      ),
      'b object required deep boolean or null',
    ],
    [
      'headers',
      operation('', 'headers: { X-Left: { description: Calls left, schema: { type: integer } } }'),
      'Header X-Left integer Calls left',
    ],
    ['what is open', operation(''), 'Public.'],
    [
      'a login',
      `${parameter('{}')}      x-logged-in-user: '{id}'`,
      'The login of the user that id names is needed.',
    ],
    ['what is deprecated', operation('deprecated: true'), 'deprecated'],
    ['a licence', 'info: { title: T, version: 1.0.0, license: { name: MIT } }', 'Licence: MIT'],
    [
      'a faulty reference',
      operation("parameters: [{ $ref: '#/components/parameters/None' }]"),
      'Not served: ',
    ],
  ])('%s', async (_, document, want) => {
    const page = await referenceOf(document);
    expectSound(page);
    expect(textOf(page)).toContain(want);
  });
});

describe('a command', () => {
  const command = async (part: string): Promise<string> => {
    const page = await referenceOf(`
paths:
  /a:
    post:
      operationId: make
      responses: {}
      ${part}
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    asked: { type: apiKey, in: query, name: key }
    kept: { type: apiKey, in: cookie, name: sid }
    basic: { type: http, scheme: Basic }
    oauth: { type: oauth2, flows: { implicit: { authorizationUrl: 'https://x/', scopes: {} } } }
`);
    const [, text = ''] = /<code>(curl [^<]*)<\/code>/.exec(page) ?? [];
    return text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  };

  const body = (key: string, media: string) => `requestBody: { content: { ${key}: ${media} } }`;
  const objectOf = (properties: string) => `{ type: object, properties: { ${properties} } }`;
  const xml = '{ type: object, xml: { name: x }, properties: { a: { type: integer } } }';

  test.each<[string, string, string]>([
    ['a key in a header', 'security: [{ key: [] }]', "-H 'X-Key: API_KEY'"],
    ['a key in the query', 'security: [{ asked: [] }]', "'https://api.example/base/a?key=API_KEY'"],
    ['a key in a cookie', 'security: [{ kept: [] }]', "-b 'sid=API_KEY'"],
    ['a name and a password', 'security: [{ basic: [] }]', "-u 'NAME:PASSWORD'"],
    ['a token', 'security: [{ oauth: [x] }]', "-H 'Authorization: Bearer TOKEN'"],
    ['a login', 'x-logged-in-user: required', "-H 'Authorization: Bearer LOGIN_TOKEN'"],
    ['no scheme', 'security: [{ none: [] }]', "curl -X POST 'https://api.example/base/a'"],
    [
      'JSON',
      body('application/json', `{ example: { a: "it's" } }`),
      `-d '{\n  "a": "it'\\''s"\n}'`,
    ],
    [
      'a form',
      body(
        'application/x-www-form-urlencoded',
        `{ schema: ${objectOf('a: { type: string }')}, example: { a: b c } }`,
      ),
      "-d 'a=b+c'",
    ],
    [
      'XML',
      body('application/xml', `{ schema: ${xml} }`),
      '&lt;x&gt;&lt;a&gt;0&lt;/a&gt;&lt;/x&gt;',
    ],
    [
      'parts',
      body('multipart/form-data', `{ schema: ${objectOf('a: { type: string, example: b }')} }`),
      "-F 'a=b'",
    ],
    [
      'bytes',
      body('application/octet-stream', '{ schema: { type: string, format: binary } }'),
      "--data-binary '@FILE'",
    ],
  ])('carries %s', async (_, part, want) => {
    expect(await command(part)).toContain(want);
  });
});

describe('of a hostile document', () => {
  const text = `"><script>alert(1)</script><img src=x onerror=alert(1)>'{{`;
  const [evil, media] = [JSON.stringify(text), JSON.stringify(`text/${text}`)];

  test('shows its texts and runs none', async () => {
    const page = await referenceOf(`
info:
  title: ${evil}
  version: ${evil}
  description: ${evil}
  contact: { name: ${evil}, url: 'javascript:alert(1)' }
  termsOfService: JavaScript:alert(1)
tags: [{ name: ${evil}, description: ${evil} }]
paths:
  /a:
    post:
      operationId: ${evil}
      tags: [${evil}]
      summary: ${evil}
      description: ${evil}
      externalDocs: { url: 'javascript:alert(1)', description: ${evil} }
      parameters:
        - { name: ${evil}, in: query, description: ${evil}, schema: { type: string }, example: ${evil} }
      requestBody:
        description: ${evil}
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Evil' }
            example: { ? ${evil} : ${evil} }
      responses:
        200:
          description: ${evil}
          content: { ? ${media} : { schema: { $ref: '#/components/schemas/Evil' } } }
      security: [{ ? ${evil} : [${evil}] }]
components:
  schemas:
    Evil:
      type: object
      description: ${evil}
      properties:
        ? ${evil}
        : { type: string, enum: [${evil}], default: ${evil}, pattern: x, example: ${evil} }
  securitySchemes:
    Odd: { type: apiKey, in: header, name: ${evil}, description: ${evil} }
`);
    expect(page.match(/<script|<img|\bhref="\s*javascript:/gi)).toBeNull();
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('ends where schemas go round in circles', async () => {
    const [a, b] = ['A', 'B'].map((name) => `{ $ref: '#/components/schemas/${name}' }`);
    const page = await referenceOf(`${operation('', json(`${a}`))}
components:
  schemas:
    A: { type: object, properties: { b: ${b}, all: { type: array, items: ${a} } } }
    B: { allOf: [${a}] }
`);
    expectSound(page);
  });

  test('gives operations that are called alike ids of their own', async () => {
    const get = (path: string, id: string) =>
      `  ${path}: { get: { operationId: ${id}, responses: {} } }`;
    const paths = [get('/a', 'a b'), get('/b', 'a/b'), get('/c', 'a-b'), get('/d', 'a-b')];
    const page = await referenceOf(`\npaths:\n${paths.join('\n')}`);
    expectSound(page);
    expect(idsOf(page)).toEqual(
      expect.arrayContaining(['operation-a~20b', 'operation-a~2fb', 'operation-a-b']),
    );
  });
});

test('of a thousand operations lets others be served between them', async () => {
  const paths = Array.from(
    { length: 1000 },
    (_, index) => `
  /thing${index}/{id}:
    get:
      operationId: get${index}
      tags: [t${index % 7}]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { 200: { description: It } }`,
  );
  const document = documentOf(`\npaths:${paths.join('')}`);
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 0);
  const page = await pageOf(document);
  clearInterval(count);
  expect(page.match(/<code>curl /g)).toHaveLength(1000);
  expect(turns).toBeGreaterThan(5);
});
