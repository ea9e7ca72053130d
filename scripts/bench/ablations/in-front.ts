/** With Express's router for every request, instead of a call of what every request passes. */

import type { Request, RequestHandler, Response } from 'express';
import { countRun, moduleOf, packageOf } from './product';

const { Router } = packageOf<typeof import('express')>('express');

moduleOf<typeof import('../../../src/server/http/in-front')>('server/http/in-front').inFront = (
  app,
  handlers,
  fail,
) => {
  const count: RequestHandler = (_request, _response, next) => {
    countRun();
    next();
  };
  const router = Router({ caseSensitive: true, strict: true }).use(count, ...handlers, app);
  return (message, out) => {
    const request = message as Request;
    const response = out as Response;
    router(request, response, (error: unknown) => fail(error, request, response));
  };
};
