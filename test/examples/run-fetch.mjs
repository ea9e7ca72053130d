/** Serves the fetch function that a module exports, as Bun, Deno and workers do: `node run-fetch.mjs ./worker.ts`. */

import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const { default: app } = await import(process.argv[2]);

const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? await buffer(request) : undefined;
  const answer = await app.fetch(new Request(`http://localhost${url}`, { method, headers, body }));
  response.writeHead(answer.status, [...answer.headers].flat());
  response.end(Buffer.from(await answer.arrayBuffer()));
});
server.listen(process.env.PORT ?? 3000, () => console.log(server.address()));
