/** The peer made of express, express-openapi-validator and better-sqlite3: JSON and forms, as the validator does them. */

import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { openDatabase } from './database';
import { adsDefinition, petstoreDefinition } from './documents';
import { databasePath, port } from './settings';
import { bearerToken, storeIn } from './store';

const store = storeIn(openDatabase(databasePath));
const app = express();
app.use(express.json());
app.use(express.urlencoded({ extended: true }));

const authors = new WeakMap<Request, string>();

const byToken = (request: Request, scopes: string[]): boolean => {
  const user = store.userOf(bearerToken(request.headers.authorization) ?? '', scopes);
  if (user !== undefined) authors.set(request, user);
  return user !== undefined;
};

const byKey = (request: Request): boolean => store.knowsKey(request.get('api_key') ?? '');

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

app.get('/petstore/pet/findByStatus', ({ query }, response) => {
  response.json(store.petsByStatus([String(query['status'])]));
});
app.get('/petstore/pet/findByTags', ({ query }, response) => {
  response.json(store.petsByTags([query['tags'] ?? []].flat() as string[]));
});
app.get('/petstore/pet/:petId', ({ params }, response) => {
  answer(response, store.findPet(Number(params['petId'])), 404, 'Pet not found');
});
app.post('/petstore/pet', ({ body }, response) => {
  answer(response, store.addPet(body), 405, 'Invalid input');
});
app.put('/petstore/pet', ({ body }, response) => {
  answer(response, store.updatePet(body), 404, 'Pet not found');
});
app.get('/petstore/store/inventory', (_request, response) => {
  response.json(store.inventory());
});
app.post('/petstore/store/order', ({ body }, response) => {
  answer(response, store.addOrder(body), 405, 'Invalid input');
});
app.get('/petstore/store/order/:orderId', ({ params }, response) => {
  answer(response, store.findOrder(Number(params['orderId'])), 404, 'Order not found');
});
app.post('/ads/ad', (request, response) => {
  response.json(store.addAd(request.body, authors.get(request) ?? ''));
});

const failed: ErrorRequestHandler = (error, _request, response, _next) => {
  const given = error.status ?? 500;
  const status = given === 400 ? 405 : given;
  response.status(status).json({ code: status, type: 'error', message: error.message });
};
app.use(failed);

const server = app.listen(port, '127.0.0.1');
server.keepAliveTimeout = 60_000;
process.on('SIGTERM', () => process.exit(0));
