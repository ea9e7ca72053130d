import { expect, test } from '@jest/globals';
import { requestedScopes } from '../../../../src/identity/oauth/authorization-request';

const scopes = {
  known: new Map([
    ['read', 'Read'],
    ['write', undefined],
    ['admin', undefined],
  ]),
  required: ['read', 'write'],
};

test.each<[string | undefined, readonly string[] | undefined]>([
  ['admin read', ['admin', 'read']],
  ['read  read ', ['read']],
  [undefined, ['read', 'write']],
  [' ', ['read', 'write']],
  ['read\twrite', undefined],
  ['constructor', undefined],
])('%j asks for %j', (text, want) => {
  expect(requestedScopes(text, scopes)).toEqual(want);
});

test('where operations require none, a request must name some', () => {
  expect(requestedScopes(undefined, { known: scopes.known, required: [] })).toBeUndefined();
});
