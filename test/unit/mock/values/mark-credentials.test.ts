import { expect, test } from '@jest/globals';
import { schemaContext } from '../../../../src/engine/media-types/schema-context';
import { markCredentials } from '../../../../src/mock/values/mark-credentials';
import { schemaOf } from '../../../../src/model/schema';

const password = schemaOf({ types: ['string'], format: 'password' });

test.each([
  ['its name', { properties: new Map([['a', password]]) }],
  ['a pattern of its name', { patternProperties: new Map([['^a$', password]]) }],
  ['no name', { additionalProperties: password }],
  ['nothing else', { unevaluatedProperties: password }],
])('a password that is declared by %s is marked', (_title, keywords) => {
  const place = {
    name: undefined,
    schemas: [schemaOf(keywords)],
    isGiven: false,
    fits: () => true,
  };
  expect(markCredentials({ a: 'text' }, place, schemaContext())).toEqual({ a: 'mock text' });
});
