/** Serves a document by the package, and asks the server over HTTP. */

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { createServer } = require('node:http');
const { join } = require('node:path');

const document = join(__dirname, 'items.yaml');

/** Beyond 2^53, where numbers of JavaScript lose digits. */
const id = 9007199254740993n;

/** The names that were put, by id. */
const names = new Map();

const handlers = {
  getItem: ({ path }) => ({
    status: 200,
    body: { id: path.id, name: names.get(path.id) ?? 'aaa' },
  }),
  putItem({ path, body }) {
    names.set(path.id, body.name);
    return { status: 200, body: { id: path.id, name: body.name } };
  },
  addPicture: ({ path, body }) => ({ status: 200, body: { id: path.id, name: body.title } }),
};

const json = (name) => `{"id":${id},"name":"${name}"}`;
const xml = (name) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<item><id>${id}</id><name>${name}</name></item>`;

const form = () => {
  const fields = new FormData();
  fields.set('title', 'aaaa');
  fields.set('picture', new Blob([Uint8Array.of(0, 255)]), 'picture.bin');
  return fields;
};

const inXml = { Accept: 'application/xml' };

/** Requests by path, with the status and the body of their responses. */
const exchanges = [
  ['JSON', `/${id}`, {}, 200, json('aaa')],
  ['XML', `/${id}`, { headers: inXml }, 200, xml('aaa')],
  [
    'JSON to XML',
    `/${id}`,
    { method: 'PUT', headers: { ...inXml, 'Content-Type': 'application/json' }, body: json('aa') },
    200,
    xml('aa'),
  ],
  [
    'XML to JSON',
    `/${id}`,
    { method: 'PUT', headers: { 'Content-Type': 'application/xml' }, body: xml('a') },
    200,
    json('a'),
  ],
  ['multipart', `/${id}/picture`, { method: 'POST', body: form() }, 200, json('aaaa')],
  [
    'slow pattern',
    `/${id}`,
    {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: json(`${'a'.repeat(40)}b`),
    },
    400,
    undefined,
  ],
  ['mock', '/latest', {}, 200, '{"id":9007199254740995,"name":"aa"}'],
  ['wrong path', '/one', {}, 400, undefined],
];

const askAll = async (ask) => {
  names.clear();
  for (const [title, path, init, status, body] of exchanges) {
    const response = await ask(`/items${path}`, init);
    const text = await response.text();
    assert.equal(response.status, status, `${title}: ${text}`);
    if (body !== undefined) assert.equal(text, body, title);
  }
};

/** Runs the program of the package. */
const check = () => {
  const program = join(__dirname, 'node_modules/spec-first/dist/tool/main.js');
  const run = globalThis.Deno === undefined ? [] : ['run', '-A'];
  execFileSync(process.execPath, [...run, program, 'check', document]);
};

/**
 * Asks a server and a function of the Fetch API, tests the contract of the server, and runs the program of the package.
 *
 * @param entries what the package's entry points export
 */
exports.usePackage = async ({ openApiRouter, openApiFetch, openApiPlugin, testContract }) => {
  const router = await openApiRouter(document, handlers, {}, { mocks: true });
  const server = createServer(router);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  await askAll((path, init) => fetch(origin + path, init));
  const { failures } = await testContract({
    document,
    url: `${origin}/items`,
    depth: 'quick',
    seed: 1,
  });
  assert.equal(failures.length, 0);
  server.closeAllConnections();
  server.close();
  const answer = await openApiFetch(document, handlers, {}, { mocks: true });
  await askAll((path, init) => answer(new Request(`http://localhost${path}`, init)));
  assert.equal(typeof openApiPlugin, 'function');
  check();
};
