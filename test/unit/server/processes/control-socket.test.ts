/** The admin program and the server, at both ends of a socket. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ReloadResult } from '../../../../src/host/reload-result';
import { readSettings } from '../../../../src/server/config/config';
import { openControlSocket, requestReload } from '../../../../src/server/processes/control-socket';
import { onReloadRequests } from '../../../../src/server/processes/reload-requests';
import { eventually } from '../../../support/eventually';
import { useTemporaryFolder } from '../../../support/temporary-folder';
import { done, failed, runIn } from '../admin/run-command';

const folder = useTemporaryFolder();
const path = () => folder('new', 'control.sock');

const result = (version = 'abc', more: Partial<ReloadResult> = {}): ReloadResult => ({
  ...{ version, refused: [], mended: [], weakened: [] },
  ...more,
});
const serve = async () => result();

const runReload = () => runIn({ settings: readSettings({ CONTROL_SOCKET: path() }) }, ['reload']);

let close = (): void => undefined;
afterEach(() => close());

describe('a reload', () => {
  test('is answered with the version that is served', async () => {
    close = await openControlSocket(path(), serve);
    expect(await requestReload(path())).toEqual(result());
    const out = 'Reloaded. The server serves version abc\n';
    expect(await runReload()).toEqual(done(out));
  });

  test('is answered with the reason why nothing has changed', async () => {
    close = await openControlSocket(path(), () =>
      Promise.reject(new Error('box.yaml:1:1 error: No')),
    );
    await expect(requestReload(path())).rejects.toThrow('box.yaml:1:1 error: No');
    const err = 'box.yaml:1:1 error: No\n';
    expect(await runReload()).toEqual(failed(err));
  });

  test('is answered with what was not taken up, and with what needs less', async () => {
    const more = {
      refused: ['box.yaml:1:1 error: No'],
      mended: ['chest.yaml is mended, and served'],
      weakened: ['chest: open (GET /)'],
    };
    close = await openControlSocket(path(), async () => result('abc', more));
    expect(await runReload()).toEqual({
      exitCode: 1,
      out: 'chest.yaml is mended, and served\nchest: open (GET /) requires weaker credentials than before\n',
      err: 'box.yaml:1:1 error: No\nSome documents were refused. The server serves version abc\n',
    });
  });

  test('cannot be asked for where no server listens, or where none is named', async () => {
    expect(await runReload()).toEqual(failed(`No server listens at CONTROL_SOCKET ${path()}\n`));
    expect(await runIn({}, ['reload'])).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^Set CONTROL_SOCKET /),
    });
  });

  test('fails where the server ends meanwhile', async () => {
    const server = createServer((socket) => socket.destroy()).listen(folder('other.sock'));
    close = () => server.close();
    await once(server, 'listening');
    await expect(requestReload(folder('other.sock'))).rejects.toThrow('ended before it answered');
  });

  test('goes on where the one who asked goes away', async () => {
    const reload = jest.fn(serve);
    close = await openControlSocket(path(), reload);
    const socket = connect(path());
    await once(socket, 'connect');
    socket.destroy();
    await eventually('the reload', () => reload.mock.calls.length === 1 || undefined);
    expect(await requestReload(path())).toEqual(result());
  });
});

describe('the socket', () => {
  test('is for its own user, and gone when it is closed', async () => {
    close = await openControlSocket(path(), serve);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    close();
    await eventually('it is gone', () => !existsSync(path()) || undefined);
  });

  test('is for its own user from the beginning, and so is a folder that is made for it', async () => {
    const before = process.umask(0);
    const server = openControlSocket(path(), serve);
    try {
      await eventually('it is there', () => existsSync(path()) || undefined);
      const modeOf = (file: string) => statSync(file).mode & 0o777;
      expect([modeOf(path()), modeOf(folder('new')), process.umask()]).toEqual([0o600, 0o700, 0]);
    } finally {
      process.umask(before);
      close = await server;
    }
  });

  test('takes the place of one that nobody listens at', async () => {
    const listen = 'net.createServer().listen(process.argv[1], () => process.kill(process.pid, 9))';
    spawnSync(process.execPath, ['-e', listen, folder('left.sock')]);
    expect(existsSync(folder('left.sock'))).toBe(true);
    close = await openControlSocket(folder('left.sock'), serve);
    expect(await requestReload(folder('left.sock'))).toEqual(result());
  });

  test('leaves alone what is no socket', async () => {
    writeFileSync(folder('notes.txt'), 'kept');
    await expect(openControlSocket(folder('notes.txt'), serve)).rejects.toThrow(
      `CONTROL_SOCKET ${folder('notes.txt')} exists and is not a socket`,
    );
    expect(readFileSync(folder('notes.txt'), 'utf8')).toBe('kept');
  });

  test('is refused where another server listens, or where none can be made', async () => {
    close = await openControlSocket(path(), serve);
    await expect(openControlSocket(path(), async () => result('def'))).rejects.toThrow(
      `CONTROL_SOCKET ${path()} is in use by another server`,
    );
    expect(await requestReload(path())).toEqual(result());
    writeFileSync(folder('file'), '');
    await expect(openControlSocket(folder('file', 'x'), serve)).rejects.toThrow(
      /^CONTROL_SOCKET .*x cannot be opened: /,
    );
  });
});

describe('SIGHUP', () => {
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const others = process.listeners('SIGHUP');
  afterEach(() => {
    jest.clearAllMocks();
    for (const listener of process.listeners('SIGHUP')) {
      if (!others.includes(listener)) process.off('SIGHUP', listener);
    }
  });

  test('shares a reload that waits with all who ask meanwhile', async () => {
    const ends: (() => void)[] = [];
    const reload = jest.fn(
      () => new Promise<ReloadResult>((resolve) => ends.push(() => resolve(result()))),
    );
    close = await onReloadRequests(undefined, reload, log);
    for (let count = 0; count < 50; count += 1) process.emit('SIGHUP');
    const end = (count: number) => eventually(`reload ${count}`, () => ends[count - 1]);
    (await end(1))();
    for (let count = 0; count < 50; count += 1) process.emit('SIGHUP');
    (await end(2))();
    await eventually('the second is over', () => log.info.mock.calls.length >= 2 || undefined);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  test.each<[string, Partial<ReloadResult>, 'info' | 'warn' | 'error', object]>([
    ['what was mended', { mended: ['box is'] }, 'info', { version: 'abc', mended: ['box is'] }],
    [
      'what was not taken up',
      { refused: ['box: No'] },
      'error',
      { version: 'abc', mended: [], refused: ['box: No'] },
    ],
    [
      'what needs less than before',
      { weakened: ['box: open'] },
      'warn',
      { version: 'abc', operations: ['box: open'] },
    ],
  ])('the log says %s', async (_, more, level, fields) => {
    log[level].mockClear();
    close = await onReloadRequests(undefined, async () => result('abc', more), log);
    process.emit('SIGHUP');
    await eventually('it is said', () => log[level].mock.calls[0]);
    expect(log[level].mock.calls).toEqual([[fields, expect.any(String)]]);
  });

  test('has the documents read again, and the log says what came of it', async () => {
    const failure = new Error('No');
    const reload = jest
      .fn<() => Promise<ReloadResult>>()
      .mockResolvedValueOnce(result())
      .mockRejectedValueOnce(failure);
    close = await onReloadRequests(undefined, reload, log);
    process.emit('SIGHUP');
    await eventually('the first', () => log.info.mock.calls[0]);
    expect(log.info).toHaveBeenCalledWith({ version: 'abc', mended: [] }, expect.any(String));
    process.emit('SIGHUP');
    await eventually('the second', () => log.error.mock.calls[0]);
    expect(log.error).toHaveBeenCalledWith({ err: failure }, expect.any(String));
  });
});
