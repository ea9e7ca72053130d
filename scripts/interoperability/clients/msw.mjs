/** Mocks of the pet store behind msw, as unit tests of a client have them: with a memory that is reset, and handlers of a test beside them. */

import assert from 'node:assert/strict';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { openApiFetch } from '../../../src/package/fetch';
import { mockCredentials, parseApiDocument } from '../../../src/package/index';

const { origin } = JSON.parse(process.argv[2] ?? '{}');
const text = await (await fetch(`${origin}/petstore/openapi.json`)).text();
const document = parseApiDocument('petstore.json', text);
const mocks = await openApiFetch(document, {}, mockCredentials(document), { mocks: true });

const api = 'https://pets.example/petstore';
const msw = setupServer(http.all(`${api}/*`, ({ request }) => mocks(request)));
msw.listen({ onUnhandledRequest: 'error' });

const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' };
const addPet = (pet) => fetch(`${api}/pet`, { method: 'POST', headers, body: JSON.stringify(pet) });
const readPet = (id) => fetch(`${api}/pet/${id}`, { headers: { api_key: 'any' } });

const added = await (await addPet({ name: 'Ida', photoUrls: [] })).json();
const read = await readPet(added.id);
assert.deepEqual([await read.json(), read.headers.get('x-mock')], [added, 'true']);

const refused = await addPet({ photoUrls: [] });
assert.ok(refused.status >= 400 && refused.status < 500);
const asked = await fetch(`${api}/pet/1`, { headers: { api_key: 'any', Prefer: 'code=404' } });
assert.equal(asked.status, 404);

// Between two tests: a fresh memory, and no handlers of the last test.
await fetch(`${api}/__state`, { method: 'DELETE' });
assert.equal((await readPet(added.id)).status, 404);

msw.use(http.get(`${api}/pet/7`, () => HttpResponse.json({ id: 7, name: 'Max', photoUrls: [] })));
assert.equal((await (await readPet(7)).json()).name, 'Max');
msw.resetHandlers();

msw.close();
