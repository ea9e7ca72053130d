/** The hosts that the engine has an adapter for, each with the same service. */

import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { afterAll, beforeAll } from '@jest/globals';
import express from 'express';
import fastify from 'fastify';
import { Context, Hono } from 'hono';
import {
  type ApiDocument,
  openApiRouter,
  type RouterOptions,
  type SecurityHandlers,
} from '../../../src/package';
import { openApiPlugin } from '../../../src/package/fastify';
import { openApiFetch } from '../../../src/package/fetch';
import type { AnyHandlers } from '../../../src/package/openapi-router';
import { listen } from '../../support/listen';

/** The service of a host, below `/v1`. */
interface HostedService {
  readonly document: ApiDocument;
  readonly handlers: AnyHandlers;
  readonly securityHandlers?: SecurityHandlers;
  readonly options?: Omit<RouterOptions, 'clientOf'>;
}

/** Sends a request to the service. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

interface RunningHost {
  readonly ask: Ask;
  close?(): unknown;
}

/** A request as a host has it, after a middleware of the host has put the user's name into it. */
interface WithUser {
  user?: unknown;
}

const userHeader = 'x-user';

const putUser = (request: WithUser, { headers }: IncomingMessage): void => {
  request.user = headers[userHeader];
};

/** Returns the user that a middleware of the host has found. */
export const userOf = (host: unknown): unknown =>
  host instanceof Context ? host.get('user') : (host as WithUser).user;

const listening = async (listener: RequestListener): Promise<RunningHost> => {
  const origin = await listen(createServer(listener));
  return { ask: (path, init) => fetch(origin + path, init) };
};

const routerOf = ({ document, handlers, securityHandlers, options }: HostedService) =>
  openApiRouter(document, handlers, securityHandlers, options);

const fetchOf = ({ document, handlers, securityHandlers, options }: HostedService) =>
  openApiFetch(document, handlers, securityHandlers, options);

const expressWithUser = () =>
  express().use((request, _response, next) => {
    putUser(request as WithUser, request);
    next();
  });

const hosts: Readonly<Record<string, (service: HostedService) => Promise<RunningHost>>> = {
  'node:http': async (service) => {
    const router = await routerOf(service);
    return listening((request, response) => {
      putUser(request as WithUser, request);
      router(request, response);
    });
  },
  'express, mounted': async (service) =>
    listening(expressWithUser().use('/v1', await routerOf(service))),
  'express, at its root': async (service) =>
    listening(expressWithUser().use(await routerOf(service))),
  fastify: async ({ options, ...service }) => {
    const app = fastify({ forceCloseConnections: true });
    app.decorateRequest('user', null);
    app.addHook('onRequest', async (request) => putUser(request as WithUser, request.raw));
    await app.register(openApiPlugin, { ...service, ...options });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return { ask: (path, init) => fetch(url + path, init), close: () => app.close() };
  },
  fetch: async (service) => {
    const answer = await fetchOf(service);
    return {
      ask(path, init) {
        const request = new Request(`http://things.test${path}`, init);
        return answer(request, { user: request.headers.get(userHeader) ?? undefined });
      },
    };
  },
  hono: async (service) => {
    const answer = await fetchOf(service);
    const app = new Hono<{ Variables: { user?: string | undefined } }>()
      .use(async (context, next) => {
        context.set('user', context.req.header(userHeader));
        await next();
      })
      .all('/v1/*', (context) => answer(context.req.raw, context));
    return {
      ask: async (path, init) => app.fetch(new Request(`http://things.test${path}`, init)),
    };
  },
};

/** The names of the hosts. */
export const hostNames = Object.keys(hosts);

/** Starts a host before the tests around it, and closes it after them. */
export const startHost = (name: string, service: () => HostedService): { readonly ask: Ask } => {
  let host: RunningHost | undefined;
  beforeAll(async () => {
    host = await hosts[name]?.(service());
  });
  afterAll(async () => {
    await host?.close?.();
  });
  return {
    ask(path, init) {
      if (host === undefined) throw new Error('The host has not started');
      return host.ask(path, init);
    },
  };
};
