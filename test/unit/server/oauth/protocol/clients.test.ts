import { describe, expect, test } from '@jest/globals';
import {
  clientFinder,
  docsClient,
  isRegistered,
} from '../../../../../src/server/oauth/protocol/clients';
import type { ClientStorage } from '../../../../../src/server/storage/identity/clients';

describe('isRegistered', () => {
  const back = 'https://app.example/back';
  const loopback = 'http://127.0.0.1/back';

  test.each<[string, readonly string[], readonly string[]]>([
    [
      back,
      [back],
      [
        ...[`${back}/`, `${back}?x=1`, 'http://app.example/back', 'https://app.example:8443/back'],
        ...['https://app.example/a/../back', 'https://app.example@evil.example/back'],
      ],
    ],
    [
      loopback,
      [loopback, 'http://127.0.0.1:51004/back'],
      [
        ...[
          'http://127.0.0.1:51004/other',
          'http://127.0.0.1:99999/back',
          'http://127.0.0.1:/back',
        ],
        ...['http://127.0.0.1:1@evil.example/back', 'http://[::1]:51004/back'],
      ],
    ],
    ['http://[::1]/back?x=1', ['http://[::1]:51004/back?x=1'], []],
    ['http://127.0.0.1:3000/back', [], ['http://127.0.0.1:3001/back', loopback]],
    ['http://localhost/back', [], ['http://localhost:51004/back']],
    ['https://127.0.0.1/back', [], ['https://127.0.0.1:51004/back']],
  ])('%s takes %j and not %j', (registered, taken, refused) => {
    const redirectUris = ['https://x.example/', registered];
    const client = { clientId: 'app', name: 'App', redirectUris };
    expect(taken.filter((given) => !isRegistered(given, client))).toEqual([]);
    expect(refused.filter((given) => isRegistered(given, client))).toEqual([]);
  });
});

describe('the documentation page', () => {
  test.each<[string, string, number, string, string[]]>([
    [
      'at the address listened on',
      ...(['http://127.0.0.1:8080', 8080, '/shop'] as const),
      [
        'http://127.0.0.1:8080/shop/docs/oauth2-redirect.html',
        'http://localhost:8080/shop/docs/oauth2-redirect.html',
      ],
    ],
    [
      'at a public origin, at the port of HTTP',
      ...(['https://api.example', 80, ''] as const),
      [
        'https://api.example/docs/oauth2-redirect.html',
        'http://localhost/docs/oauth2-redirect.html',
        'http://127.0.0.1/docs/oauth2-redirect.html',
      ],
    ],
  ])('%s', (_, origin, port, basePath, want) => {
    const { clientId, redirectUris } = docsClient({ origin, port, basePath });
    expect([clientId, [...redirectUris].sort()]).toEqual(['docs', [...want].sort()]);
  });
});

test('a client is looked up only by what may be an identifier, and nobody takes the page’s', async () => {
  const asked: string[] = [];
  const stored: Pick<ClientStorage, 'find'> = {
    async find(clientId) {
      asked.push(clientId);
      return { clientId, name: 'stored', redirectUris: [] };
    },
  };
  const docs = docsClient({ origin: 'https://x.example', basePath: '', port: 1 });
  const find = clientFinder(stored, docs);
  expect(await find('docs')).toBe(docs);
  expect((await find('app 1'))?.name).toBe('stored');
  for (const clientId of ['a\u0000', 'é', '', 'x'.repeat(201)]) {
    expect(await find(clientId)).toBeUndefined();
  }
  expect(asked).toEqual(['app 1']);
});
