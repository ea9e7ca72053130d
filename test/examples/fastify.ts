/** The books as a plugin of Fastify, beside routes of its own. */

import fastify from 'fastify';
import { openApiPlugin } from 'spec-first/fastify';
import { handlers, securityHandlers } from './books.ts';

const app = fastify();
await app.register(openApiPlugin, { document: 'books.yaml', handlers, securityHandlers });
app.get('/health', () => 'ok');
await app.listen({ port: Number(process.env.PORT ?? 3000) });
console.log(app.server.address());
