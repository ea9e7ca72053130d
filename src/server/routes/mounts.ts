/** Hands a request to the service below whose base path it lies. */

import type { RequestHandler } from 'express';
import { originForm } from '../../engine';

/** A service and where it is. */
export interface Mount {
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string;
  readonly service: RequestHandler;
}

const isBelow = (url: string, { basePath }: Mount): boolean => {
  if (!url.startsWith(basePath)) return false;
  const next = url[basePath.length];
  return next === '/' || next === undefined || next === '?';
};

const findMount = (mounts: readonly Mount[], url: string): Mount | undefined => {
  for (const mount of mounts) if (isBelow(url, mount)) return mount;
  return undefined;
};

/** The longest base path first: one may lie below another. */
const longestFirst = (one: Mount, other: Mount): number =>
  other.basePath.length - one.basePath.length;

/**
 * Makes the handler. As Express does for what is mounted, it leaves the rest of the path in `request.url`; but it compares
 * texts, where Express matches a pattern per service.
 */
export const mounts = (services: readonly Mount[]): RequestHandler => {
  const ordered = [...services].sort(longestFirst);
  return (request, response, next) => {
    const url = originForm(request.url);
    const mount = findMount(ordered, url);
    if (mount === undefined) {
      next();
      return;
    }
    const whole = request.url;
    request.originalUrl = whole;
    const rest = url.slice(mount.basePath.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    mount.service(request, response, (error?: unknown) => {
      request.url = whole;
      next(error);
    });
  };
};
