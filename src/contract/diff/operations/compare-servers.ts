/** Compares base paths: an operation at another address is not there for those who call the old one. */

import { serverPath } from '../../../document/read/templates';
import type { Server } from '../../../model/operation';
import { bothOf, entryPairs, type Reporter, type Spot } from '../rules/finding';

const root: readonly Server[] = [{ pointer: '/servers', url: '/', variables: {} }];

/** Base paths by text; without servers there is the root (OAS 3.0.3, OpenAPI Object). */
const pathsOf = (servers: readonly Server[]): ReadonlyMap<string, Spot> =>
  new Map(
    (servers.length > 0 ? servers : root).flatMap((server) => {
      const path = serverPath(server);
      if (path === undefined) return [];
      return [[path, { pointer: server.pointer, text: path || '/' }] as const];
    }),
  );

/** Compares two lists of servers. */
export const compareServers = (
  reporter: Reporter,
  old: readonly Server[],
  now: readonly Server[],
): void => {
  for (const [was, is] of entryPairs(pathsOf(old), pathsOf(now))) {
    bothOf(reporter, was, is, 'server-path');
  }
};
