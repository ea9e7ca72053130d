/** The program serves and ends whatever becomes of its log. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { eventually } from '../support/eventually';
import { useProgram } from '../support/program';

const program = useProgram();

/** The lines of some dozens fill every pipe. */
const path = `/${'x'.repeat(4000)}`;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const openPipe = (): string => {
  const pipe = join(program().directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return pipe;
};

test.each<[string, () => string]>([
  ['a full disk', () => '/dev/full'],
  ['a pipe that nothing reads', openPipe],
])('with its log on %s', async (name, outputOf) => {
  const { build, directory } = program();
  const port = await freePort();
  const output = openSync(outputOf(), 'r+');
  const child = spawn(process.execPath, [join(build, 'src/main.js')], {
    cwd: rootFolder,
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DEMO_DATA: 'false',
      DATABASE_URL: `sqlite:${join(directory, `${name}.sqlite`)}`,
    },
    stdio: ['ignore', output, 'inherit'],
  });
  const ended = once(child, 'exit');
  const ask = async (): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    await response.arrayBuffer();
    return response.status;
  };
  try {
    await eventually('an answer', async () =>
      (await ask().catch(() => 0)) === 404 ? true : undefined,
    );
    for (let count = 0; count < 40; count += 1) expect(await ask()).toBe(404);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    closeSync(output);
  }
});
