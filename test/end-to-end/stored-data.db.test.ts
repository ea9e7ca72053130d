/** A document is edited under stored data: what is served then, and what the start and the metrics say. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { rootFolder } from '../../scripts/root-folder';
import { type RunningServer, startServer } from '../../src/server/server';
import { type Ask, askAt } from '../support/ask';
import { eventually } from '../support/eventually';
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
  use: (ask: Ask, running: RunningServer, logged: readonly string[]) => Promise<void>,
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
    await use(ask, running, logged);
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
    );

test('what no longer fits is counted, left out of lists, and its id is in the log alone', async () => {
  const url = await newUrl();
  await serve(
    url,
    (document) => document,
    {},
    async (ask, { misfits }) => {
      const book = (id: number, genre: string) => ({
        id,
        title: `Book ${id}`,
        authors: ['Ada'],
        genre,
      });
      for (const body of [book(4711, 'novel'), book(2, 'poetry')]) {
        expect((await ask('POST /library/books', { body })).status).toBe(200);
      }
      expect(misfits).toEqual([]);
    },
  );
  const poem = { id: 2, title: 'Book 2', authors: ['Ada'], genre: 'poetry', copies: 1, pages: 100 };
  await serve(url, withoutNovels, {}, async (ask, { misfits }, logged) => {
    expect(misfits).toEqual([
      'library: 1 stored item does not fit the document; npm run admin -- data check --service library says why',
    ]);
    for (const list of ['/library/books', '/library/books?author=Ada']) {
      const { status, text } = await ask(`GET ${list}`);
      expect([status, JSON.parse(text)]).toEqual([200, [poem]]);
    }
    expect(JSON.parse((await ask('GET /library/books/2')).text)).toEqual(poem);
    const { status, text } = await ask('GET /library/books/4711');
    expect([status, text.includes('4711')]).toEqual([500, false]);
    expect(
      logged.filter((line) => line.includes('library/books/4711: what is stored')),
    ).toHaveLength(1);
    expect((await ask('GET /metrics')).text).toMatch(
      /^stored_items_misfitting\{service="library",collection="books"\} 1$/m,
    );
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

test('what a walk beside the requests finds is said by the log', async () => {
  const url = await newUrl();
  await serve(
    url,
    (document) => document,
    {},
    async (ask) => {
      const body = { title: 'A novel', authors: ['Ada'], genre: 'novel' };
      // Few at a time: a machine that is busy otherwise would refuse what waits too long.
      for (let added = 0; added < 250; added += 10) {
        const adding = Array.from({ length: 10 }, () => ask('POST /library/books', { body }));
        const statuses = (await Promise.all(adding)).map(({ status }) => status);
        expect(new Set(statuses)).toEqual(new Set([200]));
      }
    },
  );
  await serve(url, withoutNovels, {}, async (_, { misfits }, logged) => {
    expect(misfits).toEqual([expect.stringMatching(/^library: 200 stored items do not fit/)]);
    const said = await eventually('the line of the log', () =>
      logged.find((line) => line.includes('library: 250 stored items do not fit')),
    );
    expect(said).toContain('"level":40');
  });
});

const withShortNames = (document: string): string =>
  document.replace(
    /(description: The given name\s+)type: string/,
    '$1type: string\n          maxLength: 5',
  );

test('a user who does not fit logs in nevertheless, is read no more, and may be mended', async () => {
  const url = await newUrl();
  const misfitting = (count: number) =>
    new RegExp(`^stored_items_misfitting{service="petstore",collection="users"} ${count}$`, 'm');
  await serve(
    url,
    (document) => document,
    {},
    async (ask, { misfits }) => {
      expect(misfits).toEqual([]);
      expect((await ask('GET /metrics')).text).toMatch(misfitting(0));
    },
    petstore,
  );
  const login = 'GET /petstore/user/login?username=demo&password=demo-password';
  await serve(
    url,
    withShortNames,
    {},
    async (ask, { misfits }, logged) => {
      expect(misfits).toEqual([expect.stringMatching(/^petstore: 2 stored items do not fit/)]);
      expect((await ask('GET /metrics')).text).toMatch(misfitting(2));
      const signedIn = await ask(login);
      expect(signedIn.status).toBe(200);
      const token = JSON.parse(signedIn.text);
      const { status, text } = await ask('GET /petstore/user/demo');
      expect([status, text.includes('demo')]).toEqual([500, false]);
      const said = logged.filter((line) => line.includes('petstore/users/demo: what is stored'));
      expect(said).toHaveLength(1);
      expect(logged.join()).not.toMatch(/demo-password|\$scrypt/);
      const body = { firstName: 'Dom' };
      expect((await ask('PUT /petstore/user/demo', { token, body })).status).toBe(200);
      const mended = await ask('GET /petstore/user/demo');
      expect(JSON.parse(mended.text)).toEqual({ id: 1, username: 'demo', firstName: 'Dom' });
      expect((await ask('GET /metrics')).text).toMatch(misfitting(1));
      expect((await ask(login)).status).toBe(200);
    },
    petstore,
  );
});
