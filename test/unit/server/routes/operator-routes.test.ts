/** The start page while the database does not answer, which the routes of a whole server cannot show at will. */

import { expect, jest, test } from '@jest/globals';
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { operatorRoutes } from '../../../../src/server/routes/operator-routes';
import { DatabaseUnavailable } from '../../../../src/storage/connections/database-errors';
import { useTemporaryDatabase } from '../../storage/temporary-database';

const file = useTemporaryDatabase();
const metrics = {
  requests: jest.fn(),
  expose: jest.fn(),
  showDocuments: jest.fn(),
  showReload: jest.fn(),
};

type Parts = Parameters<typeof operatorRoutes>[0];

const ask = async (path: string, parts: Partial<Parts>): Promise<[number, string]> => {
  const failed: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).end(error.status ? error.message : '');
  };
  const routes = operatorRoutes({
    ...{ documents: [], states: [], isMocked: () => false, db: file.db },
    ...{ metrics: metrics as never, config: { operatorPath: '', metricsToken: undefined } },
    findDemo: () => Promise.reject(new Error('Not asked')),
    ...parts,
  });
  const { status, text } = await supertest(express().use(routes, failed)).get(path);
  return [status, text];
};

const statusAndPage = (error: Error) => ask('/', { findDemo: () => Promise.reject(error) });

test('says that the database does not answer', async () => {
  const page = await statusAndPage(new DatabaseUnavailable('Gone', undefined));
  expect(page).toEqual([200, expect.stringContaining('The database does not answer.')]);
});

test('hides no other failure', async () => {
  expect(await statusAndPage(new Error('no'))).toEqual([500, '']);
});

test('says with its readiness how each document is served', async () => {
  const states = [{ name: 'box', state: 'kept', fault: 'has errors' }];
  expect(await ask('/readyz', { states })).toEqual([200, 'ready\nbox: kept\n']);
});
