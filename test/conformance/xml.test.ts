/** The names of elements and attributes through a whole exchange: X01 to X21. */

import { expect, test } from '@jest/globals';
import { xmlNameCases } from '../unit/engine/media-types/xml/xml-names.cases';
import { type Bad, declaration, refuses, xml as xmlType } from './exchange-xml';
import { serveSchemas } from './serve-schemas';

test.each(xmlNameCases)('$title', async ({ schema, components = {}, value, xml }) => {
  const send = await serveSchemas({ echo: schema }, components);
  const echo = await send('echo', declaration + xml, xmlType);
  expect([echo.status, echo.received]).toEqual([200, value]);
  expect([echo.headers['content-type'], echo.body]).toEqual([
    'application/xml; charset=utf-8',
    declaration + xml,
  ]);
});

test.each<Bad>([
  ['X13 another namespace', 'named', `<r:o xmlns:r="http://b.test/root"/>`],
  ['X13 no namespace', 'named', '<o><id>5</id></o>'],
  ['X13 an unbound prefix', 'named', '<r:o><a:id>5</a:id></r:o>'],
  ['X20 another root', 'pets', '<pet><id>1</id></pet>'],
  ['X20 items of another name', 'pets', '<pets><dog/></pets>'],
  ['X21 another name', 'token', '<token>a</token>'],
])('%s is refused', refuses);
