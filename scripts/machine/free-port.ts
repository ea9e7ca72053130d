/** Ports of this machine without a listener. */

import { tryToListen } from '../../src/http/listening';

export const freePort = async (): Promise<number> =>
  Number(new URL(await tryToListen(0, '127.0.0.1')).port);
