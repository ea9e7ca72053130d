/** Errors in each media type and schema that is declared for them: R05 and R06. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { serveDocument } from '../support/serve-document';
import { valuesOf } from '../support/text-cases';
import { ask } from './ask';
import { type Answering, type Get, response, serveResponses } from './serve-replies';

const formCases = join(__dirname, 'error-forms.cases.txt');
const json = 'application/json';
const xml = 'application/xml';
const problemJson = 'application/problem+json';
const text = { type: 'string' };
const integer = { type: 'integer' };
const own = { type: 'object', properties: { code: integer, type: text, message: text } };
const problem = {
  type: 'object',
  required: ['type', 'title', 'status'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: text,
    status: integer,
    detail: text,
    instance: text,
  },
};

const parameters = [{ name: 'n', in: 'query', required: true, schema: integer }];

/** An operation whose 400 is this; the query parameter `n` is missing in each request. */
const refused = (entry: object): Answering => ({
  responses: { 200: { description: 'Fine' }, 400: entry },
  response: { status: 200 },
  operation: { parameters },
});
const described = (description: string, schema: object, ...types: string[]): Answering =>
  refused({ ...response(schema, ...types), description });
const bare = (...types: string[]): Answering =>
  refused({
    description: 'Bad <b>',
    content: Object.fromEntries(types.map((type) => [type, {}])),
  });
const withErrors = (errors: object): object => ({
  ...problem,
  properties: { ...problem.properties, errors },
});

const faults = '"errors":[{"in":"query","path":"n","message":"is required","rule":"required"}]';
const sentence = 'A parameter does not fit its schema';
const own400 = (message: string) =>
  `{"code":400,"type":"invalid-parameter","message":"${message}",${faults}}`;
const problem400 = (title: string) =>
  `{"type":"about:blank","title":"${title}","status":400,"detail":"${sentence}"`;

const operations: Readonly<Record<string, Answering>> = {
  plain: bare('text/plain'),
  plainText: described('Bad', text, 'text/plain'),
  undescribed: described('', text, 'text/plain'),
  html: described('Bad <b>', text, 'text/html'),
  bareHtml: bare('text/html'),
  csv: described('Bad', text, 'text/csv'),
  anyText: bare('text/*'),
  anything: bare('*/*'),
  jsonText: described('Bad', text, json),
  xmlText: described('Bad', text, xml),
  textAndJson: described('Bad', {}, 'text/plain', json),
  own: described('Bad', own, json),
  problem: described('Bad', problem, problemJson),
  undescribedProblem: described('', problem, problemJson),
  bareProblem: bare(problemJson),
  strictProblem: described('Bad', { ...problem, additionalProperties: false }, problemJson),
  mapProblem: described(
    'Bad',
    withErrors({ type: 'object', additionalProperties: { type: 'array', items: text } }),
    problemJson,
  ),
  listProblem: described('Bad', withErrors({ type: 'array', items: {} }), problemJson),
  problemInJson: described('Bad', problem, json),
  problemXml: described('Bad', { ...problem, xml: { name: 'problem' } }, 'application/problem+xml'),
  ownProblem: described('Bad', own, problemJson),
  yaml: described('Bad', own, 'application/yaml'),
  bytes: described('Bad', { type: 'string', format: 'binary' }, 'text/plain'),
  pdf: described('Bad', { type: 'string', format: 'binary' }, 'application/pdf'),
  jwt: described('Bad', text, 'application/jwt'),
  table: described('Bad', { type: 'array', items: own }, 'text/csv'),
  numbers: described('Bad', integer, json),
  msgpack: described('Bad', own, 'application/msgpack'),
};

const cases: [name: string, accept: string | undefined, type: string, body: string][] = [
  ['plain', undefined, 'text/plain; charset=utf-8', 'Bad <b>'],
  ['plainText', undefined, 'text/plain; charset=utf-8', 'Bad'],
  ['undescribed', undefined, 'text/plain; charset=utf-8', sentence],
  ['html', undefined, 'text/html; charset=utf-8', 'Bad &lt;b&gt;'],
  ['bareHtml', undefined, 'text/html; charset=utf-8', 'Bad &lt;b&gt;'],
  ['csv', undefined, 'text/csv; charset=utf-8', 'Bad'],
  ['anyText', undefined, 'text/plain; charset=utf-8', 'Bad <b>'],
  ['anything', undefined, json, own400('Bad <b>')],
  ['jsonText', undefined, json, '"Bad"'],
  ['xmlText', undefined, 'application/xml; charset=utf-8', '<string>Bad</string>'],
  ['textAndJson', 'text/plain', 'text/plain; charset=utf-8', 'Bad'],
  ['textAndJson', undefined, json, own400('Bad')],
  ['own', undefined, json, own400('Bad')],
  ['problem', undefined, problemJson, `${problem400('Bad')},${faults}}`],
  ['undescribedProblem', undefined, problemJson, `${problem400('Bad Request')},${faults}}`],
  ['bareProblem', undefined, problemJson, `${problem400('Bad <b>')},${faults}}`],
  ['strictProblem', undefined, problemJson, `${problem400('Bad')}}`],
  ['mapProblem', undefined, problemJson, `${problem400('Bad')}}`],
  ['listProblem', undefined, problemJson, `${problem400('Bad')},${faults}}`],
  ['problemInJson', undefined, json, `${problem400('Bad')},${faults}}`],
  [
    'problemXml',
    undefined,
    'application/problem+xml; charset=utf-8',
    `<problem><type>about:blank</type><title>Bad</title><status>400</status><detail>${sentence}</detail>`,
  ],
  ['ownProblem', undefined, problemJson, own400('Bad')],
  ['yaml', undefined, 'application/yaml', 'code: 400\ntype: invalid-parameter\nmessage: Bad\n'],
  ...['bytes', 'pdf', 'jwt', 'table', 'numbers', 'msgpack'].map(
    (name): [string, undefined, string, string] => [name, undefined, json, own400('Bad')],
  ),
];

describe.each([true, false])('where checking answers is %s', (validateResponses) => {
  let get: Get;
  beforeAll(async () => {
    get = await serveResponses(operations, {}, validateResponses);
  });

  test.each(cases)('R06 %s, Accept: %s', async (name, accept, type, body) => {
    const answer = await get(name, accept);
    expect([answer.status, answer.headers['content-type']]).toEqual([400, type]);
    expect(answer.text.replace(/^<\?xml.*\n/, '').slice(0, body.length)).toBe(body);
  });
});

describe('R15 errors fit what is declared', () => {
  interface Named {
    readonly mediaType?: string;
    readonly schema: object;
    readonly example?: unknown;
    readonly want: unknown;
  }
  const named: Readonly<Record<string, Named>> = parse(
    readFileSync(join(__dirname, 'error-forms.yaml'), 'utf8'),
  );

  type Form = [name: string, schema: object, faults: unknown, failure: unknown];
  test.each(valuesOf<Form>(formCases, 'forms'))(
    'in the form that a schema has for them: %s',
    async (name, schema, faults, failure) => {
      const item = { type: 'object', required: ['name'], properties: { name: text } };
      const items = { type: 'array', items: item };
      const requestBody = {
        content: { [json]: { schema: { type: 'object', properties: { items } } } },
      };
      const entry = { description: 'Bad', content: { [json]: { schema } } };
      const { url } = await serveDocument({
        document: {
          openapi: '3.1.2',
          paths: {
            '/{id}': {
              post: {
                operationId: name,
                parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
                requestBody,
                responses: { 200: { description: 'Fine' }, 422: entry },
              },
            },
          },
        },
        handlers: {
          [name]({ fail }) {
            throw fail(422);
          },
        },
      });
      const post = async (path: string, body: string) => {
        const headers = { 'Content-Type': json };
        return JSON.parse((await ask(url, path, { method: 'POST', headers, body })).text);
      };
      expect(await post('/x', '{"items":[{}]}')).toEqual(faults);
      expect(await post('/1', '{}')).toEqual(failure);
    },
  );

  test.each(['3.0.4', '3.1.2'])('of %s', async (openapi) => {
    const operations = Object.fromEntries(
      Object.entries(named).map(([name, { mediaType = json, schema, example }]) => [
        name,
        refused({ description: 'Bad', content: { [mediaType]: { schema, example } } }),
      ]),
    );
    for (const validateResponses of [true, false]) {
      const get = await serveResponses(operations, { openapi }, validateResponses);
      for (const [name, { want }] of Object.entries(named)) {
        const { status, text: body } = await get(name);
        expect([name, status, JSON.parse(body)]).toEqual([name, 400, want]);
      }
    }
  });

  test('in XML', async () => {
    const schema = { ...named['closed']?.schema, xml: { name: 'error' } };
    const get = await serveResponses({ xml: described('Bad', schema, xml) });
    expect((await get('xml')).text).toMatch(
      /<error><code>400<\/code><message>Bad<\/message><\/error>$/,
    );
  });

  test.each<[key: string, accept: string | undefined, type: string, body: RegExp]>([
    ['*/*', undefined, json, /^\{"code":400/],
    ['*/*', 'text/html', 'text/html; charset=utf-8', /^Bad$/],
    ['*/*', 'application/xml', 'application/xml; charset=utf-8', /<code>400<\/code>/],
    ['*/*', 'image/png', json, /^\{"code":400/],
    ['application/*', 'application/vnd.a+json', 'application/vnd.a+json', /^\{"code":400/],
    ['application/*+json', problemJson, problemJson, /^\{"type":"about:blank"/],
    ['text/*', undefined, 'text/plain; charset=utf-8', /^Bad$/],
    ['text/*', 'text/xml', 'text/xml; charset=utf-8', /<code>400<\/code>/],
  ])('R13 under %s, Accept: %s', async (key, accept, type, body) => {
    const get = await serveResponses({ one: described('Bad', {}, key) });
    const answer = await get('one', accept);
    expect([answer.status, answer.headers['content-type']]).toEqual([400, type]);
    expect(answer.text).toMatch(body);
  });
});

describe('R06 with a response for all operations', () => {
  const fallback = (schema: object, ...types: string[]) => ({
    'x-fallback-response': { ...response(schema, ...types), description: 'Unexpected' },
  });

  test('that is a text', async () => {
    const get = await serveResponses(operations, fallback(text, 'text/plain'));
    const answer = await get('nowhere');
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      404,
      'text/plain; charset=utf-8',
      'No operation has this path',
    ]);
  });

  const list = { type: 'array', items: {} };
  const required = { required: ['errors'], properties: { errors: list } };
  test.each<[name: string, schema: object, type: string, body: object]>([
    [
      'error',
      { allOf: [own, required] },
      json,
      { code: 404, message: 'No operation has this path' },
    ],
    [
      'problem',
      { ...withErrors(list), required: ['title', 'errors'] },
      problemJson,
      { status: 404 },
    ],
  ])(
    'that requires the list of errors, in a body of %s that has none',
    async (_, schema, type, body) => {
      for (const validateResponses of [true, false]) {
        const get = await serveResponses(operations, fallback(schema, type), validateResponses);
        const answer = await get('nowhere');
        expect(answer.headers['content-type']).toBe(type);
        expect(JSON.parse(answer.text)).toMatchObject({ ...body, errors: [] });
      }
    },
  );

  test.each<[string, string, number, string]>([
    ['GET', 'nowhere', 404, ''],
    ['PUT', 'plain', 405, ''],
    ['GET', 'undeclared', 400, '<type>invalid-parameter</type>'],
  ])(
    'that is XML or JSON, %s %s answers %i as the caller asks',
    async (method, name, status, more) => {
      const { 400: _, ...others } = Object(operations['plain']?.responses);
      const undeclared = { ...refused({}), responses: others };
      const get = await serveResponses(
        { ...operations, undeclared },
        fallback({ ...own, xml: { name: 'own' } }, xml, json),
      );
      expect(JSON.parse((await get(name, undefined, method)).text).code).toBe(status);
      const answer = await get(name, xml, method);
      expect([answer.status, answer.headers['content-type']]).toEqual([
        status,
        `${xml}; charset=utf-8`,
      ]);
      expect(answer.headers['vary']).toBe('Accept');
      expect(answer.text).toContain(`<own><code>${status}</code>${more}`);
    },
  );
});

test('R05 406 names what there is', async () => {
  const get = await serveResponses({
    two: {
      responses: {
        200: response(text, json, 'application/xml'),
        201: response(text, json, 'text/plain'),
      },
      response: { status: 200, body: 'a' },
    },
  });
  const { status, text: body, called } = await get('two', 'image/png');
  expect([status, JSON.parse(body).message, called]).toEqual([
    406,
    'The Accept header must allow one of application/json, application/xml, text/plain',
    false,
  ]);
});

/** Schemas of errors whose members are not ours, as frameworks write them; no schema requires them. */
type Foreign = [name: string, schema: object, mediaType: string, want: object];
const foreign = valuesOf<Foreign>(formCases, 'members of others');

describe('R05 the members that a schema of others declares', () => {
  let get: Get;
  beforeAll(async () => {
    get = await serveResponses(
      Object.fromEntries(
        foreign.map(([, schema, type], at) => [`o${at}`, described('Bad', schema, type)]),
      ),
    );
  });

  test.each(foreign.map(([name, , , want], at) => [name, at, want] as const))(
    'are filled: %s',
    async (_, at, want) => {
      expect(JSON.parse((await get(`o${at}`)).text)).toEqual(want);
    },
  );
});
