/** Requests that equal examples of the document get the response's example of their name, whatever their format. */

import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { askAt } from '../../support/ask';
import { serveDocument } from '../../support/serve-document';
import { valuesOf } from '../../support/text-cases';

const cases = join(__dirname, 'equal-examples.cases.txt');

const rates = `
openapi: 3.0.3
info: { title: Rates, version: '1' }
servers: [{ url: /r }]
paths:
  /rate:
    get:
      parameters:
        - { name: from, in: query, required: true, schema: { type: string }, examples: { dear: { value: CHF }, cheap: { value: EUR }, other: { value: EUR } } }
        - { name: amount, in: query, schema: { type: integer, format: int64, default: 1 }, examples: { dear: { value: 9007199254740993 }, cheap: { value: 1 } } }
        - { name: X-Tags, in: header, schema: { type: array, items: { type: integer } }, examples: { tagged: { value: [1, 2] } } }
      responses:
        '200':
          description: A rate
          content:
            application/json: { schema: &rate { type: object, properties: { rate: { type: number } } }, examples: { usual: { value: { rate: 1 } }, dear: { value: { rate: 9 } }, cheap: { value: { rate: 2 } }, other: { value: { rate: 3 } } } }
            application/xml: { schema: *rate, examples: { cheap: { value: '<object><rate>2.0</rate></object>' } } }
        '422': { description: None, content: { application/json: { schema: { type: object }, examples: { tagged: { value: { message: No tags } } } } } }
  /convert:
    post:
      requestBody:
        content:
          application/json: { schema: &order { $ref: '#/components/schemas/Order' }, examples: { large: { value: { id: 5, amount: 1000, to: CHF } }, empty: { value: { amount: 0 } } } }
          application/xml: { schema: *order, examples: { small: { value: '<Order><amount>1</amount></Order>' } } }
          application/x-www-form-urlencoded: { schema: *order }
      responses:
        '200': { description: Converted, content: { application/json: { schema: *rate, examples: { usual: { value: { rate: 1 } }, small: { value: { rate: 2 } }, large: { value: { rate: 3 } } } } } }
        4XX: { description: Refused, content: { application/json: { schema: { type: object }, examples: { empty: { value: { message: Nothing } } } } } }
  /things:
    get: { responses: { '200': { description: Things, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Thing' }, examples: { nut: { value: { name: Nut } }, taken: { value: { name: Taken } } } } } }
      responses:
        '201': { description: Added, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' }, examples: { nut: { value: { id: 40, name: Nut } } } } } }
        '409': { description: Taken, content: { application/json: { schema: { type: object }, examples: { taken: { value: { message: Taken } } } } } }
  /things/{id}:
    get: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '200': { description: A thing, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } } }
components:
  schemas:
    Order: { type: object, required: [amount], properties: { id: { type: integer, readOnly: true }, amount: { type: integer }, to: { type: string, default: EUR } } }
    Thing: { type: object, required: [name], properties: { id: { type: integer }, name: { type: string } } }
`;

describe('a request that equals examples', () => {
  let ask: ReturnType<typeof askAt>;
  beforeAll(async () => {
    ask = askAt(new URL((await serveDocument({ document: rates, mocks: true })).url).origin);
  });
  const json = 'application/json';
  const xml = 'application/xml';
  const form = 'application/x-www-form-urlencoded';

  test.each(
    valuesOf<[request: string, headers: Record<string, string>, status: number, body: string]>(
      cases,
      'requests',
    ),
  )('%s', async (_title, headers, status, line) => {
    const [query, ...body] = line.split(' ');
    const answer = await ask(`GET /r/rate?${query}`, { headers });
    expect([answer.status, answer.text]).toEqual([status, body.join(' ')]);
    expect([answer.headers['x-mock'], answer.headers['preference-applied']]).toEqual([
      'true',
      headers['Prefer'] && 'example=other',
    ]);
  });

  test.each([
    [json, '{"to":"CHF","amount":1e3}', 200, '{"rate":3}'],
    [json, '{"amount":1000}', 200, '{"rate":1}'],
    [json, '{"amount":1,"to":"EUR"}', 200, '{"rate":2}'],
    [xml, '<Order><to>CHF</to><amount>1000</amount></Order>', 200, '{"rate":3}'],
    [form, 'amount=1000&to=CHF', 200, '{"rate":3}'],
    [json, '{"amount":0}', 400, '{"message":"Nothing"}'],
  ])('%s %s', async (type, body, status, text) => {
    const answer = await ask('POST /r/convert', { headers: { 'Content-Type': type }, body });
    expect([answer.status, answer.text]).toEqual([status, text]);
  });

  test('fails by its example where mocks remember, and else acts', async () => {
    const headers = { 'Content-Type': json };
    const told = [];
    for (const name of ['Taken', 'Nut', 'Nut']) {
      const { status, text } = await ask('POST /r/things', {
        headers,
        body: JSON.stringify({ name }),
      });
      told.push(`${status} ${text}`);
    }
    expect(told).toEqual([
      '409 {"message":"Taken"}',
      '201 {"id":41,"name":"Nut"}',
      '201 {"id":42,"name":"Nut"}',
    ]);
    expect((await ask('GET /r/things/42', {})).text).toBe('{"id":42,"name":"Nut"}');
  });
});
