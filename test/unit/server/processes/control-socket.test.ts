/** The admin program and the server, at both ends of a socket. */

import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { openControlSocket, requestReload } from '../../../../src/server/processes/control-socket';
import { onReloadRequests } from '../../../../src/server/processes/reload-requests';
import { eventually } from '../../../support/eventually';
import { useTemporaryFolder } from '../../../support/temporary-folder';
import { runIn } from '../admin/run-command';

const folder = useTemporaryFolder();
const path = () => folder('new', 'control.sock');

let close = (): void => undefined;
afterEach(() => close());

describe('a reload', () => {
  test('is answered with the version that is served', async () => {
    close = await openControlSocket(path(), async () => 'abc');
    expect(await requestReload(path())).toBe('abc');
    const out = 'The server serves the documents of today, version abc\n';
    expect(await runIn({ controlSocket: path() }, ['reload'])).toEqual({
      exitCode: 0,
      out,
      err: '',
    });
  });

  test('is answered with the reason why nothing has changed', async () => {
    close = await openControlSocket(path(), () =>
      Promise.reject(new Error('box.yaml:1:1 error: No')),
    );
    await expect(requestReload(path())).rejects.toThrow('box.yaml:1:1 error: No');
    const err = 'box.yaml:1:1 error: No\n';
    expect(await runIn({ controlSocket: path() }, ['reload'])).toEqual({
      exitCode: 1,
      out: '',
      err,
    });
  });

  test('cannot be asked for where no server listens, or where none is named', async () => {
    expect(await runIn({ controlSocket: path() }, ['reload'])).toEqual({
      ...{ exitCode: 1, out: '' },
      err: `No server listens at CONTROL_SOCKET ${path()}\n`,
    });
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
    const reload = jest.fn(async () => 'abc');
    close = await openControlSocket(path(), reload);
    const socket = connect(path());
    await once(socket, 'connect');
    socket.destroy();
    await eventually('the reload', () => reload.mock.calls.length === 1 || undefined);
    expect(await requestReload(path())).toBe('abc');
  });
});

describe('the socket', () => {
  test('is for its own user, and gone when it is closed', async () => {
    close = await openControlSocket(path(), async () => 'abc');
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    close();
    await eventually('it is gone', () => !existsSync(path()) || undefined);
  });

  test('takes the place of one that nobody listens at', async () => {
    writeFileSync(folder('left.sock'), '');
    close = await openControlSocket(folder('left.sock'), async () => 'abc');
    expect(await requestReload(folder('left.sock'))).toBe('abc');
  });

  test('is refused where another server listens, or where none can be made', async () => {
    close = await openControlSocket(path(), async () => 'abc');
    await expect(openControlSocket(path(), async () => 'def')).rejects.toThrow(
      `CONTROL_SOCKET ${path()} is in use by another server`,
    );
    expect(await requestReload(path())).toBe('abc');
    writeFileSync(folder('file'), '');
    await expect(openControlSocket(folder('file', 'x'), async () => 'abc')).rejects.toThrow(
      /^CONTROL_SOCKET .*x cannot be opened: /,
    );
  });
});

describe('SIGHUP', () => {
  const log = { info: jest.fn(), error: jest.fn() };
  const others = process.listeners('SIGHUP');
  afterEach(() => {
    for (const listener of process.listeners('SIGHUP')) {
      if (!others.includes(listener)) process.off('SIGHUP', listener);
    }
  });

  test('has the documents read again, and the log says what came of it', async () => {
    const failure = new Error('No');
    const reload = jest
      .fn<() => Promise<string>>()
      .mockResolvedValueOnce('abc')
      .mockRejectedValueOnce(failure);
    close = await onReloadRequests(undefined, reload, log);
    process.emit('SIGHUP');
    await eventually('the first', () => log.info.mock.calls[0]);
    expect(log.info).toHaveBeenCalledWith({ version: 'abc' }, expect.any(String));
    process.emit('SIGHUP');
    await eventually('the second', () => log.error.mock.calls[0]);
    expect(log.error).toHaveBeenCalledWith({ err: failure }, expect.any(String));
  });
});
