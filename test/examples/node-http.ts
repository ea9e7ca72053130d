/** The books by node:http alone. */

import { createServer } from 'node:http';
import { openApiRouter } from 'spec-first';
import { handlers, securityHandlers } from './books.ts';

const server = createServer(await openApiRouter('books.yaml', handlers, securityHandlers));
server.listen(process.env.PORT ?? 3000, () => console.log(server.address()));
