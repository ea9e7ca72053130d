/** The hosts that the engine has an adapter for, each with the same service. */

import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll } from '@jest/globals';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
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

const listening = async (listener: RequestListener): Promise<RunningHost> => {
  const origin = await listen(createServer(listener));
  return { ask: (path, init) => fetch(origin + path, init) };
};

const routerOf = ({ document, handlers, securityHandlers, options }: HostedService) =>
  openApiRouter(document, handlers, securityHandlers, options);

const fetchOf = ({ document, handlers, securityHandlers, options }: HostedService) =>
  openApiFetch(document, handlers, securityHandlers, options);

const hosts: Readonly<Record<string, (service: HostedService) => Promise<RunningHost>>> = {
  'node:http': async (service) => listening(await routerOf(service)),
  'express, mounted': async (service) => listening(express().use('/v1', await routerOf(service))),
  'express, at its root': async (service) => listening(express().use(await routerOf(service))),
  fastify: async ({ options, ...service }) => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(openApiPlugin, { ...service, ...options });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return { ask: (path, init) => fetch(url + path, init), close: () => app.close() };
  },
  fetch: async (service) => {
    const answer = await fetchOf(service);
    return {
      ask: (path, init) => answer(new Request(`http://things.test${path}`, init)),
    };
  },
  hono: async (service) => {
    const answer = await fetchOf(service);
    const app = new Hono().all('/v1/*', (context) => answer(context.req.raw));
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
