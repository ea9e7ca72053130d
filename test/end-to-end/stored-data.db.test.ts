/** A document is edited under stored data: what is served then. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../../scripts/machine/until';
import { rootFolder } from '../../scripts/root-folder';
import { startServer } from '../../src/server/server';
import { type Ask, askAt } from '../support/ask';
import { useNewDatabases } from '../support/new-database';
import { testConfig } from '../support/start';
import { useTemporaryFolder } from '../support/temporary-folder';

const newUrl = useNewDatabases();
const folder = useTemporaryFolder();

/** A service, and the folder that has its document and its handlers. */
const library = { name: 'library', root: join(rootFolder, 'test', 'third-service') };
const petstore = { name: 'petstore', root: rootFolder };

/** Serves the library, or another, on a database, with its document edited; gives what was logged, too. */
const serve = async (
  url: string,
  edit: (document: string) => string,
  environment: Readonly<Record<string, string>> = {},
  use: (ask: Ask, logged: readonly string[]) => Promise<void>,
  { name, root } = library,
): Promise<void> => {
  await mkdir(folder('specs'), { recursive: true });
  const document = await readFile(join(root, 'specs', `${name}.yaml`), 'utf8');
  await writeFile(folder('specs', `${name}.yaml`), edit(document));
  const logged: string[] = [];
  const config = testConfig({
    DATABASE_URL: url,
    SPECS_DIRECTORY: folder('specs'),
    HANDLERS_DIRECTORY: join(root, 'handlers'),
    ...environment,
  });
  const running = await startServer(config, {
    log: pino({}, { write: (line: string) => void logged.push(line) }),
  });
  const ask: Ask = (what, asked) => askAt(running.origin)(what, { key: 'special-key', ...asked });
  try {
    await use(ask, logged);
  } finally {
    await running.stop();
  }
};

const withoutNovels = (document: string): string =>
  document
    .replace('enum: [novel, poetry, science]', 'enum: [poetry, science]')
    .replace(
      'title: { type: string }',
      'title: { type: string }\n        pages: { type: integer, default: 100 }',
    )
    .replace('operationId: getBook', '$&\n      deprecated: true');

test('what no longer fits is left out of lists, and its id is in the log alone', async () => {
  const url = await newUrl();
  await serve(
    url,
    (document) => document,
    {},
    async (ask) => {
      const book = (id: number, genre: string) => ({
        id,
        title: `Book ${id}`,
        authors: ['Ada'],
        genre,
      });
      for (const body of [book(4711, 'novel'), book(2, 'poetry')]) {
        expect((await ask('POST /library/books', { body })).status).toBe(200);
      }
    },
  );
  const poem = { id: 2, title: 'Book 2', authors: ['Ada'], genre: 'poetry', copies: 1, pages: 100 };
  await serve(url, withoutNovels, {}, async (ask, logged) => {
    for (const list of ['/library/books', '/library/books?author=Ada']) {
      const { status, text } = await ask(`GET ${list}`);
      expect([status, JSON.parse(text)]).toEqual([200, [poem]]);
    }
    expect(JSON.parse((await ask('GET /library/books/2')).text)).toEqual(poem);
    const { status, text } = await ask('GET /library/books/4711');
    expect([status, text.includes('4711')]).toEqual([500, false]);
    expect(
      logged.filter((line) => line.includes('library/books/4711: the stored item')),
    ).toHaveLength(1);
    const deprecated =
      'http_deprecated_requests_total{service="library",operation="getBook",credential="api-key:demo"} 2';
    // A request is counted when its response has been closed.
    const metrics = await until('the count of both calls', async () => {
      const { text: shown } = await ask('GET /metrics');
      return shown.includes(`\n${deprecated}\n`) ? shown : undefined;
    });
    expect(metrics).toMatch(/^stored_items_unfit_total\{.*collection="books"\} 3$/m);
    expect(metrics).toMatch(/^stored_items_unfit_total\{.*collection="loans"\} 0$/m);
  });
  const asItIs = { MISFITTING_ITEMS: 'include', VALIDATE_RESPONSES: 'false' };
  await serve(url, withoutNovels, asItIs, async (ask) => {
    const { text } = await ask('GET /library/books');
    expect(JSON.parse(text).map(({ genre }: { genre: string }) => genre)).toEqual([
      'poetry',
      'novel',
    ]);
  });
});

const withShortNames = (document: string): string =>
  document.replace(
    /(description: The given name\s+)type: string/,
    '$1type: string\n          maxLength: 5',
  );

test('a user who does not fit logs in nevertheless, is read no more, and may be mended', async () => {
  const url = await newUrl();
  await serve(
    url,
    (document) => document,
    {},
    async () => {},
    petstore,
  );
  const login = 'GET /petstore/user/login?username=demo&password=demo-password';
  await serve(
    url,
    withShortNames,
    {},
    async (ask, logged) => {
      const signedIn = await ask(login);
      expect(signedIn.status).toBe(200);
      const token = JSON.parse(signedIn.text);
      const { status, text } = await ask('GET /petstore/user/demo');
      expect([status, text.includes('demo')]).toEqual([500, false]);
      const said = logged.filter((line) => line.includes('petstore/users/demo: the stored item'));
      expect(said).toHaveLength(1);
      expect(logged.join()).not.toMatch(/demo-password|\$scrypt/);
      const body = { firstName: 'Dom' };
      expect((await ask('PUT /petstore/user/demo', { token, body })).status).toBe(200);
      const mended = await ask('GET /petstore/user/demo');
      expect(JSON.parse(mended.text)).toEqual({ id: 1, username: 'demo', firstName: 'Dom' });
      expect((await ask(login)).status).toBe(200);
    },
    petstore,
  );
});
