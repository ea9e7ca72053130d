/** Listens for those who ask the running program to read its documents again, by SIGHUP. */

import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import { inTurn } from '../../base/in-turn';
import type { ReloadResult } from '../../host/reload-result';

/** Reads the documents again. Rejects where nothing has changed. */
type Reload = () => Promise<ReloadResult>;

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

/** Calls the function at each SIGHUP. */
export const onHangUp = (act: () => void): void => {
  const hasTerminal = isatty(standardInput);
  const listener = (): void => {
    if (hasTerminal && !isatty(standardInput)) {
      // The system sends it, too, when the terminal is closed in which the program runs: it ends as others do.
      process.off('SIGHUP', listener);
      process.kill(process.pid, 'SIGHUP');
    } else act();
  };
  process.on('SIGHUP', listener);
};

/** Reads the documents again at each SIGHUP; what comes of each reload is in the log. */
export const onReloadRequests = (
  reload: Reload,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): void => {
  const logged = joined(async () => {
    try {
      const { version, refused, mended, weakened } = await reload();
      if (weakened.length > 0) {
        log.warn(
          { version, operations: weakened },
          'Operations require less of callers than before',
        );
      }
      if (refused.length === 0) log.info({ version, mended }, 'Documents reloaded');
      else log.error({ version, mended, refused }, 'Documents reloaded in part');
    } catch (err) {
      log.error({ err }, 'Reload failed; keeping the previous documents');
    }
  });
  onHangUp(() => void logged());
};
