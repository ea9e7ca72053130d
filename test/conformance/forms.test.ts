/** Urlencoded forms over HTTP, beyond the published cases: F01, F04 and F10. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { casesOf } from '../support/text-cases';
import { exchangeCase } from './exchange-case';
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

test('F10 a form that is too deep is refused', async () => {
  const send = await serveSchemas({ echo: { type: 'object' } });
  const echo = await send('echo', `a${'[b]'.repeat(5000)}=1`, form, 'application/json');
  expect([echo.status, echo.received]).toEqual([400, refused]);
});
