/** Access to operations, over HTTP: S01 to S09. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { basic, bearer, type Knock, key, serveSecured } from './serve-secured';

let knock: Knock;
let knockRoot: Knock;
beforeAll(async () => {
  knock = await serveSecured({
    both: [{ key: [], bearer: [] }],
    either: [{ key: [] }, { bearer: [] }],
    anonymous: [{}, { key: [] }],
    anonymousLast: [{ key: [] }, {}],
    nothing: undefined,
    scopes: [{ auth: ['read', 'write'] }],
    noScopes: [{ auth: [] }],
    oidc: [{ oidc: ['read'] }],
    scopedKey: [{ key: ['read'] }],
    role: [{ bearer: ['write'] }],
    roleOfUser: [{ basic: ['write'] }],
    otherRole: [{ basic: ['read'] }],
    certificate: [{ certificate: [] }],
    certificateOr: [{ certificate: [] }, { key: [] }],
    undeclared: [{ other: [] }],
    undeclaredOr: [{ other: [] }, { key: [] }],
    undeclaredAnd: [{ other: [], key: [] }],
    digest: [{ digest: [] }],
    audit: [{ auth: ['audit'] }],
    alternatives: [{ auth: ['read'], key: [] }, { auth: ['write'] }],
    headerKey: [{ key: [] }],
    queryKey: [{ queryKey: [] }],
    cookieKey: [{ cookieKey: [] }],
    basic: [{ basic: [] }],
    bearer: [{ bearer: [] }],
  });
  knockRoot = await serveSecured({ inherits: undefined, open: [], replaces: [{ basic: [] }] }, [
    { key: [] },
  ]);
});

type Case = [
  title: string,
  operation: string,
  headers: Readonly<Record<string, string>>,
  status: number,
  subject: string | undefined,
];

const check = async (
  _title: string,
  ...[operation, headers, status, subject]: [Case[1], Case[2], number, Case[4]]
) => {
  const reply = await knock(operation, { headers });
  expect([reply.status, reply.subject]).toEqual([status, subject]);
};

const no = 'refused';

describe('requirements', () => {
  test.each<Case>([
    ['both', 'both', { ...key, ...bearer('reader') }, 200, 'key'],
    ['one of both', 'both', key, 401, no],
    ['one of both, the other bad', 'both', { ...key, ...bearer('bad') }, 401, no],
    ['the first of two', 'either', key, 200, 'key'],
    ['the second of two', 'either', bearer('reader'), 200, 'reader'],
    [
      'the second of two, the first bad',
      'either',
      { 'X-Key': 'bad', ...bearer('reader') },
      200,
      'reader',
    ],
    ['none of two', 'either', {}, 401, no],
  ])('S01 %s', check);

  test.each<Case>([
    ['the root holds where nothing is said', 'inherits', key, 200, 'key'],
    ['and refuses', 'inherits', basic('ann:pass:word'), 401, no],
    ['an empty list removes it', 'open', {}, 200, undefined],
    ['another list replaces it', 'replaces', basic('ann:pass:word'), 200, 'ann'],
    ['wholly', 'replaces', key, 401, no],
  ])('S02 %s', async (_title, operation, headers, status, subject) => {
    const reply = await knockRoot(operation, { headers });
    expect([reply.status, reply.subject]).toEqual([status, subject]);
  });

  test.each<Case>([
    ['nobody', 'anonymous', {}, 200, undefined],
    ['somebody', 'anonymous', key, 200, 'key'],
    ['a bad credential', 'anonymous', { 'X-Key': 'bad' }, 200, undefined],
    ['nobody, {} last', 'anonymousLast', {}, 200, undefined],
    ['somebody, {} last', 'anonymousLast', key, 200, 'key'],
    ['a token where nothing is required', 'nothing', bearer('reader'), 200, 'reader'],
    ['a bad token where nothing is required', 'nothing', bearer('bad'), 200, undefined],
  ])('S03 %s', check);
});

describe('scopes', () => {
  test.each<Case>([
    ['all of them', 'scopes', bearer('writer'), 200, 'writer'],
    ['one of two', 'scopes', bearer('reader'), 403, no],
    ['none', 'scopes', bearer('login'), 403, no],
    ['a bad token', 'scopes', bearer('bad'), 401, no],
    ['an empty list takes any token', 'noScopes', bearer('login'), 200, 'ann'],
    ['an empty list needs a token', 'noScopes', {}, 401, no],
    ['openIdConnect, all', 'oidc', bearer('reader'), 200, 'reader'],
    ['openIdConnect, none', 'oidc', bearer('login'), 403, no],
  ])('S04 %s', check);

  test.each<Case>([
    ['a key is not asked for scopes', 'scopedKey', key, 200, 'key'],
    ['but still for itself', 'scopedKey', {}, 401, no],
  ])('S05 %s', check);

  test.each<Case>([
    ['a token that has it', 'role', bearer('writer'), 200, 'writer'],
    ['a token that has another', 'role', bearer('reader'), 403, no],
    ['a token that has none', 'role', bearer('login'), 403, no],
    ['a user who has it', 'roleOfUser', basic('eve:pass:word'), 200, 'eve'],
    ['a user who has another', 'otherRole', basic('eve:pass:word'), 403, no],
    ['a user of whom no role is known', 'otherRole', basic('ann:pass:word'), 200, 'ann'],
  ])('V37 a role, %s', check);

  test.each<Case>([
    ['alone', 'certificate', key, 401, no],
    ['or a key', 'certificateOr', key, 200, 'key'],
  ])('V38 a client certificate %s', check);

  test.each<Case>([
    ['never met', 'undeclared', { ...key, ...bearer('writer') }, 401, no],
    ['beside one that is', 'undeclaredOr', key, 200, 'key'],
    ['together with one that is', 'undeclaredAnd', key, 401, no],
    ['a scheme that nobody checks', 'digest', { Authorization: 'Digest username="ann"' }, 401, no],
  ])('S06 %s', check);

  test.each<Case>([
    ['granted', 'audit', bearer('auditor'), 200, 'auditor'],
    ['not granted', 'audit', bearer('writer'), 403, no],
  ])('S07 an undeclared scope, %s', check);

  test.each<Case>([
    ['the first alternative', 'alternatives', { ...key, ...bearer('reader') }, 200, 'reader'],
    ['the second alternative', 'alternatives', bearer('writer'), 200, 'writer'],
    ['both', 'alternatives', { ...key, ...bearer('writer') }, 200, 'writer'],
    ['too few for either', 'alternatives', bearer('reader'), 403, no],
    ['no token', 'alternatives', key, 401, no],
  ])('S08 %s', check);
});

describe('credentials', () => {
  test.each<Case>([
    ['a header', 'headerKey', { 'X-Key': 'good-key' }, 200, 'key'],
    ['a header in another case', 'headerKey', { 'x-kEY': 'good-key' }, 200, 'key'],
    ['an empty header', 'headerKey', { 'X-Key': '' }, 401, no],
    ['a cookie', 'cookieKey', { Cookie: 'a=b; key=good-key' }, 200, 'key'],
    ['a cookie with another name', 'cookieKey', { Cookie: 'Key=good-key' }, 401, no],
    ['the header of another scheme', 'cookieKey', key, 401, no],
    ['basic', 'basic', basic('ann:pass:word'), 200, 'ann'],
    ['basic in another case', 'basic', basic('ann:pass:word', 'bASIC'), 200, 'ann'],
    ['basic without a colon', 'basic', basic('ann'), 401, no],
    ['basic that is no base64', 'basic', { Authorization: 'Basic %%%' }, 401, no],
    ['basic without a credential', 'basic', { Authorization: 'Basic' }, 401, no],
    ['bearer', 'bearer', bearer('reader'), 200, 'reader'],
    ['bearer in another case', 'bearer', { Authorization: 'bEaReR reader' }, 200, 'reader'],
    ['bearer without a token', 'bearer', { Authorization: 'Bearer ' }, 401, no],
    ['a token without a scheme', 'bearer', { Authorization: 'reader' }, 401, no],
    ['a token of another scheme', 'bearer', { Authorization: 'Token reader' }, 401, no],
  ])('S09 %s', check);

  test.each([
    ['?key=good-key', 200],
    ['?a=b&key=good%2Dkey', 200],
    ['?Key=good-key', 401],
    ['?key=bad', 401],
    ['', 401],
    ['?key=%', 401],
  ])('S09 the query %s', async (query, status) => {
    expect((await knock('queryKey', {}, query)).status).toBe(status);
  });
});
