/** The routes of whoever runs the program: start page, health and metrics. */

import express, { type Router } from 'express';
import { type ApiDocument, HttpError, type Operation, send } from '../../engine';
import { plainPageHeaders } from '../docs/page/page-style';
import type { Metrics } from '../observability/metrics';
import { type Database, databaseCheck } from '../storage/database/database';
import { startPage } from './start-page';

const contentPolicy = { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" };

const unavailable = (message: string, cause: unknown): HttpError =>
  new HttpError(503, 'unavailable', message, { cause, headers: { 'Retry-After': '1' } });

/**
 * `/`, `/livez`, `/readyz` and `/metrics`.
 *
 * @param basePath - where they are mounted; empty for the root
 */
export const operatorRoutes = (
  documents: readonly ApiDocument[],
  isMocked: (operation: Operation) => boolean,
  db: Database,
  metrics: Metrics,
  basePath: string,
): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  const text = (mediaType: string, body: string) => ({
    status: 200,
    headers: { 'Content-Type': mediaType, ...contentPolicy },
    body,
  });
  const page = startPage(documents, isMocked, basePath).html;
  router.get('/', (request, response) => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', ...plainPageHeaders };
    send(request, response, { status: 200, headers, body: page });
  });
  router.get('/livez', (request, response) =>
    send(request, response, text('text/plain', 'live\n')),
  );
  const checkDatabase = databaseCheck(db);
  router.get('/readyz', async (request, response) => {
    try {
      await checkDatabase();
    } catch (cause) {
      throw unavailable('The database does not answer', cause);
    }
    send(request, response, text('text/plain', 'ready\n'));
  });
  router.get('/metrics', async (request, response) => {
    const { mediaType, text: body } = await metrics.expose().catch((cause: unknown) => {
      throw unavailable('The metrics of all processes are unavailable', cause);
    });
    send(request, response, text(mediaType, body));
  });
  return router;
};
