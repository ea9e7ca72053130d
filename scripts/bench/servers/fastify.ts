/** The peer made of fastify and fastify-openapi-glue: JSON and forms, as the plugin does them. */

import formbody from '@fastify/formbody';
import fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { setting } from './open-store';
import { adsDefinition, openResources, petstoreDefinition, type Resource } from './resources';

const opened = openResources();

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
    orFail(await (await opened).findPet((params as Values).petId), 404, 'Pet not found'),
  findPetsByStatus: async ({ query, headers }: FastifyRequest) =>
    (await opened).petsByStatus((query as Values).status, headers),
  findPetsByTags: async ({ query, headers }: FastifyRequest) =>
    (await opened).petsByTags((query as Values).tags ?? [], headers),
  addPet: async ({ body }: FastifyRequest) =>
    orFail(await (await opened).addPet(body as Resource), 405, 'Invalid input'),
  updatePet: async ({ body }: FastifyRequest) =>
    orFail(await (await opened).updatePet(body as Resource), 404, 'Pet not found'),
  getInventory: async ({ headers }: FastifyRequest) => (await opened).inventory(headers),
  placeOrder: async ({ body }: FastifyRequest) =>
    orFail(await (await opened).addOrder(body as Resource), 405, 'Invalid input'),
  getOrderById: async ({ params }: FastifyRequest) =>
    orFail(await (await opened).findOrder((params as Values).orderId), 404, 'Order not found'),
};

const authors = new WeakMap<FastifyRequest, string>();

const ads = {
  addAd: async (request: FastifyRequest) =>
    (await opened).addAd(request.body as Resource, authors.get(request) ?? ''),
};

const byToken = async (request: FastifyRequest, _reply: FastifyReply, scopes: string[]) => {
  const user = await (await opened).userOf(request.headers, scopes);
  if (user === undefined) throw failure(401, 'Not logged in');
  authors.set(request, user);
};

const security = {
  api_key: async ({ headers }: FastifyRequest) => {
    if (!(await (await opened).knowsKey(headers))) throw failure(401, 'Not logged in');
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
    specification: definition,
    serviceHandlers,
    securityHandlers: security,
    prefix,
  });
};

register(petstoreDefinition(), 'petstore', petstore);
register(adsDefinition(), 'ads', ads);
void app.listen({ port: Number(setting('PORT')), host: '127.0.0.1' });
