/** The floor: node:http answering constants, without a database and without checks. */

import { createServer, type IncomingMessage } from 'node:http';
import { longList, newAd, newPet, shortList, storedOrder, storedPet } from '../data/pets';
import { port } from './settings';

const pets = Number(process.env['PETS']);
const pet = { id: 1, ...newPet(1) };

const listOf = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => storedPet(index + 1, pets)));

const json: Readonly<Record<string, string>> = {
  'GET /petstore/pet': JSON.stringify(pet),
  'POST /petstore/pet': JSON.stringify(pet),
  'PUT /petstore/pet': JSON.stringify(pet),
  'GET /petstore/pet/findByStatus?status=pending': listOf(shortList),
  'GET /petstore/pet/findByStatus?status=sold': listOf(longList(pets)),
  'GET /petstore/pet/findByTags?tags=rare': listOf(shortList),
  'GET /petstore/store/inventory': JSON.stringify({ available: 1, pending: 1, sold: 1 }),
  'GET /petstore/store/order': JSON.stringify(storedOrder(11)),
  'POST /petstore/store/order': JSON.stringify(storedOrder(11)),
  'POST /ads/ad': JSON.stringify(newAd(1)),
};

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<pet><id>1</id><name>Pet 1</name><category><id>2</id><name>Category 1</name></category><photoUrls><photoUrl>https://images.example.com/pets/1.png</photoUrl></photoUrls><tags><tag><id>1</id><name>friendly</name></tag></tags><status>available</status></pet>`;

/** The address without the id at its end. */
const keyOf = ({ method = '', url = '' }: IncomingMessage): string =>
  `${method} ${url.replace(/\/\d+$/, '')}`;

const server = createServer((request, response) => {
  const wantsXml = request.headers.accept === 'application/xml';
  const text = wantsXml ? xml : (json[keyOf(request)] ?? '{}');
  request.resume();
  request.on('end', () => {
    response.writeHead(200, {
      'Content-Type': wantsXml ? 'application/xml' : 'application/json',
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});

server.keepAliveTimeout = 60_000;
server.listen(port, '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
