/** A service of the tests: `specs` and `handlers` below a folder of its own. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Test } from 'supertest';
import { foldersOf, staleFiles } from '../../scripts/generate/generated-files';
import { testServer } from '../../src/contract';
import { loadApiDocument } from '../../src/engine';
import { httpServer } from '../../src/server/http/http-server';
import { openTestService, type TestService, type TestServiceOptions } from '../../src/testing';
import { listen } from './listen';
import { useNewDatabases } from './new-database';

/** Gives the variables with which the program serves a folder. */
export const environmentOf = (folder: string) => ({
  SPECS_DIRECTORY: join(folder, 'specs'),
  HANDLERS_DIRECTORY: join(folder, 'handlers'),
});

/** Opens the service of a folder for all tests of the file; call the result inside tests. */
export const useTestService = (
  folder: string,
  name: string,
  optionsOf: () => TestServiceOptions = () => ({}),
): (() => TestService) => {
  let service: TestService | undefined;
  afterAll(() => service?.close());
  const newDatabase = useNewDatabases();
  beforeAll(async () => {
    const { environment, ...options } = optionsOf();
    service = await openTestService(name, {
      specs: join(folder, 'specs'),
      handlers: join(folder, 'handlers'),
      environment: { DATABASE_URL: await newDatabase(), ...environment },
      ...options,
    });
  });
  return () => {
    if (service === undefined) throw new Error('The service is not open');
    return service;
  };
};

/** Asks a service with the key of the demo data: `ask('POST /library/books', book)`. */
export const askService =
  (service: () => TestService) =>
  (methodAndTarget: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const [method = '', target = ''] = methodAndTarget.split(' ');
    const asked = new Test(service().app, method, target);
    return asked.set({ api_key: 'special-key', ...headers }).send(body);
  };

/** Tests the service of a folder against its document. */
export const testContract = async (folder: string, name: string, { app }: TestService) =>
  testServer({
    document: await loadApiDocument(join(folder, 'specs', `${name}.yaml`)),
    url: `${await listen(httpServer(app))}/${name}`,
    credentials: [{ scheme: 'key', scopes: undefined, value: 'special-key' }],
    depth: 'quick',
  });

/**
 * Tests that generated types are fresh, and handlers short.
 * @param files below the folder of handlers
 * @param most lines with a text that they may have together, less one
 */
export const testHandlers = (folder: string, files: readonly string[], most: number): void => {
  test('the types of its handlers are generated from its document', async () => {
    expect(await staleFiles(foldersOf(folder))).toEqual([]);
  });

  test('its handlers are short', () => {
    const lines = files.flatMap((file) =>
      readFileSync(join(folder, 'handlers', file), 'utf8').split('\n'),
    );
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThan(most);
  });
};
