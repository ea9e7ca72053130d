import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { clientFinder, docsClient, isRegistered } from '../../../../src/identity/oauth/clients';
import type { ClientStorage } from '../../../../src/storage/identity/clients';
import { tableOf, valuesOf } from '../../../support/text-cases';

const cases = join(__dirname, 'clients.cases.txt');

describe('isRegistered', () => {
  test.each(tableOf(cases, 'redirect URIs'))(
    '%s and %s: %s',
    (registered = '', given = '', want = '') => {
      const redirectUris = ['https://x.example/', registered];
      expect(isRegistered(given, { clientId: 'app', name: 'App', redirectUris })).toBe(
        want === 'true',
      );
    },
  );
});

test.each(valuesOf<[string, number, string, string[]]>(cases, 'documentation pages'))(
  'the documentation page of %s at port %i',
  (origin, port, basePath, want) => {
    const { clientId, redirectUris } = docsClient(origin, basePath, port);
    expect([clientId, [...redirectUris].sort()]).toEqual(['docs', want]);
  },
);

test('a client is looked up by valid identifiers alone, and the identifier of the page is reserved', async () => {
  const asked: string[] = [];
  const stored: Pick<ClientStorage, 'find'> = {
    async find(clientId) {
      asked.push(clientId);
      return { clientId, name: 'stored', redirectUris: [] };
    },
  };
  const docs = docsClient('https://x.example', '', 1);
  const find = clientFinder(stored, docs);
  expect(await find('docs')).toBe(docs);
  expect((await find('app 1'))?.name).toBe('stored');
  for (const clientId of ['a\u0000', 'é', '', 'x'.repeat(201)]) {
    expect(await find(clientId)).toBeUndefined();
  }
  expect(asked).toEqual(['app 1']);
});
