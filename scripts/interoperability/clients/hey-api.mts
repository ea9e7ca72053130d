/** A client that openapi-ts writes as a whole: JSON, XML, a form, an upload, a login. */

import assert from 'node:assert/strict';
import { client as adClient } from '../build/hey-ads/client.gen.js';
import { addAd } from '../build/hey-ads/index.js';
import { urlSearchParamsBodySerializer } from '../build/hey-petstore/client/index.js';
import { client as petClient } from '../build/hey-petstore/client.gen.js';
import {
  addPet,
  createUser,
  findPetsByStatus,
  getInventory,
  getOrderById,
  getPetById,
  loginUser,
  placeOrder,
  uploadFile,
} from '../build/hey-petstore/index.js';
import { ad, demo, settings } from './settings.mjs';

const { origin, tokens, apiKey } = settings();
petClient.setConfig({
  baseUrl: `${origin}/petstore`,
  auth: ({ type }) => (type === 'apiKey' ? apiKey : tokens.petstore),
});
adClient.setConfig({ baseUrl: `${origin}/ads`, auth: () => tokens.ads });
const pet = { id: 701, name: 'Otto', photoUrls: ['b.png'], status: 'pending' as const };
const path = { petId: pet.id };

const added = await addPet({ body: pet });
assert.deepEqual(added.data, pet);

const read = await getPetById({ path });
assert.equal(read.data?.name, 'Otto');

const asXml = await addPet({
  body: { name: 'Yves', photoUrls: [] },
  headers: { 'Content-Type': 'application/xml', Accept: 'application/xml' },
  bodySerializer: () => '<pet><name>Yves</name><photoUrls/></pet>',
  parseAs: 'text',
});
assert.match(String(asXml.data), /^<\?xml .*<pet><id>\d+<\/id><name>Yves<\/name>/s);

const asForm = await placeOrder({
  body: { petId: pet.id, quantity: 2, complete: true },
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  ...urlSearchParamsBodySerializer,
});
assert.deepEqual({ ...asForm.data, id: 0 }, { id: 0, petId: pet.id, quantity: 2, complete: true });

const found = await findPetsByStatus({ query: { status: ['pending', 'sold'] } });
assert.ok(found.data?.some(({ id }) => id === pet.id));

const uploaded = await uploadFile({
  path,
  query: { additionalMetadata: 'front' },
  body: new Blob(['bytes']),
});
assert.equal(uploaded.data?.message, 'front, 5 bytes');

const login = await loginUser({ query: demo });
assert.ok(Number(login.response?.headers.get('X-Rate-Limit')) > 0);
assert.ok(Date.parse(String(login.response?.headers.get('X-Expires-After'))) > Date.now());
const created = await createUser({
  headers: { Authorization: `Bearer ${login.data}` },
  body: { username: 'gus', password: 'a long enough password' },
});
assert.equal(created.data?.username, 'gus');

const missing = await getPetById({ path: { petId: 123_456_789 } });
assert.deepEqual([missing.response?.status, missing.error?.message], [404, 'Pet not found']);
const refused = await getInventory({ auth: () => undefined });
assert.deepEqual([refused.response?.status, refused.error?.type], [401, 'unauthenticated']);
const invalid = await getOrderById({ path: { orderId: 7 } });
assert.deepEqual([invalid.response?.status, invalid.error?.errors?.[0]?.in], [400, 'path']);

const published = await addAd({ body: ad });
assert.deepEqual(published.data, ad);
