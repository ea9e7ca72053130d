/** Layers that choose by the path: the service below whose base path a request lies, operations at the root, pages of the server. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import { type ApiDocument, routeTable } from '../../engine';
import { originForm, splitTarget, targetBelow } from '../../http/request';
import type { Layer } from '../http/layer';

/** A service and where it is. */
export interface Mount {
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string;
  readonly listener: RequestListener;
}

/**
 * Makes the layer of services. As Express does for what is mounted, it leaves the rest of the path in `request.url`; but it compares
 * texts, where Express matches a pattern per service.
 */
export const mounts = (services: readonly Mount[]): Layer => {
  // Puts the longest base path first: one may lie below another.
  const ordered = [...services].sort((one, other) => other.basePath.length - one.basePath.length);
  return (next) => (request, response) => {
    const url = originForm(request.url ?? '/');
    for (const { basePath, listener } of ordered) {
      const target = targetBelow(basePath, url);
      if (target === undefined) continue;
      request.url = target;
      listener(request, response);
      return;
    }
    next(request, response);
  };
};

/** Makes the layer of the operations of a service at the root, without its other routes. */
export const rootOperations =
  ({ document, listener }: Mount & { readonly document: ApiDocument }): Layer =>
  (next) => {
    const find = routeTable(document.operations);
    return (request, response) => {
      const { path } = splitTarget(originForm(request.url ?? '/'));
      const chosen = find(path) === undefined ? next : listener;
      chosen(request, response);
    };
  };

/** Sends the response to what failed outside of any service. */
export type Fail = (error: unknown, request: IncomingMessage, response: ServerResponse) => void;

/** Makes the layer of the pages of an Express application. */
export const serverPages =
  (pages: Express, fail: Fail): Layer =>
  (next) =>
  (request, response) =>
    pages(request as Request, response as Response, (error?: unknown) => {
      if (error === undefined) next(request, response);
      else fail(error, request, response);
    });
