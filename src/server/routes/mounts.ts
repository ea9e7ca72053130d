/** Hands a request to the service below whose base path it lies. */

import type { RequestListener } from 'node:http';
import { originForm, type Routes } from '../../engine';

/** A service and where it is. */
export interface Mount {
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string;
  readonly service: RequestListener;
}

const isBelow = (url: string, { basePath }: Mount): boolean => {
  if (!url.startsWith(basePath)) return false;
  const next = url[basePath.length];
  return next === '/' || next === undefined || next === '?';
};

/** The longest base path first: one may lie below another. */
const longestFirst = (one: Mount, other: Mount): number =>
  other.basePath.length - one.basePath.length;

/**
 * Makes the handler; `next` is called for what lies below none of the base paths. As Express does for what is mounted, it leaves the
 * rest of the path in `request.url`; but it compares texts, where Express matches a pattern per service.
 */
export const mounts = (services: readonly Mount[]): Routes => {
  const ordered = [...services].sort(longestFirst);
  return (request, response, next) => {
    const url = originForm(request.url ?? '/');
    const mount = ordered.find((one) => isBelow(url, one));
    if (mount === undefined) {
      next();
      return;
    }
    const rest = url.slice(mount.basePath.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    mount.service(request, response);
  };
};
