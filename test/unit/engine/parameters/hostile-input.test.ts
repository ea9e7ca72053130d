/** Reading any text ends with values or faults and never throws. */

import { expect, test } from '@jest/globals';
import { assert, constantFrom, property, string, stringMatching } from 'fast-check';
import { type GivenParameter, parameter, readAll } from './read-parameter';

const schemas: object[] = [
  { type: 'string' },
  { type: 'integer', format: 'int64' },
  { type: 'array', items: { type: 'number' } },
  { type: 'object', properties: { a: { type: 'array', items: { type: 'integer' } } } },
  { oneOf: [{ type: 'array', items: {} }, { type: 'object' }] },
  {},
];
const layouts: GivenParameter[] = [
  {},
  { explode: false },
  { style: 'spaceDelimited' },
  { style: 'pipeDelimited' },
  { style: 'deepObject' },
  { commaSeparated: true },
  { mediaType: 'application/json' },
  { in: 'path' },
  { in: 'path', style: 'label' },
  { in: 'path', style: 'matrix', explode: true },
  { in: 'header' },
  { in: 'cookie' },
  { in: 'cookie', style: 'cookie', explode: true },
  { in: 'querystring', mediaType: 'application/x-www-form-urlencoded' },
  { in: 'querystring', mediaType: 'application/json' },
  { in: 'querystring', mediaType: 'application/jsonpath' },
];
const texts = [string(), stringMatching(/^([ap.;,=&|[\]%+0-9]|%[0-9A-F]{2}|p\[|__proto__)*$/)];

test.each(texts)('P24 no text is more than a fault (%#)', (text) => {
  assert(
    property(constantFrom(...schemas), constantFrom(...layouts), text, (schema, layout, raw) => {
      const { values, errors } = readAll([parameter({ ...layout, schema })], {
        path: { p: raw },
        query: raw,
        headers: { p: raw, cookie: raw },
      });
      expect(Object.keys(values)).toEqual(['path', 'query', 'querystring', 'header', 'cookie']);
      for (const fault of errors) expect(fault.message).not.toBe('');
    }),
    { numRuns: 1000, seed: 7 },
  );
});
