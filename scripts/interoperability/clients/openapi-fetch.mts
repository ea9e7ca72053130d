/** A client of openapi-fetch, with the types that openapi-typescript writes: JSON, XML, a form, an upload, a login. */

import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths as AdPaths } from '../build/types-ads.js';
import type { paths as PetPaths } from '../build/types-petstore.js';
import { ad, demo, settings } from './settings.mjs';

const { origin, tokens, apiKey } = settings();
const store = createClient<PetPaths>({ baseUrl: `${origin}/petstore` });
const market = createClient<AdPaths>({ baseUrl: `${origin}/ads` });
const headers = { Authorization: `Bearer ${tokens.petstore}` };
const pet = { id: 700, name: 'Ida', photoUrls: ['a.png'], status: 'pending' as const };
const path = { petId: pet.id };

const added = await store.POST('/pet', { headers, body: pet });
assert.deepEqual(added.data, pet);

const read = await store.GET('/pet/{petId}', { headers: { api_key: apiKey }, params: { path } });
assert.equal(read.data?.name, 'Ida');

const asXml = await store.POST('/pet', {
  headers: { ...headers, 'Content-Type': 'application/xml', Accept: 'application/xml' },
  body: { name: 'Xena', photoUrls: [] },
  bodySerializer: ({ name }) => `<pet><name>${name}</name><photoUrls/></pet>`,
  parseAs: 'text',
});
assert.match(String(asXml.data), /^<\?xml .*<pet><id>\d+<\/id><name>Xena<\/name>/s);

const asForm = await store.POST('/store/order', {
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: { petId: pet.id, quantity: 2, complete: true },
});
assert.deepEqual({ ...asForm.data, id: 0 }, { id: 0, petId: pet.id, quantity: 2, complete: true });

const found = await store.GET('/pet/findByStatus', {
  headers,
  params: { query: { status: ['pending', 'sold'] } },
  querySerializer: { array: { style: 'form', explode: false } },
});
assert.ok(found.data?.some(({ id }) => id === pet.id));

const uploaded = await store.POST('/pet/{petId}/uploadImage', {
  headers: { ...headers, 'Content-Type': 'application/octet-stream' },
  params: { path, query: { additionalMetadata: 'front' } },
  body: 'bytes',
  bodySerializer: (body) => body,
});
assert.equal(uploaded.data?.message, 'front, 5 bytes');

const login = await store.GET('/user/login', { params: { query: demo } });
assert.ok(Number(login.response.headers.get('X-Rate-Limit')) > 0);
assert.ok(Date.parse(String(login.response.headers.get('X-Expires-After'))) > Date.now());
const created = await store.POST('/user', {
  headers: { Authorization: `Bearer ${login.data}` },
  body: { username: 'fay', password: 'a long enough password' },
});
// The document calls this success `default`, which openapi-fetch types as an error.
assert.equal(created.response.status, 200);

const missing = await store.GET('/pet/{petId}', {
  headers: { api_key: apiKey },
  params: { path: { petId: 123_456_789 } },
});
assert.deepEqual([missing.response.status, missing.error?.message], [404, 'Pet not found']);
const refused = await store.GET('/store/inventory');
assert.deepEqual([refused.response.status, refused.error?.type], [401, 'unauthenticated']);
const invalid = await store.GET('/store/order/{orderId}', { params: { path: { orderId: 7 } } });
assert.deepEqual([invalid.response.status, invalid.error?.errors?.[0]?.in], [400, 'path']);

const published = await market.POST('/ad', {
  headers: { Authorization: `Bearer ${tokens.ads}` },
  body: ad,
});
assert.deepEqual(published.data, ad);
