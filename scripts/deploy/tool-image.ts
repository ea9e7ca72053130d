/** Makes the image of the program from its tarball, and runs its commands there without a network. */

import assert from 'node:assert';
import { chmodSync, cpSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd, temporaryFolder } from '../machine/run-main';
import { until } from '../machine/until';
import { pack } from '../pack/pack';
import { rootFolder } from '../root-folder';
import { buildImage, ofThisMachine, podman, sizeOf, startContainer } from './podman';

/** The most that the image may have, unpacked. */
const MAX_BYTES = 120e6;

/** Asks a server in the container, where there is no other program. */
const asking = [
  'node',
  '-e',
  "fetch('http://127.0.0.1:4010/books/1').then((response) => response.text()).then(console.log)",
];

/** Asks for the tools of a document, as a program does that has started the server. */
const askingForTools = `
const { spawn } = require('node:child_process');
const server = spawn('node', ['/app/node_modules/spec-first/dist/tool/main.js', 'mcp', 'books.yaml'], { stdio: ['pipe', 'inherit', 'inherit'] });
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } } });
send({ method: 'notifications/initialized' });
send({ id: 2, method: 'tools/list' });
server.stdin.end();`;

/** Makes the image, and tries it; resolves to a sentence with its size. */
export const tryTool = async (standIn: string): Promise<string> => {
  const context = temporaryFolder('spec-first-tool-', '/var/tmp');
  const file = join(rootFolder, 'scripts/pack/Dockerfile');
  const [, base = ''] = /^FROM (\S+) AS/m.exec(await readFile(file, 'utf8')) ?? [];
  const image = `localhost/spec-first-tool:${process.pid}`;
  await pack(context);
  await buildImage(image, { file, context, bases: [base], standIn });
  atEnd(() => podman('rmi', '--force', image));
  const size = await sizeOf(image);
  assert(size <= MAX_BYTES, `The image has ${size} bytes`);
  assert.match(
    await podman('image', 'inspect', '--format={{.User}}', image),
    /^[1-9]\d+:[1-9]\d+$/,
  );

  cpSync(join(rootFolder, 'scripts/deploy/books.yaml'), join(context, 'books.yaml'));
  chmodSync(context, 0o755);
  const held = ['--read-only', '--cap-drop=all', '--volume', `${context}:/work:ro`];
  const checked = await podman(
    'run',
    '--rm',
    ...ofThisMachine('none'),
    ...held,
    image,
    'check',
    'books.yaml',
  );
  assert.match(checked, /^0 errors/);
  const server = await startContainer([...held, image, 'serve', 'books.yaml'], 'none');
  await until('the server answers', async () => (await server.exec(asking)).includes('"id"'));
  assert.match(await server.exec(['node', '-e', askingForTools]), /"getBook"/);
  return `has ${(size / 1e6).toFixed(1)} MB`;
};
