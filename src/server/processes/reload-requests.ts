/** Listens for those who ask the running program to read its documents again: SIGHUP, and the control socket. */

import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import { openControlSocket, type Reload } from './control-socket';

const standardInput = 0;

/**
 * Begins to listen; what comes of each reload is in the log.
 *
 * @param controlSocket - the path of the socket; undefined: none
 * @returns what ends the listening at the control socket
 * @throws Error where the control socket cannot be opened
 */
export const onReloadRequests = async (
  controlSocket: string | undefined,
  reload: Reload,
  log: Pick<Logger, 'info' | 'error'>,
): Promise<() => void> => {
  const hasTerminal = isatty(standardInput);
  const logged: Reload = async () => {
    try {
      const version = await reload();
      log.info({ version }, 'The documents were read again, and are served');
      return version;
    } catch (err) {
      log.error({ err }, 'The documents were read again, and those of before are still served');
      throw err;
    }
  };
  const onHangUp = (): void => {
    if (hasTerminal && !isatty(standardInput)) {
      // The system sends it, too, when the terminal is closed in which the program runs: it ends as others do.
      process.off('SIGHUP', onHangUp);
      process.kill(process.pid, 'SIGHUP');
    } else logged().catch(() => undefined);
  };
  process.on('SIGHUP', onHangUp);
  return controlSocket === undefined ? () => undefined : openControlSocket(controlSocket, logged);
};
