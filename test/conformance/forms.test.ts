/** Urlencoded forms over HTTP, beyond the published cases: F01, F04 and F10. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { casesOf } from '../support/text-cases';
import { exchangeCase } from './exchange-case';
import { serveResponses } from './serve-replies';
import { refused, serveSchemas } from './serve-schemas';

const form = 'application/x-www-form-urlencoded';

test.each(casesOf(join(__dirname, 'forms.cases.txt')))(
  '%s',
  exchangeCase(form, (text) => text),
);

test('F04 encoding is ignored outside of forms', async () => {
  const numbers = { type: 'object', properties: { l: { type: 'array', items: {} } } };
  const send = await serveSchemas({ echo: numbers }, {}, { echo: { l: { explode: false } } });
  const echo = await send('echo', '{"l":[1]}');
  expect([echo.status, echo.received]).toEqual([200, { l: [1] }]);
});

test.each([
  ['3.2.0', 'tags=a,b&at%5Bx%5D=1&text=a+b'],
  ['3.1.2', 'tags=a&tags=b&at=%7B%22x%22%3A1%7D&text=a+b'],
  ['3.0.4', 'tags=a&tags=b&at=%7B%22x%22%3A1%7D&text=a+b'],
])('F04 encoding of a response in OpenAPI %s', async (openapi, text) => {
  const properties = {
    tags: { type: 'array', items: { type: 'string' } },
    none: { type: 'array', items: { type: 'string' } },
    at: { type: 'object', properties: { x: { type: 'integer' } } },
    secret: { type: 'string', writeOnly: true },
  };
  const encoding = {
    tags: { style: 'form', explode: false },
    none: { style: 'form', explode: false },
    at: { style: 'deepObject', explode: true },
    secret: { style: 'form' },
  };
  const content = { [form]: { schema: { type: 'object', properties }, encoding } };
  const body = { tags: ['a', 'b'], none: [], at: { x: 1 }, text: 'a b', secret: 's' };
  const responses = { 200: { description: 'Fine', content } };
  const get = await serveResponses(
    { echo: { responses, response: { status: 200, body } } },
    { openapi },
  );
  expect((await get('echo')).text).toBe(text);
});

test('F10 a form that is too deep is refused', async () => {
  const send = await serveSchemas({ echo: { type: 'object' } });
  const echo = await send('echo', `a${'[b]'.repeat(5000)}=1`, form, 'application/json');
  expect([echo.status, echo.received]).toEqual([400, refused]);
});
