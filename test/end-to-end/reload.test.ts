/** Documents that are read again while they are served: the next request meets the new ones, and nothing else changes for anybody. */

import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { issueTokenAt } from '../support/access-token';
import { type Ask, askAt } from '../support/ask';
import { beginUpload } from '../support/begin-upload';
import { expectOk } from '../support/expect-ok';
import { readUntil } from '../support/raw-socket';
import { startTestServer, stopTestServer, type TestServer } from '../support/start';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();

let server: TestServer;
let ask: Ask;

const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
  server = await startTestServer({ SPECS_DIRECTORY: folder('specs'), ...environment });
  ask = askAt(server.running.address);
};

beforeEach(() => cpSync('specs', folder('specs'), { recursive: true }));
afterEach(() => stopTestServer(server));

/** Replaces a text of petstore.yaml. */
const edit = (from: string, to: string): void => {
  const file = folder('specs', 'petstore.yaml');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
};

const reload = () => server.running.reload();

const getPet = (id = 1) => ask(`GET /petstore/pet/${id}`, { key: 'special-key' });

const petToken = (): Promise<string> =>
  issueTokenAt(server.database.url, { service: 'petstore', scopes: ['write:pets', 'read:pets'] });

const unknownPet = 'Pet not found';
const sayOtherwise = (): void => edit(`description: ${unknownPet}`, 'description: No such pet');
const messageOf = (text: string): unknown => JSON.parse(text).message;

const library = (title: string): string => `
openapi: 3.0.3
info: { title: ${title}, version: '1' }
servers: [{ url: /library }]
paths:
  /books:
    get: { operationId: findBooks, responses: { '200': { description: Books } } }
`;

describe('after a reload', () => {
  test('requests meet the new document, at the same address, with the logins of before', async () => {
    await start();
    const login = 'GET /petstore/user/login?username=demo&password=demo-password';
    const token = String(expectOk(await ask(login)));
    expect(messageOf((await getPet(77)).text)).toBe(unknownPet);
    const { version } = server.running.app;
    sayOtherwise();
    expect(messageOf((await getPet(77)).text)).toBe(unknownPet);

    await reload();
    expect(messageOf((await getPet(77)).text)).toBe('No such pet');
    expectOk(await ask('PUT /petstore/user/demo', { token, body: { phone: '1' } }));
    expect((await ask('GET /petstore/openapi.yaml?original')).text).toContain('No such pet');
    expect(server.running.app.version).not.toBe(version);
    expect((await ask('GET /metrics')).text).toContain(
      `documents_version{version="${server.running.app.version}"} 1`,
    );
  });

  test('a connection that was open before meets it, too', async () => {
    await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { hostname, port } = new URL(server.running.address);
    const ports = new Set<number | undefined>();
    const askKept = async (): Promise<unknown> => {
      const headers = { api_key: 'special-key' };
      const sent = request({ hostname, port, path: '/petstore/pet/77', headers, agent }).end();
      const [answer] = await once(sent, 'response');
      ports.add(sent.socket?.localPort);
      return JSON.parse(Buffer.concat(await answer.toArray()).toString()).message;
    };
    const before = await askKept();
    sayOtherwise();
    await reload();
    expect([before, await askKept(), ports.size]).toEqual([unknownPet, 'No such pet', 1]);
    agent.destroy();
  });

  test('a document that was dropped in is served, with its mocks, and one that was removed is gone', async () => {
    await start();
    writeFileSync(folder('specs', 'library.yaml'), library('Library'));
    rmSync(folder('specs', 'ads.yaml'));
    await reload();
    expect((await ask('GET /library/books')).status).toBe(200);
    expect((await ask('GET /library/docs/')).text).toContain('Library');
    expect((await ask('GET /ads/openapi.json')).status).toBe(404);
    expect((await ask('GET /')).text).toContain('service-library');
    expectOk(await getPet());
  });

  test('files that a document refers to are read again', async () => {
    const part = (text: string): void =>
      writeFileSync(folder('specs', 'parts.yaml'), `Missing: { description: ${text} }\n`);
    part('Gone');
    edit(
      "'404': { $ref: '#/components/responses/PetNotFound' }",
      "'404': { $ref: parts.yaml#/Missing }",
    );
    edit(
      "'404': { $ref: '#/components/responses/PetNotFound' }",
      "'404': { $ref: parts.yaml#/Missing }",
    );
    await start();
    expect((await getPet(77)).status).toBe(404);
    part('Far away');
    await reload();
    expect((await ask('GET /petstore/openapi.json')).text).toContain('Far away');
  });
});

describe('what is refused leaves everything as it was', () => {
  test.each([
    ['YAML that cannot be read', ['  /pet:', '  /pet: {'], /petstore\.yaml:\d+:\d+ error: /],
    [
      'a reference that leads nowhere',
      ["$ref: '#/components/responses/PetNotFound'", "$ref: '#/components/responses/Nobody'"],
      /petstore\.yaml:\d+:\d+ error: .*Nobody/,
    ],
  ] as const)('%s', async (_, [from, to], reason) => {
    await start();
    const { app } = server.running;
    edit(from, to);
    await expect(reload()).rejects.toThrow(reason);
    expect(server.running.app).toBe(app);
    expectOk(await getPet());
    edit(to, from);
    sayOtherwise();
    await reload();
    expect(messageOf((await getPet(77)).text)).toBe('No such pet');
  });

  test('errors that were there at the start are no reason', async () => {
    edit("$ref: '#/components/responses/OrderNotFound'", "$ref: '#/components/responses/Nobody'");
    await start();
    // Every line moves.
    edit('openapi: 3.0.3', '# A pet store\nopenapi: 3.0.3');
    sayOtherwise();
    await reload();
    expect(messageOf((await getPet(77)).text)).toBe('No such pet');
  });

  test('except where the documents have to be without errors', async () => {
    await start({ STRICT_DOCUMENTS: 'true' });
    sayOtherwise();
    writeFileSync(folder('specs', 'other.yaml'), 'nothing: of the kind\n');
    await expect(reload()).rejects.toThrow(/other\.yaml:.*--strict/s);
    expect(messageOf((await getPet(77)).text)).toBe(unknownPet);
  });

  test('no document at all', async () => {
    await start();
    rmSync(folder('specs'), { recursive: true });
    await expect(reload()).rejects.toThrow(/ENOENT/);
    expectOk(await getPet());
  });
});

describe('a request in flight ends by the document under which it began', () => {
  test('a list that is sent while its caller reads', async () => {
    await start();
    const token = await petToken();
    // More than the buffers of both sides hold.
    const name = 'x'.repeat(500_000);
    for (let count = 0; count < 30; count += 1) {
      expectOk(
        await ask('POST /petstore/pet', { token, body: { name, photoUrls: [], status: 'sold' } }),
      );
    }
    const list = 'GET /petstore/pet/findByStatus?status=sold';
    const headers = { Authorization: `Bearer ${token}` };
    const url = server.running.address + list.slice('GET '.length);
    const [answer]: IncomingMessage[] = await once(request(url, { headers }).end(), 'response');
    const { idle } = server.running.app.listener;
    let isOver = false;
    const over = idle().then(() => {
      isOver = true;
    });
    edit(
      '        status:\n          description: pet status',
      '        nickname: { type: string, default: Rex }\n        status:\n          description: pet status',
    );
    await reload();
    const now = expectOk(await ask(list, { token }));
    expect(isOver).toBe(false);
    const before = JSON.parse(Buffer.concat((await answer?.toArray()) ?? []).toString());
    const names = (pets: unknown) =>
      new Set((pets as { nickname?: string }[]).map(({ nickname }) => nickname));
    expect([names(before), before.length]).toEqual([new Set([undefined]), 32]);
    expect(names(now)).toEqual(new Set(['Rex']));
    await over;
  });

  test('an upload', async () => {
    await start();
    const token = await petToken();
    const socket = await beginUpload(server.running.address, token, 3);
    edit('/pet/{petId}/uploadImage:', '/pet/{petId}/elsewhere:');
    await reload();
    const path = 'POST /petstore/pet/1/uploadImage';
    expect((await ask(path, { token, type: 'image/png', body: 'x' })).status).toBe(404);
    socket.write('abc');
    expect(await readUntil(socket, /3 bytes/)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    expect(expectOk(await getPet())).toMatchObject({
      photoUrls: [expect.stringContaining('/petstore/files/')],
    });
  });
});

test('no request fails during twenty reloads', async () => {
  await start();
  const token = await petToken();
  let isOver = false;
  const answers = new Map<string, number>();
  const note = (what: string): void => void answers.set(what, (answers.get(what) ?? 0) + 1);
  const hammer = async (): Promise<void> => {
    while (!isOver) {
      const added = await ask('POST /petstore/pet', {
        token,
        body: { name: 'Rex', photoUrls: [] },
      });
      note(`add ${added.status}`);
      note(`get ${(await getPet(JSON.parse(added.text).id)).status}`);
      note(`list ${(await ask('GET /petstore/pet/findByStatus?status=sold', { token })).status}`);
    }
  };
  const callers = Array.from({ length: 4 }, hammer);
  for (let round = 0; round < 20; round += 1) {
    edit(
      /version: .*/.exec(readFileSync(folder('specs', 'petstore.yaml'), 'utf8'))?.[0] ?? '',
      `version: 1.1.${round}`,
    );
    await reload();
  }
  isOver = true;
  await Promise.all(callers);
  expect([...answers.keys()].sort()).toEqual(['add 200', 'get 200', 'list 200']);
  expect((await ask('GET /petstore/openapi.json')).text).toContain('1.1.19');
});
