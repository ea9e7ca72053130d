import { describe, expect, test } from '@jest/globals';
import { printFailure, printResponse } from '../../../../scripts/generate/print-response';
import type { Parameter, ResolvedResponse } from '../../../../src/engine/document/model/operation';
import { namedSchemas } from './named-schemas';

const schemas = namedSchemas({
  User: { type: 'object', properties: { password: { type: 'string', writeOnly: true } } },
});

type Part = Partial<ResolvedResponse>;

const response = (key: string, part: Part = {}): ResolvedResponse => ({
  key,
  description: '',
  headers: [],
  content: [],
  ...part,
});

const content = (...schemaList: Parameter['schema'][]): Part => ({
  content: schemaList.map((schema, index) => ({ key: `type/${index}`, schema, encoding: {} })),
});

const header = (name: string, schema: Parameter['schema'], required = false): Parameter => ({
  name,
  in: 'header',
  required,
  style: 'simple',
  explode: false,
  allowEmptyValue: false,
  schema,
  mediaType: undefined,
  commaSeparated: false,
});

/** A reply that declares no headers. */
const reply = (status: number, body?: string): string =>
  `{ status: ${status}; ${body ? `body: ${body}` : 'body?: undefined'}; headers?: FurtherHeaders }`;

const text = content({ type: 'string' });
const failure = content({ type: 'boolean' });
const number = content({ type: 'number' });

describe('printResponse', () => {
  test.each<readonly [title: string, responses: readonly ResolvedResponse[], want: string]>([
    ['R01 an explicit status', [response('200', text)], reply(200, 'string')],
    [
      'R01 several statuses',
      [response('200', text), response('201', number)],
      `${reply(200, 'string')} | ${reply(201, 'number')}`,
    ],
    [
      'R01 a range stands for what is not declared beside it and can have a body',
      [response('200', text), response('2XX', number)],
      `${reply(200, 'string')} | {
  status: 201 | 202 | 203 | 206 | 207 | 208 | 226;
  body: number;
  headers?: FurtherHeaders;
}`,
    ],
    [
      'R01 a range without content',
      [response('2XX')],
      `{
  status: 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;
  body?: undefined;
  headers?: FurtherHeaders;
}`,
    ],
    [
      'R03 default is the success where none is declared',
      [response('400', failure), response('default', text)],
      reply(200, 'string'),
    ],
    [
      'R03 default is the error where one is',
      [response('201', text), response('default', failure)],
      reply(201, 'string'),
    ],
    ['nothing but failures', [response('400', failure)], reply(200)],
    ['R04 no content', [response('200')], reply(200)],
    ['R09 204 has no body, whatever is declared', [response('204', text)], reply(204)],
    [
      'media types that differ',
      [response('200', content({ type: 'string' }, { type: 'number' }, { type: 'string' }))],
      reply(200, 'string | number'),
    ],
    ['a media type without a schema', [response('200', content({}))], reply(200, 'unknown')],
    [
      'R10 as replies carry it',
      [response('200', content({ $ref: '#/components/schemas/User' }))],
      reply(200, 'UserResponse'),
    ],
    [
      'headers that may all be left out',
      [response('200', { headers: [header('Via', { type: 'string' })] })],
      `{
  status: 200;
  body?: undefined;
  headers?: {
    Via?: string | undefined;
    [name: string]: string | number | readonly string[] | undefined;
  };
}`,
    ],
    [
      'R07 declared headers',
      [
        response('200', {
          headers: [
            header('X-Rate-Limit', { type: 'integer', format: 'int32' }),
            header('X-Total', { type: 'integer', format: 'int64' }, true),
          ],
        }),
      ],
      `{
  status: 200;
  body?: undefined;
  headers: {
    'X-Rate-Limit'?: number | undefined;
    'X-Total': bigint;
    [name: string]: string | number | readonly string[] | bigint | undefined;
  };
}`,
    ],
  ])('%s', (_, responses, want) => {
    expect(printResponse(responses, schemas)).toBe(want);
  });
});

describe('printFailure', () => {
  test.each([
    ['the declared statuses that are no success, in order', ['404', '200', '400'], '400 | 404'],
    ['no ranges, no default', ['200', '4XX', 'default'], 'never'],
    ['redirects count', ['200', '302'], '302'],
  ])('%s', (_, keys, want) => {
    expect(printFailure(keys.map((key) => response(key)))).toBe(want);
  });
});
