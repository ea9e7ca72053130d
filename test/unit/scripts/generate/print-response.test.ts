import { describe, expect, test } from '@jest/globals';
import { printResponse } from '../../../../scripts/generate/print-operation';
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

const text = content({ type: 'string' });
const number = content({ type: 'number' });
const user = content({ $ref: '#/components/schemas/User' });
const location = { headers: [header('Location', { type: 'string' }, true)] };

describe('printResponse', () => {
  test.each<readonly [title: string, responses: readonly ResolvedResponse[], want: string]>([
    ['R01 an explicit status', [response('200', text)], '{ status: 200; body: string }'],
    [
      'several statuses',
      [response('200', text), response('409', number)],
      '{ status: 200; body: string } | { status: 409; body: number }',
    ],
    [
      'statuses that carry the same',
      [response('200', text), response('404', number), response('409', number)],
      '{ status: 200; body: string } | { status: 404 | 409; body: number }',
    ],
    [
      'R01 R03 a range and default by their names',
      [response('201'), response('4XX', number), response('default', number)],
      "{ status: 201 } | { status: '4XX' | 'default'; body: number }",
    ],
    ['a redirect', [response('302', location)], '{ status: 302; headers: { Location: string } }'],
    ['a 1xx is no final response', [response('102'), response('200')], '{ status: 200 }'],
    ['R09 204 has no body, whatever is declared', [response('204', text)], '{ status: 204 }'],
    ['R09 nor has 304', [response('304', text)], '{ status: 304 }'],
    [
      'media types that differ',
      [response('200', content({ type: 'string' }, { type: 'number' }, { type: 'string' }))],
      '{ status: 200; body: string | number }',
    ],
    [
      'a media type without a schema',
      [response('200', content({}))],
      '{ status: 200; body: unknown }',
    ],
    ['R10 as responses carry it', [response('200', user)], '{ status: 200; body: UserResponse }'],
    [
      'headers that may all be left out',
      [response('200', { headers: [header('Via', { type: 'string' })] })],
      '{ status: 200; headers?: { Via?: string | undefined } }',
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
  headers: { 'X-Rate-Limit'?: number | undefined; 'X-Total': bigint };
}`,
    ],
  ])('%s', (_, responses, want) => {
    expect(printResponse(responses, schemas)).toBe(`response: ${want}`);
  });

  test('those that do not fit a line stand on a line each', () => {
    const responses = [response('200', user), response('400', text), response('429', location)];
    expect(printResponse(responses, schemas)).toBe(`response:
  | { status: 200; body: UserResponse }
  | { status: 400; body: string }
  | { status: 429; headers: { Location: string } }`);
  });
});
