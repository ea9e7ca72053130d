/** The operation that a path reaches, below each server: D11 and D12. */

import { describe, expect, test } from '@jest/globals';
import { ask } from './ask';
import { paths, servePaths } from './serve-paths';

describe('D11 which path matches', () => {
  const table = {
    '/pet/findByStatus': { get: 'find' },
    '/pet/{petId}': { get: 'get', post: 'update' },
    '/pet/{petId}/uploadImage': { post: 'upload' },
    '/user/{username}': { get: 'user', delete: 'remove' },
    '/user/login': { get: 'login' },
    '/a/{x}/c': { get: 'late' },
    '/a/b/d': { get: 'fixed' },
    '/file/{name}.{ending}': { get: 'file' },
    '/file/{name}:clone': { get: 'clone' },
    '/file/{name}': { get: 'any' },
  };
  const ids = Object.values(table).flatMap((methods) => Object.values(methods));

  test.each<[path: string, operationId: string, parameters: object]>([
    ['/pet/findByStatus', 'find', {}],
    ['/pet/find%42yStatus', 'find', {}],
    ['/pet/findbystatus', 'get', { petId: 'findbystatus' }],
    ['/pet/a%2Fb', 'get', { petId: 'a/b' }],
    ['/pet/%C3%A9', 'get', { petId: 'é' }],
    ['/user/login', 'login', {}],
    ['/user/Login', 'user', { username: 'Login' }],
    ['/a/b/c', 'late', { x: 'b' }],
    ['/a/b/d', 'fixed', {}],
    ['/file/a.txt', 'file', { name: 'a', ending: 'txt' }],
    ['/file/a:clone', 'clone', { name: 'a' }],
    ['/file/a', 'any', { name: 'a' }],
  ])('D11 GET %s reaches %s', async (path, operationId, parameters) => {
    const { url, reached } = await servePaths({ paths: paths(table) }, ...ids);
    expect((await ask(url, path)).status).toBe(200);
    expect(reached).toEqual([[operationId, parameters]]);
  });

  test.each<[method: string, path: string, status: number]>([
    ['GET', '/pet', 404],
    ['GET', '/pet/', 404],
    ['GET', '/pet/1/', 404],
    ['GET', '//pet/1', 404],
    ['GET', '/pet/1/uploadImage/x', 404],
    ['GET', '/PET/1', 404],
    ['GET', '/pet/1/uploadImage', 405],
    ['DELETE', '/user/login', 405],
  ])('D11 %s %s reaches nothing: %d', async (method, path, status) => {
    const { url, reached } = await servePaths({ paths: paths(table) }, ...ids);
    expect((await ask(url, path, { method })).status).toBe(status);
    expect(reached).toEqual([]);
  });

  test('D11 of identical templates the first alone is served', async () => {
    const twice = paths({
      '/a/{id}': { get: 'first' },
      '/a/{name}': { get: 'second', put: 'third' },
    });
    const { url, reached } = await servePaths({ paths: twice }, 'first', 'second', 'third');
    await ask(url, '/a/1');
    const answer = await ask(url, '/a/1', { method: 'PUT' });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(reached).toEqual([['first', { id: '1' }]]);
  });
});

describe('D12 servers', () => {
  const variables = { version: { default: 'v2', enum: ['v1', 'v2'] } };
  test.each<[title: string, servers: object[] | undefined, base: string]>([
    ['none', undefined, ''],
    ['the root', [{ url: '/' }], ''],
    ['relative', [{ url: '/v1' }], '/v1'],
    ['relative without slash', [{ url: 'v1/x' }], '/v1/x'],
    ['absolute', [{ url: 'https://api.test/base' }], '/base'],
    ['absolute with a slash at its end', [{ url: 'https://api.test:8443/base/' }], '/base'],
    ['a variable in the path', [{ url: '/{version}/x', variables }], '/v2/x'],
    [
      'variables everywhere',
      [
        {
          url: 'https://{host}/{version}',
          variables: { ...variables, host: { default: 'a.test' } },
        },
      ],
      '/v2',
    ],
    ['the first of several', [{ url: '/one' }, { url: '/two' }], '/one'],
  ])('D12 %s', async (_title, servers, base) => {
    const { url, reached } = await servePaths(
      { ...(servers && { servers }), paths: paths({ '/a': { get: 'a' } }) },
      'a',
    );
    const { origin } = new URL(url);
    expect((await ask(origin, `${base}/a`)).status).toBe(200);
    expect((await ask(origin, base === '' ? '/b/a' : '/a')).status).toBe(404);
    expect(reached).toHaveLength(1);
  });
});
