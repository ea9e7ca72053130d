/** The peer made of fastify, fastify-openapi-glue and better-sqlite3, or pg: JSON and forms, as the plugin does them. */

import formbody from '@fastify/formbody';
import fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { adsDefinition, petstoreDefinition } from './documents';
import { openStore } from './open-store';
import { port } from './settings';
import { bearerToken, type Resource } from './store';

const store = openStore();

// Checked and coerced by the plugin, which has no types for them.
interface Values {
  readonly petId: number;
  readonly orderId: number;
  readonly status: string;
  readonly tags?: readonly string[];
}

const failure = (statusCode: number, message: string): Error =>
  Object.assign(new Error(message), { statusCode });

const orFail = (found: Resource | undefined, status: number, message: string): Resource => {
  if (found === undefined) throw failure(status, message);
  return found;
};

const petstore = {
  getPetById: async ({ params }: FastifyRequest) =>
    orFail(await store.findPet((params as Values).petId), 404, 'Pet not found'),
  findPetsByStatus: async ({ query }: FastifyRequest) =>
    store.petsByStatus([(query as Values).status]),
  findPetsByTags: async ({ query }: FastifyRequest) =>
    store.petsByTags((query as Values).tags ?? []),
  addPet: async ({ body }: FastifyRequest) =>
    orFail(await store.addPet(body as Resource), 405, 'Invalid input'),
  updatePet: async ({ body }: FastifyRequest) =>
    orFail(await store.updatePet(body as Resource), 404, 'Pet not found'),
  getInventory: async () => store.inventory(),
  placeOrder: async ({ body }: FastifyRequest) =>
    orFail(await store.addOrder(body as Resource), 405, 'Invalid input'),
  getOrderById: async ({ params }: FastifyRequest) =>
    orFail(await store.findOrder((params as Values).orderId), 404, 'Order not found'),
};

const authors = new WeakMap<FastifyRequest, string>();

const ads = {
  addAd: async (request: FastifyRequest) =>
    store.addAd(request.body as Resource, authors.get(request) ?? ''),
};

const byToken = async (request: FastifyRequest, _reply: FastifyReply, scopes: string[]) => {
  const user = await store.userOf(bearerToken(request.headers.authorization) ?? '', scopes);
  if (user === undefined) throw failure(401, 'Not logged in');
  authors.set(request, user);
};

const security = {
  api_key: async ({ headers }: FastifyRequest) => {
    if (!(await store.knowsKey(String(headers['api_key'] ?? ''))))
      throw failure(401, 'Not logged in');
  },
  petstore_auth: byToken,
  ads_auth: byToken,
};

const app = fastify({
  ajv: { customOptions: { strict: false, removeAdditional: false } },
  keepAliveTimeout: 60_000,
});

app.setErrorHandler((error: FastifyError, _request, response) => {
  const invalid = error.validation !== undefined || error.statusCode === 400;
  const status = invalid ? 405 : (error.statusCode ?? 500);
  void response.status(status).send({ code: status, type: 'error', message: error.message });
});
// No operation declares plain text, which fastify would read otherwise.
app.removeContentTypeParser('text/plain');
void app.register(formbody);

const register = (definition: unknown, prefix: string, serviceHandlers: object): void => {
  void app.register(openapiGlue as never, {
    ...{ specification: definition, serviceHandlers, securityHandlers: security, prefix },
  });
};

register(petstoreDefinition(), 'petstore', petstore);
register(adsDefinition(), 'ads', ads);
void app.listen({ port, host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
