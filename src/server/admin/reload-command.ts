/** The command that has the running server read its documents again. */

import { Command } from 'commander';
import { Refusal } from '../../storage/connections/database-errors';
import { requestReload } from '../processes/control-socket';
import type { AdminContext } from './admin-context';

/** Makes the command. */
export const reloadCommand = ({ controlSocket, print }: AdminContext): Command =>
  new Command('reload')
    .description('Have the running server read the documents again, without a request lost')
    .action(async () => {
      if (controlSocket === undefined) {
        throw new Refusal(
          'Set CONTROL_SOCKET to the same path for the server and for this command, or send SIGHUP to the server.',
        );
      }
      const { version, refused, mended, weakened } = await requestReload(controlSocket);
      for (const line of [
        ...mended,
        ...weakened.map((operation) => `${operation} requires less of callers than before`),
      ]) {
        print(line);
      }
      if (refused.length > 0) {
        const sentence = `Not everything was taken up. The server serves the rest, version ${version}`;
        throw new Error([...refused, sentence].join('\n'));
      }
      print(`The server serves the documents of today, version ${version}`);
    });
