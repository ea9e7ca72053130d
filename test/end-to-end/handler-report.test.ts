/** What the start says of handlers and documents that do not fit together, and what production refuses. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { ask } from '../conformance/ask';
import { startTestServer, stopTestServer, type TestServer } from '../support/start';

const folder = mkdtempSync(join(tmpdir(), 'handler-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await stopTestServer(server);
});

const document = (name: string, schema = 'Pet'): string => `
openapi: 3.0.3
info: { title: ${name}, version: '1' }
servers: [{ url: /${name} }]
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200':
          description: All pets
          content:
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/${schema}' } } }
  /pets/{petId}:
    get:
      operationId: getPetById
      parameters: [{ name: petId, in: path, required: true, schema: { type: integer, format: int64 } }]
      responses:
        '200': { description: A pet, content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } } }
  /hello:
    get:
      operationId: hello
      responses: { '204': { description: Hello } }
components:
  schemas:
    ${schema}:
      type: object
      properties: { id: { type: integer, format: int64 }, name: { type: string } }
`;

const all = `exports.handlers = ({ pets }) => ({
  listPets: () => ({ status: 200, body: pets.list() }),
  getPetById: async ({ path }) => ({ status: 200, body: await pets.get(path.petId) }),
  hello: () => ({ status: 204 }),
});`;
const collections = "exports.collections = {\n  pets: { schema: 'Pet', lookups: ['name'] },\n};";

/** Starts with these files, all below one new folder. */
const startWith = async (
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
) => {
  const root = mkdtempSync(join(folder, 'case-'));
  for (const [name, text] of Object.entries({ 'specs/README.md': '', ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const server = await startTestServer({
    SPECS_DIRECTORY: join(root, 'specs'),
    HANDLERS_DIRECTORY: join(root, 'handlers'),
    DEMO_DATA: 'false',
    ...environment,
  });
  servers.push(server);
  const findings = server.running.app.handlerFindings.map(({ message }) =>
    message.replaceAll(`${relative('', root)}/`, ''),
  );
  return { origin: server.running.origin, findings };
};

const petstore = { 'specs/box.yaml': document('box'), 'handlers/box/collections.js': collections };

test('nothing is said where everything fits', async () => {
  const { findings } = await startWith({ ...petstore, 'handlers/box/pet.js': all });
  expect(findings).toEqual([]);
});

test.each<[title: string, files: Readonly<Record<string, string>>, findings: readonly string[]]>([
  [
    'a handler whose operation is called otherwise, and an operation without handler',
    { ...petstore, 'handlers/box/pet.js': all.replace('getPetById', 'getPetByID') },
    [
      'handlers/box/pet.js: getPetByID: no operation has this id; did you mean getPetById?',
      'box: mocked, without a handler: getPetById',
    ],
  ],
  [
    'a handler whose operation is gone',
    {
      ...petstore,
      'handlers/box/pet.js': all
        .replace('hello:', 'hello, goodbye:')
        .replace('hello,', 'hello: () => ({ status: 204 }),'),
    },
    ['handlers/box/pet.js: goodbye: no operation has this id'],
  ],
  [
    'handlers outside of a factory',
    {
      ...petstore,
      'handlers/box/pet.js': 'exports.handlers = { hello: () => ({ status: 204 }) };',
    },
    [
      'handlers/box/pet.js: hello is not used: export a factory, a function that returns handlers',
      'box: mocked, without a handler: listPets, getPetById, hello',
    ],
  ],
  [
    'a folder without a document, and a document without handlers',
    {
      'specs/box.yaml': document('box'),
      'handlers/bax/pet.js': all,
      'handlers/box/types.js': 'exports.x = 1;',
    },
    [
      'handlers/bax: no document bax is served, so that its handlers are not used',
      'box: there are no handlers in handlers/box: all 3 operations are mocked, and any credential is accepted',
    ],
  ],
  [
    'a collection whose schema is called otherwise',
    {
      'specs/box.yaml': document('box', 'Pett'),
      'handlers/box/collections.js': collections,
      'handlers/box/pet.js': all,
    },
    [
      'handlers/box/collections.js:2:19: The document has no schema Pet. Did you mean Pett? Operations that use pets answer 501.',
    ],
  ],
  [
    'a lookup whose field is gone',
    {
      ...petstore,
      'specs/box.yaml': document('box').replace('name: { type: string }', ''),
      'handlers/box/pet.js': all,
    },
    [
      'handlers/box/collections.js:2:36: The schema of pets has no field name, so that nothing is found by it.',
    ],
  ],
])('%s', async (_title, files, expected) => {
  const { findings } = await startWith(files);
  expect(findings).toEqual(expected);
});

test('operations that need a collection without schema answer 501, others work', async () => {
  const { origin } = await startWith({
    'specs/box.yaml': document('box', 'Animal'),
    'handlers/box/collections.js': collections,
    'handlers/box/pet.js': all,
  });
  const answers = [];
  for (const path of ['/box/pets', '/box/pets/1', '/box/hello']) {
    const { status, body } = await ask(origin, path);
    answers.push([status, body && JSON.parse(body).message]);
  }
  const reason = 'The document has no schema Pet.';
  expect(answers).toEqual([
    [501, reason],
    [501, reason],
    [204, ''],
  ]);
});

const production = { NODE_ENV: 'production' };

test.each<[title: string, files: Readonly<Record<string, string>>, sentence: string]>([
  ['no handlers at all', { 'specs/box.yaml': document('box') }, 'there are no handlers in'],
  [
    'an unknown handler',
    { ...petstore, 'handlers/box/pet.js': all.replace('hello', 'hullo') },
    'hullo: no operation has this id; did you mean hello?',
  ],
  [
    'a schema that is not there',
    {
      'specs/box.yaml': document('box', 'Animal'),
      'handlers/box/collections.js': collections,
      'handlers/box/pet.js': all,
    },
    'The document has no schema Pet.',
  ],
])('production refuses %s, unless told otherwise', async (_title, files, sentence) => {
  await expect(startWith(files, production)).rejects.toThrow(sentence);
  const { findings } = await startWith(files, { ...production, STRICT_HANDLERS: 'false' });
  expect(findings.join('\n')).toContain(sentence);
});

test('production starts with an operation that is not handled yet', async () => {
  const { origin, findings } = await startWith(
    { ...petstore, 'handlers/box/pet.js': all.replace(/ {2}hello.*\n/, '') },
    production,
  );
  expect(findings).toEqual(['box: not implemented (501), without a handler: hello']);
  expect((await ask(origin, '/box/hello')).status).toBe(501);
});

test.each([
  ['cannot be loaded', 'const = 1;', /^\S+handlers\/box\/pet\.js cannot be loaded: /],
  [
    'has a helper that is no factory',
    'exports.shout = (text) => text.toUpperCase();',
    /^\S+handlers\/box\/pet\.js: shout is no factory of handlers: .*\. Helpers belong into a folder of their own\.$/,
  ],
  [
    'handles an operation twice',
    `${all}\nexports.more = () => ({ hello: () => ({ status: 204 }) });`,
    /^\S+handlers\/box\/pet\.js: hello is handled twice$/,
  ],
])('a module that %s ends the start with its name', async (_title, text, sentence) => {
  await expect(startWith({ ...petstore, 'handlers/box/pet.js': text })).rejects.toThrow(sentence);
});

test('a mock is marked wherever it is seen', async () => {
  const { origin } = await startWith({
    'specs/petstore.yaml': readFileSync('specs/petstore.yaml', 'utf8'),
    'handlers/petstore/pet.js':
      'exports.made = () => ({ getInventory: () => ({ status: 200, body: {} }) });',
  });
  const base = `${origin}/petstore`;
  const login = await ask(base, '/user/login?username=a&password=b');
  expect([login.status, login.headers['x-mock'], JSON.parse(login.body)]).toEqual([
    200,
    'true',
    expect.stringMatching(/^mock /),
  ]);
  const start = await ask(origin, '/');
  expect(start.body).toContain('<strong>18 mocked</strong>');
  const { paths } = JSON.parse((await ask(base, '/docs/openapi.json')).body);
  expect(paths['/user/login'].get.summary).toMatch(/^Mock: /);
  expect(paths['/store/inventory'].get.summary).not.toMatch(/^Mock/);
  const reference = (await ask(base, '/docs/reference')).body;
  expect(reference.match(/Mock: this operation has no handler yet/g)).toHaveLength(18);
});
