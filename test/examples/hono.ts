/** The books in an application of Hono, beside routes of its own. Bun, Deno and workers serve what a module exports like this. */

import { Hono } from 'hono';
import { openApiFetch } from 'spec-first/fetch';
import { handlers, securityHandlers } from './books.ts';

const answer = await openApiFetch('books.yaml', handlers, securityHandlers);
const app = new Hono();
app.all('/v1/*', (context) => answer(context.req.raw));
app.get('/health', (context) => context.text('ok'));
export default app;
