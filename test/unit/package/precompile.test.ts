/** What a router compiles ahead, and what it tells of examples then. */

import { expect, test } from '@jest/globals';
import { openApiRouter, parseApiDocument } from '../../../src/package';

test.each([
  ['are told behind that, where mocks answer', true, ['example: 2:']],
  ['are not looked at in production', false, []],
])('examples that do not fit %s', async (_, mocks, wanted) => {
  const text = `openapi: 3.0.3
components: {schemas: {Thing: {type: object, properties: {id: {type: integer}}, example: {id: x}}}}
info: {title: Things, version: '1'}
paths: {/a: {get: {responses: {'200': {description: A}}}}}
`;
  const document = parseApiDocument('specs/things.yaml', text);
  const told: string[] = [];
  const router = await openApiRouter(document, {}, {}, { mocks });
  await router.precompile(undefined, ({ rule, line }) => told.push(`${rule}: ${line}:`));
  expect(told).toEqual(wanted);
});
