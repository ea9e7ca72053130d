/** Several workers as processes: one start, one end, and no process left behind. */

import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { issuePetToken } from '../support/access-token';
import { askAt } from '../support/ask';
import { beginUpload } from '../support/begin-upload';
import { expectOk } from '../support/expect-ok';
import { answering, askEveryWorker, logLines } from '../support/log-lines';
import { type RunningProgram, useProgram } from '../support/program';
import { isOpen } from '../support/raw-socket';

const program = useProgram();

type Environment = Readonly<Record<string, string>>;

let databases = 0;
const newEnvironment = (): Environment => {
  databases += 1;
  const DATABASE_URL = `sqlite:${join(program().directory, `${databases}.sqlite`)}`;
  return { DATABASE_URL, WORKERS: '2', LOG_LEVEL: 'info' };
};

let environment: Environment = {};
beforeEach(() => {
  environment = newEnvironment();
});

/** For what leaves two workers behind. */
let lasting: RunningProgram;
beforeAll(async () => {
  lasting = await program().start(newEnvironment(), { outlivesTest: true });
});

const start = (further: Environment = {}): Promise<RunningProgram> =>
  program().start({ ...environment, ...further });

/** The processes that answer. */
const workersOf = async (running: RunningProgram): Promise<readonly number[]> => {
  const ask = () => askAt(running.origin)('GET /livez').catch(() => undefined);
  return (await askEveryWorker(running, ask)).pids;
};

const upload = Buffer.alloc(100_000, 7);

/** Begins the upload and sends a part of it. */
const beginPart = async (origin: string, token: string): Promise<Socket> => {
  const socket = await beginUpload(origin, token, upload.length);
  socket.write(upload.subarray(0, 10_000));
  return socket;
};

/** Sends the rest; resolves to the answer. */
const endUpload = async (socket: Socket): Promise<string> => {
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.write(upload.subarray(10_000));
  return until('the upload is answered', () => (/\r\n\r\n\{.*\}/s.test(text) ? text : undefined));
};

const listening = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
};

const issueToken = ({ DATABASE_URL = '' }: Environment): Promise<string> =>
  issuePetToken(DATABASE_URL);

describe('the start', () => {
  test('says everything once, and leaves the answering to the workers', async () => {
    const { origin } = lasting;
    expect(await workersOf(lasting)).not.toContain(lasting.pid);
    const said = lasting
      .output()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{'));
    expect(said).toEqual([
      expect.stringMatching(/^specs\/ads\.yaml:\d+:\d+ warning: .*Category/),
      expect.stringMatching(/^specs\/ads\.yaml:\d+:\d+ warning: .*write:ads/),
      `ads: ${origin}/ads (4 operations)`,
      `petstore: ${origin}/petstore (19 operations)`,
      'Demo login: demo / demo-password   API key: special-key',
    ]);
  });

  test('fails once for a port in use', async () => {
    const { server: other, port } = await listening();
    const { exitCode, err } = await program().fail({ ...environment, PORT: String(port) });
    other.close();
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/^[^\n]*EADDRINUSE[^\n]*\n$/)]);
  });
});

describe('the end', () => {
  test.each<[string, (running: RunningProgram) => void]>([
    ['SIGTERM', (running) => running.signal('SIGTERM')],
    [
      'SIGINT to all processes, as from a terminal, more than once',
      (running) => {
        for (let times = 0; times < 3; times += 1) running.signalGroup('SIGINT');
      },
    ],
  ])('%s lets requests in flight finish, and ends with 0', async (_, signal) => {
    const running = await program().start(environment);
    const token = await issueToken(environment);
    const uploads = [
      await beginPart(running.origin, token),
      await beginPart(running.origin, token),
    ];
    signal(running);
    await until('the port closes', async () => !(await isOpen(running.origin)));
    for (const begun of uploads) {
      expect(await endUpload(begun)).toMatch(/^HTTP\/1\.1 200 .*"100000 bytes"/s);
    }
    expect(await running.ended).toBe(0);
  });

  test('comes for a request that does not finish, after SHUTDOWN_SECONDS', async () => {
    const running = await start({ SHUTDOWN_SECONDS: '1' });
    const socket = await beginPart(running.origin, await issueToken(environment));
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    expect(await running.end('SIGTERM')).toBe(0);
    await closed;
  });
});

describe('the death of a worker', () => {
  test('closes the connection that it was being handed', async () => {
    const [victim = 0] = await workersOf(lasting);
    process.kill(victim, 'SIGSTOP');
    const ask = askAt(lasting.origin);
    const outcomes = Array.from({ length: 4 }, () =>
      ask('GET /livez').then(
        ({ status }) => status,
        () => 'closed',
      ),
    );
    // All but the one that is on its way to the worker that sleeps.
    let answers = 0;
    for (const outcome of outcomes) void outcome.then(() => (answers += 1));
    await until('the other answers', () => answers === 3);
    process.kill(victim, 'SIGKILL');
    expect((await Promise.all(outcomes)).sort()).toEqual([200, 200, 200, 'closed']);
  });

  test('of all at once does not change the port', async () => {
    const first = await workersOf(lasting);
    for (const pid of first) process.kill(pid, 'SIGKILL');
    await until('another answers', async () => {
      await askAt(lasting.origin)('GET /livez').catch(() => undefined);
      return answering(logLines(lasting)).some((pid) => !first.includes(pid)) || undefined;
    });
  });
});

test('a worker that serves otherwise than the one before it says so, and others that agree with it do not', async () => {
  const handlers = join(program().directory, 'others');
  mkdirSync(join(handlers, 'ads'), { recursive: true });
  const running = await start({ HANDLERS_DIRECTORY: handlers });
  const told = (message: string) => logLines(running).filter(({ msg }) => msg === message);
  const loaded = (count: number) =>
    until(`${count} workers`, () => told('Documents loaded').length === count);
  await loaded(2);
  writeFileSync(join(handlers, 'ads', 'a.js'), 'exports.stray = () => ({ status: 200 });');
  for (const [index, { pid }] of told('Documents loaded').entries()) {
    process.kill(Number(pid), 'SIGKILL');
    await loaded(3 + index);
  }
  const changes = await until('the line', () => {
    const lines = told('A worker serves otherwise than those before it');
    return lines.length > 0 ? lines : undefined;
  });
  expect(changes).toEqual([
    expect.objectContaining({
      gone: [expect.stringMatching(/ads: there are no handlers .* mocked/)],
    }),
  ]);
});

test('the death of the primary ends all, and the port is free again', async () => {
  expect(await lasting.end('SIGKILL')).toBeNull();
  const { port } = new URL(lasting.origin);
  const again = await start({ PORT: port });
  expect(again.origin).toBe(lasting.origin);
  expectOk(await askAt(again.origin)('GET /petstore/store/order/1'));
});
