/** The response of a mock, and the example that a caller asks for. */

import { describe, expect, test } from '@jest/globals';
import { preferredExample, successResponse } from '../../../../src/mock/samples/mock';

describe('the response that is the success', () => {
  test.each([
    ['the lowest 2xx', ['404', '204', '201', 'default'], '201', 201],
    ['a code before the range', ['2XX', '202'], '202', 202],
    ['the range', ['2XX', 'default'], '2XX', 200],
    ['R03 default', ['400', 'default'], 'default', 200],
    ['a redirect', ['400', '303', '302'], '302', 302],
    ['a range of redirects', ['3XX'], '3XX', 302],
    ['200 where only failures are declared', ['400'], '200', 200],
  ])('%s', (_title, keys, key, status) => {
    const nothing = { pointer: '', description: '', headers: [], content: [], links: [] };
    const records = keys.map((name) => ({ ...nothing, key: name }));
    const found = successResponse(records);
    expect([found.response.key, found.status]).toEqual([key, status]);
  });
});

describe('Prefer', () => {
  test.each([
    ['example=cat', 'cat'],
    ['respond-async, example=cat', 'cat'],
    ['wait=1; example="two words"', 'two words'],
    ['Example=Cat', 'Cat'],
    ['myexample=cat', undefined],
    ['code=404', undefined],
    [undefined, undefined],
  ])('%s', (header, name) => {
    expect(preferredExample(header)).toBe(name);
  });
});
