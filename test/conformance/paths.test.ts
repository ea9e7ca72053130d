/** The operation that a path reaches, below each server, beyond the published cases: D11 and D12. */

import { describe, expect, test } from '@jest/globals';
import { ask } from './ask';
import { paths, servePaths } from './serve-paths';

describe('D11 which path matches', () => {
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
  test.each<[title: string, servers: object[], base: string]>([
    ['relative without slash', [{ url: 'v1/x' }], '/v1/x'],
    ['the first of several', [{ url: '/one' }, { url: '/two' }], '/one'],
  ])('D12 %s', async (_title, servers, base) => {
    const { url, reached } = await servePaths(
      { servers, paths: paths({ '/a': { get: 'a' } }) },
      'a',
    );
    const { origin } = new URL(url);
    expect((await ask(origin, `${base}/a`)).status).toBe(200);
    expect((await ask(origin, '/a')).status).toBe(404);
    expect(reached).toHaveLength(1);
  });
});
