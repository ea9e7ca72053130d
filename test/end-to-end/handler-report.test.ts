/** Reports at the start on handlers and documents that do not match, and the refusals of production. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { ask } from '../conformance/ask';
import { startTestServer, stopTestServer, type TestServer } from '../support/start';
import { valuesOf } from '../support/text-cases';

const cases = join(__dirname, 'handler-report.cases.txt');

const folder = mkdtempSync(join(tmpdir(), 'handler-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await stopTestServer(server);
});

const text = readFileSync(join(__dirname, 'handler-report.yaml'), 'utf8');
const document = (schema = 'Pet'): string => text.replaceAll('SCHEMA', schema);

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
    ...(environment['HANDLERS_DIRECTORY'] && {
      HANDLERS_DIRECTORY: join(root, environment['HANDLERS_DIRECTORY']),
    }),
  });
  servers.push(server);
  const findings = server.running.app.handlerFindings.map(({ message }) =>
    message.replaceAll(`${relative('', root)}/`, '').replaceAll(`${root}/`, ''),
  );
  const problems = server.running.app.problems.map(({ message }) => message);
  return { origin: server.running.origin, findings, problems };
};

const petstore = { 'specs/box.yaml': document(), 'handlers/box/collections.js': collections };

test('nothing is said where everything fits', async () => {
  const { findings } = await startWith({ ...petstore, 'handlers/box/pet.js': all });
  expect(findings).toEqual([]);
});

test.each<[title: string, files: Readonly<Record<string, string>>, findings: readonly string[]]>([
  [
    'a handler whose operation is called otherwise, and an operation without handler',
    { ...petstore, 'handlers/box/pet.js': all.replace('getPetById', 'getPetByID') },
    [
      'handlers/box/pet.js:3:3: getPetByID: no operation of specs/box.yaml has this id; did you mean getPetById?',
      'getPetById (specs/box.yaml:16) has no handler: mocked. npm run contract -- stubs writes one',
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
    ['handlers/box/pet.js:4:35: goodbye: no operation of specs/box.yaml has this id'],
  ],
  [
    'handlers outside of a factory: in objects, or exported by the names of their operations',
    {
      ...petstore,
      'handlers/box/pet.js': `exports.handlers = { hello: () => ({ status: 204 }) };
        exports.getPetById = ({ fail }) => { throw fail(404); };
        exports.listPest = async ({ query }) => ({ status: 200, body: [query.limit] });`,
    },
    [
      'handlers/box/pet.js:3:17: listPest: no operation of specs/box.yaml has this id; did you mean listPets?',
      ...['listPets (specs/box.yaml:8)'].map(
        (operation) => `${operation} has no handler: mocked. npm run contract -- stubs writes one`,
      ),
    ],
  ],
  [
    'a folder without a document, and a document without handlers',
    {
      'specs/box.yaml': document(),
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
      'specs/box.yaml': document('Pett'),
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
      'specs/box.yaml': document().replace('name: { type: string }', ''),
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

test('demo data that does not fit is left out, and defaults are filled in', async () => {
  const files = {
    ...petstore,
    'specs/box.yaml': document().replace(
      'properties: { id:',
      'required: [kind]\n      properties: { kind: { type: string, enum: [cat, dog], default: cat }, id:',
    ),
    'handlers/box/pet.js': all,
    'handlers/box/demo.js':
      "exports.demo = { pets: [{ name: 'a' }, { kind: 'cow' }, { kind: 'dog' }, { id: 'x' }] };",
  };
  const { origin, findings } = await startWith(files, { DEMO_DATA: 'true' });
  expect(findings).toEqual([
    'handlers/box/demo.js: items 2, 4 of pets do not fit Pet (specs/box.yaml:27) and are left out: /kind must be one of "cat", "dog"',
  ]);
  const { text: body } = await ask(origin, '/box/pets');
  expect(JSON.parse(body)).toEqual([
    { kind: 'cat', id: 1, name: 'a' },
    { kind: 'dog', id: 2 },
  ]);
});

test.each<[title: string, id: string, items: string, ids: readonly unknown[]]>([
  ['a number', 'type: integer, format: int64', "{ name: 'a' }, { name: 'b' }", [1, 2]],
  [
    'a number that others give',
    'type: integer, format: int64',
    "{ id: 1n }, { name: 'a' }",
    [1, 2],
  ],
  [
    'a text',
    'type: string, format: uuid',
    "{ name: 'a' }",
    [expect.stringMatching(/^[\da-f-]{36}$/)],
  ],
])('demo data may leave out an id that the document requires: %s', async (_, id, items, ids) => {
  const files = {
    ...petstore,
    'specs/box.yaml': document().replace(
      /properties: \{ id: \{[^}]*\}/,
      `required: [id]\n      properties: { id: { ${id}, readOnly: true }`,
    ),
    'handlers/box/pet.js': all,
    'handlers/box/demo.js': `exports.demo = { pets: [${items}] };`,
  };
  const { origin, findings } = await startWith(files, { DEMO_DATA: 'true' });
  expect(findings).toEqual([]);
  const { text: body } = await ask(origin, '/box/pets');
  expect(JSON.parse(body).map((pet: { id: unknown }) => pet.id)).toEqual(ids);
});

test('operations that need a collection without schema answer 501, others work', async () => {
  const { origin } = await startWith({
    'specs/box.yaml': document('Animal'),
    'handlers/box/collections.js': collections,
    'handlers/box/pet.js': all,
  });
  const answers = [];
  for (const path of ['/box/pets', '/box/pets/1', '/box/hello']) {
    const { status, text: body } = await ask(origin, path);
    answers.push([status, body && JSON.parse(body).message]);
  }
  const reason = 'The document has no schema Pet.';
  expect(answers).toEqual([
    [501, reason],
    [501, reason],
    [204, ''],
  ]);
});

test('a security scheme that nothing verifies is told of, unless any credential is accepted', async () => {
  const secured = `${document()}  securitySchemes: { b: { type: http, scheme: digest } }\nsecurity: [{ b: [] }]\n`;
  const files = { 'specs/box.yaml': secured, 'handlers/box/pet.js': all };
  expect((await startWith(files)).problems).toEqual([
    expect.stringMatching(/^The scheme b \(http digest\) is not verified: operations that require/),
  ]);
  expect((await startWith({ 'specs/box.yaml': secured })).problems).toEqual([]);
});

const production = { NODE_ENV: 'production' };

test.each<[title: string, files: Readonly<Record<string, string>>, sentence: string]>([
  ['no handlers at all', { 'specs/box.yaml': document() }, 'there are no handlers in'],
  [
    'an unknown handler',
    { ...petstore, 'handlers/box/pet.js': all.replace('hello', 'hullo') },
    'hullo: no operation of',
  ],
  [
    'a schema that is not there',
    {
      'specs/box.yaml': document('Animal'),
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
  expect(findings).toEqual([
    'hello (specs/box.yaml:22) has no handler: not implemented (501). npm run contract -- stubs writes one',
  ]);
  expect((await ask(origin, '/box/hello')).status).toBe(501);
});

test.each([
  [
    'cannot be loaded',
    'const = 1;',
    /^Handlers:\n {2}\S+handlers\/box\/pet\.js(:\d+)* cannot be loaded: /,
  ],
  [
    'has a helper that is no factory',
    'exports.shout = (text) => text.toUpperCase();',
    /^Handlers:\n {2}\S+handlers\/box\/pet\.js: shout is no factory of handlers: .*\. Helpers belong into a folder of their own\. /,
  ],
  [
    'handles an operation twice',
    `${all}\nexports.more = () => ({ hello: () => ({ status: 204 }) });`,
    /^Handlers:\n {2}\S+handlers\/box\/pet\.js: hello is handled twice\n/,
  ],
])(
  'in production a module that %s ends the start with its name',
  async (_title, text, sentence) => {
    const files = { ...petstore, 'handlers/box/pet.js': text };
    await expect(startWith(files, production)).rejects.toThrow(sentence);
  },
);

const calls = `exports.calls = [];
exports.handlers = ({ pets: { list, get } }) => {
  exports.calls.push('made');
  return {
    listPets: () => ({ status: 200, body: list() }),
    getPetById: async ({ path }) => ({ status: 200, body: await get(path.petId) }),
    hello: () => ({ status: 204, headers: { calls: String(exports.calls) } }),
  };
};`;

test('in production handlers are made once, and may take the methods of collections out', async () => {
  const declared = document().replace(
    '{ description: Hello }',
    '{ description: Hello, headers: { calls: { schema: { type: string } } } }',
  );
  const files = { ...petstore, 'specs/box.yaml': declared, 'handlers/box/pet.js': calls };
  const { origin, findings } = await startWith(files, production);
  expect(findings).toEqual([]);
  const hello = await ask(origin, '/box/hello');
  const list = await ask(origin, '/box/pets');
  expect([hello.headers['calls'], list.status, list.text]).toEqual(['made', 200, '[]']);
});

const asking = `exports.handlers = async ({ pets }) => {
  const rex = await pets.insert({ name: 'Rex' });
  return {
    listPets: () => ({ status: 200, body: pets.list() }),
    getPetById: () => ({ status: 200, body: rex }),
    hello: () => ({ status: 204 }),
  };
};`;

test('a factory is awaited, and may ask the database', async () => {
  const { origin, findings } = await startWith({ ...petstore, 'handlers/box/pet.js': asking });
  expect(findings).toEqual([]);
  expect((await ask(origin, '/box/pets')).text).toContain('Rex');
  expect((await ask(origin, '/box/pets/1')).text).toContain('Rex');
});

test('a factory that fails after it has begun takes its operations out of service', async () => {
  const failing = asking.replace('return {', "throw new Error('no mailer'); return {");
  const { origin, findings } = await startWith({ ...petstore, 'handlers/box/pet.js': failing });
  expect(findings).toEqual([
    expect.stringMatching(/pet\.js: handlers is no factory of handlers: no mailer\./),
  ]);
  expect((await ask(origin, '/box/hello')).status).toBe(503);
});

const key = `${document()}  securitySchemes: { key: { type: apiKey, in: header, name: key } }
security: [{ key: [] }]
`;

test.each(
  valuesOf<[title: string, files: Readonly<Record<string, string>>, reason: string]>(
    cases,
    'handler folders',
  ),
)(
  'operations of a handler folder %s answer 501 and keep their security',
  async (_, files, reason) => {
    const compiled = reason.includes('not compiled') ? { HANDLERS_DIRECTORY: 'dist/handlers' } : {};
    const { origin, findings } = await startWith({ 'specs/box.yaml': key, ...files }, compiled);
    expect(findings).toEqual([
      expect.stringMatching(
        new RegExp(`^${reason}.*(501 for listPets, getPetById, hello|The 3 operations)`),
      ),
    ]);
    const ask401 = await ask(origin, '/box/hello');
    const askAny = await ask(origin, '/box/hello', { headers: { key: 'anything' } });
    expect([ask401.status, askAny.status]).toEqual([401, 401]);
  },
);

test('a module that cannot be loaded takes out its own operations alone, and leaves demo data', async () => {
  const files = {
    ...petstore,
    'handlers/box/pet.js': all.replace(/ {2}(hello|getPetById).*\n/g, ''),
    'handlers/box/hello.js': 'exports.more = () => ({ hello() { return { status: 204 } ) });',
    'handlers/box/demo.js': "exports.demo = { pets: [{ name: 'Rex' }] };",
  };
  const { origin, findings } = await startWith(files, { DEMO_DATA: 'true' });
  expect(findings).toEqual([
    expect.stringMatching(/^\S+hello\.js:1 cannot be loaded: .*\. 501 for hello$/),
    expect.stringMatching(/^getPetById \(specs\/box\.yaml:\d+\) has no handler: mocked\./),
  ]);
  const answers = ['hello', 'pets', 'pets/1'].map((path) => ask(origin, `/box/${path}`));
  const [hello, list, mock] = await Promise.all(answers);
  expect([hello?.status, list?.status, mock?.status]).toEqual([501, 200, 200]);
  expect([list?.text, mock?.headers['x-mock']]).toEqual([expect.stringContaining('Rex'), 'true']);
});

test('a mock is marked wherever it is seen', async () => {
  const { origin } = await startWith({
    'specs/petstore.yaml': readFileSync('specs/petstore.yaml', 'utf8'),
    'handlers/petstore/pet.js':
      'exports.made = () => ({ getInventory: () => ({ status: 200, body: {} }) });',
  });
  const base = `${origin}/petstore`;
  const login = await ask(base, '/user/login?username=a&password=b');
  expect([login.status, login.headers['x-mock'], JSON.parse(login.text)]).toEqual([
    200,
    'true',
    // The example of the document is public.
    '2YotnFZFEjr1zCsicMWpAA',
  ]);
  const start = await ask(origin, '/');
  expect(start.text).toContain('<strong>18 mocked</strong>');
  const { paths } = JSON.parse((await ask(base, '/docs/openapi.json')).text);
  expect(paths['/user/login'].get.summary).toMatch(/^Mock: /);
  expect(paths['/store/inventory'].get.summary).not.toMatch(/^Mock/);
});

test.each(
  valuesOf<[title: string, securityHandlers: string, statuses: object]>(cases, 'security handlers'),
)('security handlers of modules %s', async (_title, securityHandlers, statuses) => {
  const secured = document()
    .replace('operationId: hello\n', 'operationId: hello\n      security: [{ own: [] }]\n')
    .replace(
      'components:\n',
      'components:\n  securitySchemes: { own: { type: http, scheme: bearer } }\n',
    );
  const { origin } = await startWith({
    'specs/box.yaml': secured,
    'handlers/box/hello.js': `exports.hello = () => ({ status: 204 });\n${securityHandlers}`,
  });
  for (const [token, status] of Object.entries(statuses)) {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${origin}/box/hello`, { headers });
    expect([token, response.status]).toEqual([token, status]);
  }
});
