/** Validation of values by the document's schemas, over HTTP, beyond the published cases: D01, D05, D06 and D09. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { casesOf } from '../support/text-cases';
import { faultsOf } from './ask';
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
  expect([deep.status, deep.received, JSON.parse(deep.text).type]).toEqual([
    400,
    refused,
    'invalid-body',
  ]);
});
