/** Without requests and responses made as Express's: node makes its own, and Express changes the prototype of each. */

import { IncomingMessage, ServerResponse } from 'node:http';
import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/http/express-messages')>(
  'http/express-messages',
).expressMessages = () => ({ IncomingMessage, ServerResponse });

const ours = moduleOf<typeof import('../../../src/http/http-server')>('http/http-server');
const { httpServer } = ours;

// Counts alone.
ours.httpServer = (listener, messages) =>
  httpServer((request, response) => {
    countRun();
    listener(request, response);
  }, messages);
