/** The start page while the database does not answer, which the routes of a whole server cannot show at will. */

import { expect, jest, test } from '@jest/globals';
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { operatorRoutes } from '../../../../src/server/routes/operator-routes';
import { DatabaseUnavailable } from '../../../../src/server/storage/connections/database-errors';
import { useTemporaryDatabase } from '../storage/temporary-database';

const file = useTemporaryDatabase();
const metrics = {
  requests: jest.fn(),
  expose: jest.fn(),
  watchMisfits: jest.fn(),
  showDocuments: jest.fn(),
  showReload: jest.fn(),
};

const statusAndPage = async (error: Error): Promise<[number, string]> => {
  const findDemo = () => Promise.reject(error);
  const failed: ErrorRequestHandler = (_error, _request, response, _next) => {
    response.status(500).end();
  };
  const routes = operatorRoutes({
    ...{
      documents: [],
      states: [],
      isReady: undefined,
      isMocked: () => false,
      db: file.db,
      metrics: metrics as never,
    },
    ...{ metricsToken: undefined, basePath: '', findDemo },
  });
  const { status, text } = await supertest(express().use(routes, failed)).get('/');
  return [status, text];
};

test('says that the database does not answer', async () => {
  const page = await statusAndPage(new DatabaseUnavailable('Gone', undefined));
  expect(page).toEqual([200, expect.stringContaining('The database does not answer.')]);
});

test('hides no other failure', async () => {
  expect(await statusAndPage(new Error('no'))).toEqual([500, '']);
});
