/** Listens for those who ask the running program to read its documents again: SIGHUP, and the control socket. */

import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import { inTurn } from '../../base/in-turn';
import type { ReloadResult } from '../../host/reload-result';
import { openControlSocket, type Reload } from './control-socket';

const standardInput = 0;

/** Makes calls share a run: one that waits for the run under way is that of all who ask meanwhile. */
const joined = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  const runInTurn = inTurn();
  let waiting: Promise<Result> | undefined;
  return () => {
    waiting ??= runInTurn(() => {
      waiting = undefined;
      return work();
    });
    return waiting;
  };
};

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
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): Promise<() => void> => {
  const hasTerminal = isatty(standardInput);
  const logged = joined<ReloadResult>(async () => {
    try {
      const result = await reload();
      const { version, refused, mended, weakened } = result;
      if (weakened.length > 0) {
        log.warn(
          { version, operations: weakened },
          'Operations require less of callers than before',
        );
      }
      if (refused.length === 0) log.info({ version, mended }, 'Documents reloaded');
      else log.error({ version, mended, refused }, 'Documents reloaded in part');
      return result;
    } catch (err) {
      log.error({ err }, 'Reload failed; keeping the previous documents');
      throw err;
    }
  });
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
