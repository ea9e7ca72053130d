/** The response of a mock, and the example that a caller asks for. */

import { describe, expect, test } from '@jest/globals';
import { successResponse } from '../../../../src/mock/samples/mock';
import { preferenceApplied, preferencesIn } from '../../../../src/mock/samples/preferences';

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
  test.each<[prefer: string | undefined, name: string | undefined, code: number | undefined]>([
    ['example=cat', 'cat', undefined],
    ['respond-async, example=cat', 'cat', undefined],
    ['wait=1; example="two words"', 'two words', undefined],
    ['Example=Cat', 'Cat', undefined],
    ['myexample=cat', undefined, undefined],
    ['code=404', undefined, 404],
    ['code="503", example=full', 'full', 503],
    ['CODE = 404 ;example = cat ; foo', 'cat', 404],
    ['example=one, example=two, code=404, code=500', 'one', 404],
    ['note="a, code=404", example="say \\"a\\""', 'say "a"', undefined],
    ['code=4040, example=""', undefined, undefined],
    ['code=101', undefined, undefined],
    ['code', undefined, undefined],
    ['code=404=405, example=a b', undefined, undefined],
    ['=,;code=-1', undefined, undefined],
    [undefined, undefined, undefined],
  ])('%s', (prefer, name, code) => {
    const { example, ...others } = preferencesIn({ prefer });
    expect([example, others.code]).toEqual([name, code]);
  });

  test('a long header is read in time', () => {
    const prefer = `${'a ; '.repeat(2000)}${' '.repeat(8000)}"${'\\"'.repeat(4000)}`;
    const started = performance.now();
    expect(preferencesIn({ prefer })).toEqual({});
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test('names that are no token are quoted', () => {
    const applied = preferenceApplied({ code: 404, example: 'say "a"' });
    expect(applied['Preference-Applied']).toBe('code=404, example="say \\"a\\""');
  });
});
