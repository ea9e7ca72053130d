/** Documents that are read again while they are served: the next request meets the new ones, and nothing else changes for anybody. */

import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { issuePetToken } from '../support/access-token';
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

const petToken = (): Promise<string> => issuePetToken(server.database.url);

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

describe('each document is decided for itself', () => {
  const editAds = (from: string, to: string): void => {
    const file = folder('specs', 'ads.yaml');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    writeFileSync(file, text.replace(from, to));
  };
  const stateOf = async (path: string) => (await ask(`GET ${path}`)).text;

  test.each([
    ['YAML that cannot be read', ['  /pet:', '  /pet: {'], /petstore\.yaml:\d+:\d+ error: /],
    [
      'a reference that leads nowhere',
      ["$ref: '#/components/responses/PetNotFound'", "$ref: '#/components/responses/Nobody'"],
      /petstore\.yaml:\d+:\d+ error: .*Nobody/,
    ],
  ] as const)(
    '%s keeps the last good version, and others go live',
    async (_, [from, to], reason) => {
      await start();
      const { version } = server.running.app;
      edit(from, to);
      sayOtherwise();
      editAds('version: 1.0.11', 'version: 1.0.12');
      const { refused, mended } = await reload();
      expect([refused.join('\n'), mended]).toEqual([expect.stringMatching(reason), []]);
      expect(refused.at(-1)).toBe(
        `${folder('specs', 'petstore.yaml')} has errors and was not taken up; its last good version is served`,
      );
      expectOk(await getPet());
      expect(messageOf((await getPet(77)).text)).toBe(unknownPet);
      expect((await ask('GET /ads/openapi.json')).text).toContain('1.0.12');
      expect(server.running.app.version).not.toBe(version);
      expect(await stateOf('/readyz')).toBe('ready\nads: current\npetstore: kept\n');
      expect(await stateOf('/')).toContain('petstore has errors and was not taken up');
      const metrics = await stateOf('/metrics');
      expect(metrics).toMatch(/^config_last_reload_successful 0$/m);
      expect(metrics.match(/^document_info\{.*$/gm)).toEqual([
        expect.stringMatching(/document="ads",state="current",version="[\da-f]{12}"\} 1$/),
        expect.stringMatching(/document="petstore",state="kept",version="[\da-f]{12}"\} 1$/),
      ]);

      edit(to, from);
      expect(await reload()).toMatchObject({
        refused: [],
        mended: [`${folder('specs', 'petstore.yaml')} is mended, and served`],
      });
      expect(messageOf((await getPet(77)).text)).toBe('No such pet');
      expect(await stateOf('/readyz')).toBe('ready\nads: current\npetstore: current\n');
      expect(await stateOf('/metrics')).toMatch(/^config_last_reload_successful 1$/m);
    },
  );

  test('a new one with faults is served without the operations that they touch', async () => {
    await start();
    const fault = "    post: { responses: { '200': { $ref: '#/x' } } }\n";
    writeFileSync(folder('specs', 'library.yaml'), library('Library') + fault);
    expect((await reload()).refused.join('\n')).toMatch(/library\.yaml:\d+:\d+ error: .*#\/x/s);
    expect((await ask('GET /library/books')).status).toBe(200);
    expect((await ask('POST /library/books')).status).toBe(501);
    expect(await stateOf('/readyz')).toContain('library: faulty\n');
    sayOtherwise();
    // It has been said.
    expect((await reload()).refused).toEqual([]);
  });

  test('a new one that cannot be read is not served, and harms no other', async () => {
    await start();
    writeFileSync(folder('specs', 'library.yaml'), 'openapi: 4.0.0\n');
    sayOtherwise();
    expect((await reload()).refused).toEqual([
      expect.stringMatching(/library\.yaml:1:10 error: OpenAPI 4\.0\.0 is not known here/),
      `${folder('specs', 'library.yaml')} is not served`,
    ]);
    expect(messageOf((await getPet(77)).text)).toBe('No such pet');
    expect(await stateOf('/readyz')).toContain('library: unserved\n');
  });

  test('V39 one that moves to OpenAPI 3.1 is taken up', async () => {
    await start();
    edit('openapi: 3.0.3', 'openapi: 3.1.2');
    sayOtherwise();
    expect((await reload()).refused).toEqual([]);
    expect(messageOf((await getPet(77)).text)).toBe('No such pet');
    expect((await ask('GET /petstore/openapi.yaml')).text).toContain('openapi: 3.1.2\n');
  });

  test('errors that were there at the start are no reason to refuse one', async () => {
    edit("$ref: '#/components/responses/OrderNotFound'", "$ref: '#/components/responses/Nobody'");
    await start();
    // Every line moves.
    edit('openapi: 3.0.3', '# A pet store\nopenapi: 3.0.3');
    sayOtherwise();
    expect((await reload()).refused).toEqual([]);
    expect(messageOf((await getPet(77)).text)).toBe('No such pet');
  });

  test('one with errors is not taken up where documents have to be without', async () => {
    await start({ STRICT_DOCUMENTS: 'true' });
    sayOtherwise();
    const fault = "    post: { responses: { '200': { $ref: '#/x' } } }\n";
    writeFileSync(folder('specs', 'library.yaml'), library('Library') + fault);
    expect((await reload()).refused.at(-1)).toMatch(/library\.yaml is not served/);
    expect((await ask('GET /library/books')).status).toBe(404);
    expect(messageOf((await getPet(77)).text)).toBe('No such pet');
  });

  test('one that its handlers do not fit is not taken up where they have to', async () => {
    await start({ STRICT_HANDLERS: 'true' });
    edit('operationId: getInventory', 'operationId: countStock');
    writeFileSync(folder('specs', 'library.yaml'), library('Library'));
    editAds('version: 1.0.11', 'version: 1.0.12');
    const { refused } = await reload();
    expect(refused.join('\n')).toMatch(
      /library\.yaml:2:\d+ error: .*no handlers.*library\.yaml is not served.*petstore\.yaml:1:1 error: .*store\.ts:\S+: getInventory: no operation of.*last good version is served$/s,
    );
    const inventory = await ask('GET /petstore/store/inventory', { key: 'special-key' });
    expect([inventory.status, inventory.headers['x-mock']]).toEqual([200, undefined]);
    expect((await ask('GET /library/books')).status).toBe(404);
    expect((await ask('GET /ads/openapi.json')).text).toContain('1.0.12');
  });

  test('operations that need less than before are named', async () => {
    await start();
    // Of getPetById.
    edit('- api_key: []', '- {}');
    expect((await reload()).weakened).toEqual(['petstore: getPetById (GET /pet/{petId})']);
    expect((await reload()).weakened).toEqual([]);
  });

  test('no document at all is no reload', async () => {
    await start();
    rmSync(folder('specs'), { recursive: true });
    await expect(reload()).rejects.toThrow(/there is no file .*specs/);
    expectOk(await getPet());
    expect(await stateOf('/metrics')).toMatch(/^config_last_reload_successful 0$/m);
  });
});

describe('a request in flight ends by the document under which it began', () => {
  test('a list that is sent while its caller reads', async () => {
    await start();
    const token = await petToken();
    // More than the buffers of both sides hold.
    const name = 'x'.repeat(500_000);
    for (let count = 0; count < 30; count += 1) {
      const body = { name, photoUrls: [], status: 'sold' };
      expect((await ask('POST /petstore/pet', { token, body })).status).toBe(200);
    }
    const headers = { Authorization: `Bearer ${token}` };
    const url = `${server.running.address}/petstore/pet/findByStatus?status=sold`;
    const [answer]: IncomingMessage[] = await once(request(url, { headers }).end(), 'response');
    edit(
      '        status:\n          description: pet status',
      '        nickname: { type: string, default: Rex }\n        status:\n          description: pet status',
    );
    await reload();
    const now = expectOk(await getPet());
    const before = JSON.parse(Buffer.concat((await answer?.toArray()) ?? []).toString());
    const nicknames = new Set(before.map((pet: { readonly nickname?: string }) => pet.nickname));
    expect([nicknames, before.length]).toEqual([new Set([undefined]), 32]);
    expect(now).toMatchObject({ nickname: 'Rex' });
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

test('no request fails during five reloads', async () => {
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
  for (let round = 0; round < 5; round += 1) {
    edit(
      /version: .*/.exec(readFileSync(folder('specs', 'petstore.yaml'), 'utf8'))?.[0] ?? '',
      `version: 1.1.${round}`,
    );
    await reload();
  }
  isOver = true;
  await Promise.all(callers);
  expect([...answers.keys()].sort()).toEqual(['add 200', 'get 200', 'list 200']);
  expect((await ask('GET /petstore/openapi.json')).text).toContain('1.1.4');
});
