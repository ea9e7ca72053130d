/** The peer made of express, openapi-backend, knex, sqlite3 and xml2js, each used as its README shows. */

import express, { type Request, type Response } from 'express';
import { type Context, type Document, type Handler, OpenAPIBackend } from 'openapi-backend';
import { Builder, parseStringPromise } from 'xml2js';
import { adsDefinition, petstoreDefinition } from './documents';
import * as store from './plain-store';
import { port } from './settings';
import { bearerToken, type Resource } from './store';

const fail = (response: Response, status: number, message: string) =>
  response.status(status).json({ code: status, type: 'error', message });

const petXml = (pet: Resource): string => {
  const { photoUrls, tags } = pet as unknown as { photoUrls: string[]; tags?: unknown[] };
  const wrapped = { photoUrl: photoUrls };
  return new Builder({ rootName: 'pet' }).buildObject({
    ...pet,
    photoUrls: wrapped,
    ...(tags && { tags: { tag: tags } }),
  });
};

const send = (request: Request, response: Response, found: Resource | undefined) => {
  if (found === undefined) return fail(response, 404, 'Not found');
  if (request.accepts(['application/json', 'application/xml']) === 'application/xml') {
    return response.type('application/xml').send(petXml(found));
  }
  return response.json(found);
};

const number = (text: unknown) => (text === undefined ? undefined : Number(text));
const named = (value: Resource) => ({ ...value, id: number(value.id) });

/** The pet of an XML body, whose every text is a string and every single child no list. */
const petOf = ({ pet }: { pet: Resource }): Resource => {
  const { photoUrls, tags, category } = pet as unknown as {
    photoUrls?: { photoUrl?: string | string[] };
    tags?: { tag?: Resource | Resource[] };
    category?: Resource;
  };
  return {
    ...pet,
    ...(pet.id === undefined ? {} : { id: Number(pet.id) }),
    ...(category && { category: named(category) }),
    photoUrls: [photoUrls?.photoUrl ?? []].flat(),
    ...(tags && { tags: [tags.tag ?? []].flat().map(named) }),
  };
};

type Query = Record<string, string | string[]>;

type Operation = (context: Context, request: Request, response: Response) => Promise<unknown>;

const idIn = ({ request }: Context, name: string) => Number(request.params[name]);

const operations: Record<string, Operation> = {
  getPetById: async (context, request, response) =>
    send(request, response, await store.findPet(idIn(context, 'petId'))),
  findPetsByStatus: async ({ request: { query } }, _request, response) =>
    response.json(await store.petsByStatus([query['status'] ?? 'available'].flat())),
  findPetsByTags: async ({ request: { query } }, _request, response) =>
    response.json(await store.petsByTags([query['tags'] ?? []].flat())),
  addPet: async ({ request: { requestBody } }, request, response) =>
    send(request, response, await store.addPet(requestBody)),
  updatePet: async ({ request: { requestBody } }, request, response) =>
    send(request, response, await store.updatePet(requestBody)),
  getInventory: async (_context, _request, response) => response.json(await store.inventory()),
  placeOrder: async ({ request: { requestBody } }, _request, response) =>
    response.json(await store.addOrder(requestBody)),
  getOrderById: async (context, _request, response) => {
    const order = await store.findOrder(idIn(context, 'orderId'));
    return order ? response.json(order) : fail(response, 404, 'Order not found');
  },
  addAd: async ({ request: { requestBody }, security }, _request, response) =>
    response.json(await store.addAd(requestBody, security?.['ads_auth']?.user)),
  validationFail: async (_context, _request, response) => fail(response, 405, 'Invalid input'),
  unauthorizedHandler: async (_context, _request, response) => fail(response, 401, 'Not logged in'),
  notFound: async (_context, _request, response) => fail(response, 404, 'Not found'),
};

const byToken =
  (...scopes: string[]) =>
  async (_context: Context, request: Request) => {
    const found = await store.findToken(bearerToken(request.get('authorization')) ?? '');
    const granted = found?.scopes.split(' ') ?? [];
    return scopes.every((scope) => granted.includes(scope)) ? found : undefined;
  };

const service = async (definition: unknown, apiRoot: string): Promise<OpenAPIBackend> => {
  const api = new OpenAPIBackend({
    definition: definition as Document,
    apiRoot,
    ajvOpts: { strict: false, formats: { int64: true, int32: true, 'date-time': true } },
  });
  const own = new Set(['validationFail', 'unauthorizedHandler', 'notFound']);
  await api.init();
  for (const [name, operation] of Object.entries(operations)) {
    if (own.has(name) || api.getOperation(name)) api.register(name, operation as Handler);
  }
  const register = (name: string, handler: unknown) =>
    api.registerSecurityHandler(name, handler as Handler);
  register('api_key', (_: Context, request: Request) =>
    store.knowsKey(request.get('api_key') ?? ''),
  );
  if (apiRoot === '/ads') register('ads_auth', byToken('write:ads', 'read:ads'));
  else register('petstore_auth', byToken('write:pets', 'read:pets'));
  return api;
};

const readXml: express.RequestHandler = async (request, _response, next) => {
  if (request.is('application/xml')) {
    request.body = petOf(await parseStringPromise(request.body, { explicitArray: false }));
  }
  next();
};

const main = async (): Promise<void> => {
  const app = express();
  app.use(express.json());
  app.use(express.urlencoded({ extended: true }));
  app.use(express.text({ type: 'application/xml' }), readXml);
  const petstore = await service(petstoreDefinition(), '/petstore');
  const ads = await service(adsDefinition(), '/ads');
  app.use((request, response) => {
    const api = request.path.startsWith('/ads/') ? ads : petstore;
    const { method, path, body } = request;
    const { query, headers } = request as unknown as { query: Query; headers: Query };
    return api.handleRequest({ method, path, body, query, headers }, request, response);
  });
  const server = app.listen(port, '127.0.0.1');
  server.keepAliveTimeout = 60_000;
};

void main();
process.on('SIGTERM', () => process.exit(0));
