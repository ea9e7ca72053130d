/** The books in an application of Express, beside routes of its own. */

import express from 'express';
import { openApiRouter } from 'spec-first';
import { handlers, securityHandlers } from './books.ts';

const app = express();
app.use('/v1', await openApiRouter('books.yaml', handlers, securityHandlers));
app.get('/health', (_request, response) => void response.send('ok'));
const server = app.listen(process.env.PORT ?? 3000, () => console.log(server.address()));
