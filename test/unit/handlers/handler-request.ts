/** A request as the engine hands it to a handler, empty but for what a test gives. */

import type { Caller } from '../../../src/engine/security/caller';

const CALLER: Caller = { loggedInAs: undefined, subject: 'somebody', scopes: [], handle: 'h' };

/** `fail` gives an error whose message is the status. */
export const handlerRequest = <Parts extends object>(parts: Parts) => ({
  path: {},
  query: {},
  header: {},
  cookie: {},
  body: undefined,
  caller: CALLER,
  client: { address: '127.0.0.1', secure: false },
  fileFacts: () => undefined,
  fail: (status: number) => new Error(`declared ${status}`),
  ...parts,
});
