/** The hand-written peer: node:http and a database driver, as an expert writes them for these few operations alone. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Pet, readAd, readOrder, readPet } from './checks';
import { Failure, invalid, mediaTypeOf, readBody, send, sendFailure, sendJson } from './http';
import { openStore, setting } from './open-store';
import { petXml, readPetForm, readPetXml } from './pet-texts';
import {
  bearerToken,
  digest,
  type Found,
  type FoundList,
  type Soon,
  type Store,
  whenThere,
  withId,
} from './store';

let sql: Store;

const unauthenticated = (): Failure =>
  new Failure(401, 'Not logged in', { 'WWW-Authenticate': 'Bearer' });

const tokenHash = ({ headers }: IncomingMessage): string => {
  const token = bearerToken(headers.authorization);
  if (token === undefined) throw unauthenticated();
  return digest(token);
};

/** Throws unless the scopes are among those granted. */
const demandScopes = (granted: string | undefined, needed: string): void => {
  if (granted === undefined) throw unauthenticated();
  const list = granted.split(' ');
  if (!list.includes(`write:${needed}`) || !list.includes(`read:${needed}`)) {
    throw new Failure(403, 'Not allowed for this login', { 'WWW-Authenticate': 'Bearer' });
  }
};

type Answer = (request: IncomingMessage, response: ServerResponse) => Soon<void>;

const sendPet = (request: IncomingMessage, response: ServerResponse, text: string): void => {
  const isXml = request.headers.accept?.startsWith('application/xml') === true;
  if (isXml) send(response, 200, 'application/xml', petXml(JSON.parse(text)));
  else sendJson(response, text);
};

const lookUp = (request: IncomingMessage, id: number): Soon<Found | undefined> => {
  const key = request.headers['api_key'];
  if (typeof key === 'string') return sql.petByKey(id, digest(key));
  return whenThere(sql.petByToken(id, tokenHash(request), Date.now()), (found) => {
    demandScopes(found?.scopes, 'pets');
    return found;
  });
};

const getPet = (request: IncomingMessage, response: ServerResponse, idText: string) => {
  const id = Number(idText);
  if (!Number.isSafeInteger(id)) throw new Failure(400, 'Invalid ID supplied');
  return whenThere(lookUp(request, id), (found) => {
    if (found === undefined) throw unauthenticated();
    if (found.document === null) throw new Failure(404, 'Pet not found');
    sendPet(request, response, withId(id, found.document));
  });
};

const sendList = (response: ServerResponse, list: Soon<FoundList | undefined>) =>
  whenThere(list, (found) => {
    demandScopes(found?.scopes, 'pets');
    sendJson(response, found?.list ?? '[]');
  });

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams =>
  new URLSearchParams(url.slice(url.indexOf('?') + 1));

const statuses: ReadonlySet<string> = new Set(['available', 'pending', 'sold']);

const findByStatus: Answer = (request, response) => {
  const wanted = (queryOf(request).get('status') ?? 'available').split(',');
  const hash = tokenHash(request);
  if (!wanted.every((status) => statuses.has(status))) {
    throw new Failure(400, 'Invalid status value');
  }
  return sendList(response, sql.byStatus(wanted, hash, Date.now()));
};

const findByTags: Answer = (request, response) => {
  const wanted = queryOf(request)
    .getAll('tags')
    .flatMap((tags) => tags.split(','));
  return sendList(response, sql.byTags(wanted, tokenHash(request), Date.now()));
};

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'application/json': JSON.parse,
  'application/xml': readPetXml,
  'application/x-www-form-urlencoded': readPetForm,
};

const readValue = async (request: IncomingMessage): Promise<unknown> => {
  const reader = readers[mediaTypeOf(request)];
  if (reader === undefined) throw new Failure(415, 'Unsupported media type');
  const text = await readBody(request);
  try {
    return reader(text);
  } catch {
    throw invalid();
  }
};

const tokenFor = async (request: IncomingMessage, scope: string): Promise<string> => {
  const found = await sql.token(tokenHash(request), Date.now());
  demandScopes(found?.scopes, scope);
  return found?.user ?? '';
};

const petIn = async (request: IncomingMessage): Promise<[Pet, string]> => {
  await tokenFor(request, 'pets');
  const pet = readPet(await readValue(request));
  if (pet === undefined) throw invalid();
  const { id: _, ...rest } = pet;
  return [pet, JSON.stringify(rest)];
};

const addPet: Answer = async (request, response) => {
  const [pet, document] = await petIn(request);
  const id = await sql.addPet(pet, document);
  if (id === undefined) throw invalid();
  sendPet(request, response, withId(id, document));
};

const updatePet: Answer = async (request, response) => {
  const [pet, document] = await petIn(request);
  if (pet.id === undefined) throw new Failure(400, 'Invalid ID supplied');
  if (!(await sql.replacePet(pet.id, pet, document))) throw new Failure(404, 'Pet not found');
  sendPet(request, response, withId(pet.id, document));
};

const inventory: Answer = (request, response) => {
  const key = request.headers['api_key'];
  return whenThere(typeof key === 'string' ? sql.inventory(digest(key)) : [], (rows) => {
    if (rows.length === 0) throw unauthenticated();
    const counts: Record<string, number> = { available: 0, pending: 0, sold: 0 };
    for (const { status, count } of rows) if (status !== null) counts[status] = count;
    sendJson(response, JSON.stringify(counts));
  });
};

const placeOrder: Answer = async (request, response) => {
  const order = readOrder(await readValue(request));
  if (order === undefined) throw invalid();
  const { id: wanted, ...rest } = order;
  const document = JSON.stringify(rest);
  const id = await sql.addOrder(wanted, document);
  if (id === undefined) throw invalid();
  sendJson(response, withId(id, document));
};

const getOrder = (response: ServerResponse, idText: string) => {
  const id = Number(idText);
  if (!Number.isSafeInteger(id) || (id > 5 && id < 11)) {
    throw new Failure(400, 'Invalid ID supplied');
  }
  return whenThere(sql.order(id), (row) => {
    if (row === undefined) throw new Failure(404, 'Order not found');
    sendJson(response, withId(id, row.document));
  });
};

const addAd: Answer = async (request, response) => {
  const user = await tokenFor(request, 'ads');
  const ad = readAd(await readValue(request));
  if (ad === undefined) throw invalid();
  const document = JSON.stringify(ad);
  await sql.addAd(user, document);
  sendJson(response, document);
};

const fixed: Readonly<Record<string, Answer>> = {
  'POST /petstore/pet': addPet,
  'PUT /petstore/pet': updatePet,
  'GET /petstore/pet/findByStatus': findByStatus,
  'GET /petstore/pet/findByTags': findByTags,
  'GET /petstore/store/inventory': inventory,
  'POST /petstore/store/order': placeOrder,
  'POST /ads/ad': addAd,
};

const petPath = '/petstore/pet/';
const orderPath = '/petstore/store/order/';

const answer: Answer = (request, response) => {
  const { method = '', url = '' } = request;
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const found = fixed[`${method} ${path}`];
  if (found !== undefined) return found(request, response);
  if (method === 'GET' && path.startsWith(petPath)) {
    return getPet(request, response, path.slice(petPath.length));
  }
  if (method === 'GET' && path.startsWith(orderPath)) {
    return getOrder(response, path.slice(orderPath.length));
  }
  throw new Failure(404, 'Not found');
};

const server = createServer((request, response) => {
  try {
    answer(request, response)?.catch((error) => sendFailure(response, error));
  } catch (error) {
    sendFailure(response, error);
  }
});

server.keepAliveTimeout = 60_000;
void openStore().then((store) => {
  sql = store;
  server.listen(Number(setting('PORT')), '127.0.0.1');
});
