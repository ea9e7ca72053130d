/** The pages, which Express serves: those of each service and those of the server. */

import express, { type Express } from 'express';
import type { ApiDocument } from '../engine';
import type { App } from '../host/app';
import { demoInForce } from '../host/demo-data';
import type { PreparedService } from '../host/prepared-service';
import { stateFault } from '../host/reload-result';
import type { Routes } from '../http/exchange';
import type { AuthorizationServer } from '../identity/oauth/authorization-server';
import type { Operation } from '../model/operation';
import type { FileReaders } from '../storage/collections/attached-files';
import type { ServiceStorage } from '../storage/storage';
import type { AppContext } from './app-context';
import type { Config } from './config/config';
import { type DemoOffer, docsRoutes } from './docs/docs-routes';
import { discoveryRoutes } from './routes/discovery-routes';
import { fileRoutes } from './routes/file-routes';
import { type AuthorizedService, oauthMetadataRoutes, oauthRoutes } from './routes/oauth-routes';
import { operatorRoutes } from './routes/operator-routes';
import { mcpPath } from './routes/resource-metadata';

/** An Express application as ours are set up, without routes. */
const newExpress = ({ trustedProxies }: Pick<Config, 'trustedProxies'>): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', trustedProxies);
  return app;
};

/** Makes the pages of a service: its documentation, its files, and sign-in. */
export const servicePages = (
  { document, tools, modules }: PreparedService,
  parts: Pick<AppContext, 'config' | 'origin'> & {
    readonly storage: ServiceStorage;
    readonly authorization: AuthorizationServer | undefined;
    readonly isMocked: (operation: Operation) => boolean;
    readonly demo: DemoOffer;
    readonly compileSecurity: Parameters<typeof fileRoutes>[3];
    readonly log: Parameters<typeof oauthRoutes>[1];
  },
): Routes => {
  const { config, origin, isMocked, demo, storage, compileSecurity, authorization, log } = parts;
  const url = origin + document.basePath;
  const readers = Object.entries(modules.collections).flatMap(
    ([name, { files = false }]): [string, FileReaders][] =>
      files === false ? [] : [[name, files]],
  );
  const pages = newExpress(config);
  pages.use(docsRoutes({ document, tools, url, isMocked }, demo));
  pages.use(fileRoutes(document, new Map(readers), storage.findFile, compileSecurity));
  if (authorization !== undefined) pages.use(oauthRoutes(authorization, log));
  // Express makes its own requests and responses of the messages of node:http.
  return pages as Routes;
};

/** Makes the pages of the server: those of the operator, and the metadata of the authorization servers. */
export const serverPages = (
  services: readonly (AuthorizedService & {
    readonly name: string;
    readonly document: ApiDocument;
    readonly mocked: ReadonlySet<Operation>;
  })[],
  { states }: App,
  { config, metrics, db, origin }: AppContext,
): Routes => {
  const pages = newExpress(config);
  const documents = services.map(({ document }) => document);
  pages.use(oauthMetadataRoutes(services));
  const endpoint = { relation: 'item', path: mcpPath, title: 'Tools for agents (MCP)' };
  const furtherLinks = config.mcp ? [endpoint] : [];
  pages.use(
    discoveryRoutes({ documents, origin, operatorPath: config.operatorPath, furtherLinks }),
  );
  pages.use(
    config.operatorPath || '/',
    operatorRoutes({
      isMocked: (operation) => services.some(({ mocked }) => mocked.has(operation)),
      ...{ documents, config, db, metrics },
      states: states.map(({ name, state }) => ({ name, state, fault: stateFault(state) })),
      findDemo: () => demoInForce(services, db),
    }),
  );
  return pages as Routes;
};
