/** Servers of a test file, at free ports of this machine; they are closed after its tests. */

import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterAll } from '@jest/globals';
import { listen as listenAt } from '../../src/http/listening';

const servers: Server[] = [];

afterAll(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Starts a server; gives its origin. */
export const listen = (server: Server): Promise<string> => {
  servers.push(server);
  return listenAt(server, 0, '127.0.0.1');
};
