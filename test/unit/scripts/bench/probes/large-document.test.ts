/** Documents with as many operations as a measurement wants. */

import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { withOperations } from '../../../../../scripts/bench/probes/flat/large-document';

const document = `openapi: 3.0.3
paths:
  /items:
    get:
      operationId: getItems
    post:
      operationId: addItem
components: {}
`;

const operationsIn = (text: string): number =>
  Object.values(parse(text).paths as object).flatMap(Object.keys).length;

test.each([
  [2, 2],
  [3, 3],
  [50, 50],
  // None is taken away.
  [1, 2],
])('where %i operations are wanted there are %i', (wanted, present) => {
  const text = withOperations(document, wanted);
  expect(operationsIn(text)).toBe(present);
  expect(parse(text).paths['/items']).toEqual(parse(document).paths['/items']);
});
