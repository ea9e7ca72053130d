/** The books as a function from a request to a response. Bun, Deno and workers serve what a module exports like this. */

import { openApiFetch } from 'spec-first/fetch';
import { handlers, securityHandlers } from './books.ts';

export default { fetch: await openApiFetch('books.yaml', handlers, securityHandlers) };
