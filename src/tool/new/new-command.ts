/** `new NAME` begins a service: a folder with a document, its types, handlers that serve it, and a server. */

import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { parseApiDocument } from '../../engine';
import { nodeReadsTypeScript } from '../../host/module-loader';
import { exitCodes, fileReport, formatOption, type MakeCommand } from '../command/command';
import { writeTogether } from '../command/write-together';
import { printTypes } from '../types/print-types';
import {
  type DocumentSettings,
  newDocument,
  requireUsableName,
  withDocumentOptions,
} from './new-document';

const importOf = (names: string, from: string): string => `import ${names} from '${from}';`;

const handlersText = (
  name: string,
): string => `/** The handlers: they keep items as long as the server runs. */

${importOf('type { Handlers }', 'spec-first')}
${importOf('type { Operations, Schemas }', `./${name}.ts`)}

type Item = Schemas['Item'] & { readonly id: bigint };

const first = { id: 1n, name: 'A first item', createdBy: 'demo' };
const items = new Map<bigint, Item>([[first.id, first]]);
let lastId = first.id;

export const handlers: Handlers<Operations> = {
  // A page ends with the id from which the next one goes on.
  listItems({ query: { after = '0', limit }, fail }) {
    if (!/^[0-9]{1,19}$/.test(after)) throw fail(400);
    const rest = [...items.values()]
      .filter(({ id }) => id > BigInt(after))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const page = rest.slice(0, limit);
    const next = rest.length > limit ? String(page.at(-1)?.id) : undefined;
    return { status: 200, body: { items: page, next } };
  },

  createItem({ body, principal, fail }) {
    const id = body.id ?? lastId + 1n;
    if (items.has(id)) throw fail(409);
    if (id > lastId) lastId = id;
    const item = { ...body, id, createdBy: principal.username };
    items.set(id, item);
    return { status: 201, body: item };
  },

  getItem({ path, fail }) {
    const item = items.get(path.itemId);
    if (!item) throw fail(404);
    return { status: 200, body: item };
  },

  deleteItem({ path, fail }) {
    if (!items.delete(path.itemId)) throw fail(404);
    return { status: 204 };
  },

  // The address of the picture holds all of it (RFC 2397), until there is a place for files.
  putPicture({ path, body, fail }) {
    const old = items.get(path.itemId);
    if (!old) throw fail(404);
    const picture = \`data:image/png;base64,\${Buffer.from(body).toString('base64')}\`;
    const item = { ...old, picture };
    items.set(path.itemId, item);
    return { status: 200, body: item };
  },
};
`;

const serverText = (name: string): string => `/** The server: \`npm start\`. */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
${importOf('{ openApiRouter }', 'spec-first')}
${importOf('{ handlers }', './handlers.ts')}

const { PORT = '3000', PASSWORD = randomUUID() } = process.env;
const demo = { username: 'demo', subject: 'demo', scopes: [], credentialId: 'demo' };

const router = await openApiRouter(
  \`\${import.meta.dirname}/${name}.yaml\`,
  handlers,
  {
    basic: ({ username, password }) =>
      username === 'demo' && password === PASSWORD ? demo : undefined,
  },
  { docs: true, maxUploadBytes: 100_000 },
);
const server = createServer(router);
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(\`curl -u demo:\${PASSWORD} http://127.0.0.1:\${PORT}/items\`);
  console.log(\`Documentation: http://127.0.0.1:\${PORT}/docs/\`);
});
`;

const testText = (name: string): string => `/** Tests of the handlers: \`npm test\`. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
${importOf('{ openApiRouter }', 'spec-first')}
${importOf('{ handlers }', './handlers.ts')}

const demo = { username: 'demo', subject: 'demo', scopes: [], credentialId: 'demo' };

// A response that does not fit the document is answered 500.
const router = await openApiRouter(
  \`\${import.meta.dirname}/${name}.yaml\`,
  handlers,
  { basic: ({ username }) => (username === 'demo' ? demo : undefined) },
  { validateResponses: true },
);
const server = createServer(router).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());

const call = (method: string, path: string, body?: object): Promise<Response> => {
  const { port } = server.address() as AddressInfo;
  const headers = { Authorization: \`Basic \${btoa('demo:')}\`, 'Content-Type': 'application/json' };
  const sent = body && { body: JSON.stringify(body) };
  return fetch(\`http://127.0.0.1:\${port}\${path}\`, { method, headers, ...sent });
};

test('an item is stored once under its id', async () => {
  const item = { id: 7, name: 'Another item' };
  assert.equal((await call('POST', '/items', item)).status, 201);
  assert.equal((await call('POST', '/items', item)).status, 409);
  const read = await call('GET', '/items/7');
  assert.deepEqual(await read.json(), { ...item, createdBy: 'demo' });
});
`;

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** The settings by which the compiler checks what Node.js runs without it. */
const compilerSettings = json({
  compilerOptions: {
    ...{ target: 'es2023', module: 'nodenext', types: ['node'], strict: true, noEmit: true },
    ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true, skipLibCheck: true },
  },
});

/** Makes the command. */
export const newCommand: MakeCommand = ({ out }, finish) =>
  withDocumentOptions(new Command())
    .argument('<name>', 'of the document and of the folder')
    .addOption(formatOption(['text', 'json']))
    .action(
      async (name: string, options: Omit<DocumentSettings, 'server'> & { format: string }) => {
        const { format, ...settings } = options;
        requireUsableName(name);
        if (name === 'handlers' || name === 'server') {
          throw new Error(`${name}.ts is another file of the service. Use another name.`);
        }
        if (existsSync(name) && readdirSync(name).length > 0) {
          throw new Error(`The folder ${name} is not empty. Use another name.`);
        }
        const document = newDocument(name, { ...settings, server: '/' });
        const file = `${name}.yaml`;
        const typed = printTypes(parseApiDocument(file, document), `${file} by spec-first types`);
        const [more, runner] = nodeReadsTypeScript() ? ['', 'node'] : [' tsx', 'tsx'];
        const types = `spec-first types ${file} --out ${name}.ts`;
        const test = `${runner} --test`;
        const scripts = { start: `${runner} server.ts`, test, types, check: 'tsc' };
        const texts = {
          [file]: document,
          [`${name}.ts`]: typed,
          'handlers.ts': handlersText(name),
          'handlers.test.ts': testText(name),
          'server.ts': serverText(name),
          'package.json': json({ name, private: true, type: 'module', scripts }),
          'tsconfig.json': compilerSettings,
        };
        writeTogether(
          new Map(Object.entries(texts).map(([base, text]) => [resolve(name, base), text])),
        );
        const written = Object.keys(texts).map((base) => join(name, base));
        const states = written.map((path) => ({ file: path, state: 'written' }));
        out(fileReport(format, states));
        if (format === 'text') {
          out(`Start it: cd ${name} && npm install spec-first${more} && npm start
Check its types: npm install --save-dev typescript@5 @types/node && npm run check
After an edit of ${file}: npm run types\n`);
        }
        finish(exitCodes.clean);
      },
    );
