/** The peer made of express and express-openapi-validator: JSON and forms, as the validator does them. */

import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { setting } from './open-store';
import { adsDefinition, openResources, petstoreDefinition } from './resources';

const opened = openResources();
const app = express();
app.use(express.json());
app.use(express.urlencoded({ extended: true }));

const authors = new WeakMap<Request, string>();

const byToken = async (request: Request, scopes: string[]): Promise<boolean> => {
  const user = await (await opened).userOf(request.headers, scopes);
  if (user !== undefined) authors.set(request, user);
  return user !== undefined;
};

const byKey = async (request: Request): Promise<boolean> =>
  (await opened).knowsKey(request.headers);

// One validator a document, each in a router of its own: two on one path overwrite each other's findings.
const validator = (apiSpec: unknown, handlers: unknown): express.Router =>
  express.Router().use(
    middleware({
      apiSpec: apiSpec as string,
      validateApiSpec: false,
      validateRequests: { allowUnknownQueryParameters: true },
      validateSecurity: { handlers: handlers as never },
    }),
  );

const petstore = validator(petstoreDefinition(), { api_key: byKey, petstore_auth: byToken });
const ads = validator(adsDefinition(), { ads_auth: byToken });
app.use((request, response, next) => {
  const service = request.path.startsWith('/ads/') ? ads : petstore;
  service(request, response, next);
});

const answer = (response: Response, found: unknown, status: number, message: string): void => {
  if (found === undefined) response.status(status).json({ code: status, type: 'error', message });
  else response.json(found);
};

app.get('/petstore/pet/findByStatus', async ({ query, headers }, response) => {
  response.json(await (await opened).petsByStatus(String(query['status']), headers));
});
app.get('/petstore/pet/findByTags', async ({ query, headers }, response) => {
  const tags = [query['tags'] ?? []].flat() as string[];
  response.json(await (await opened).petsByTags(tags, headers));
});
app.get('/petstore/pet/:petId', async ({ params }, response) => {
  answer(response, await (await opened).findPet(Number(params['petId'])), 404, 'Pet not found');
});
app.post('/petstore/pet', async ({ body }, response) => {
  answer(response, await (await opened).addPet(body), 405, 'Invalid input');
});
app.put('/petstore/pet', async ({ body }, response) => {
  answer(response, await (await opened).updatePet(body), 404, 'Pet not found');
});
app.get('/petstore/store/inventory', async ({ headers }, response) => {
  response.json(await (await opened).inventory(headers));
});
app.post('/petstore/store/order', async ({ body }, response) => {
  answer(response, await (await opened).addOrder(body), 405, 'Invalid input');
});
app.get('/petstore/store/order/:orderId', async ({ params }, response) => {
  answer(
    response,
    await (await opened).findOrder(Number(params['orderId'])),
    404,
    'Order not found',
  );
});
app.post('/ads/ad', async (request, response) => {
  response.json(await (await opened).addAd(request.body, authors.get(request) ?? ''));
});

const failed: ErrorRequestHandler = (error, _request, response, _next) => {
  const given = error.status ?? 500;
  const status = given === 400 ? 405 : given;
  response.status(status).json({ code: status, type: 'error', message: error.message });
};
app.use(failed);

const server = app.listen(Number(setting('PORT')), '127.0.0.1');
server.keepAliveTimeout = 60_000;
