/** Compares base paths: an operation at another address is not there for those who call the old one. */

import { isPlainObject } from '../../../base/plain-object';
import { serverPath } from '../../../document/read/templates';
import type { OperationPlace } from '../messages/compare-parameters';
import type { Report, Spot } from '../rules/finding';

interface Servers {
  readonly pointer: string;
  readonly list: unknown;
}

/** Base paths by text; without servers there is the root (OAS 3.0.3, OpenAPI Object). */
const pathsOf = ({ pointer, list }: Servers): ReadonlyMap<string, Spot> => {
  const servers = Array.isArray(list) && list.length > 0 ? list : [{ url: '/' }];
  return new Map(
    [...servers.entries()].flatMap(([at, server]) => {
      const path = isPlainObject(server) ? serverPath(server) : undefined;
      if (path === undefined) return [];
      return [[path, { pointer: `${pointer}/${at}`, text: path || '/' }] as const];
    }),
  );
};

/** Compares two lists of servers. */
export const compareServers = (report: Report, old: Servers, now: Servers): void => {
  const [olds, news] = [pathsOf(old), pathsOf(now)];
  for (const [path, spot] of olds) {
    if (!news.has(path)) report('server-path-removed', spot, undefined);
  }
  for (const [path, spot] of news) {
    if (!olds.has(path)) report('server-path-added', undefined, spot);
  }
};

/** The servers that an operation has itself, or its path item; undefined where it has the document's. */
export const ownServers = ({ operation, pathItem }: OperationPlace): Servers | undefined => {
  for (const { value, pointer } of [operation, pathItem]) {
    const list = value['servers'];
    if (Array.isArray(list) && list.length > 0) return { pointer: `${pointer}/servers`, list };
  }
  return undefined;
};
