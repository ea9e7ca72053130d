/** A receiver of webhooks, which answers, fails or hangs. */

import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from './listen';

/** A request that has arrived. */
export interface ReceivedWebhook {
  readonly id: unknown;
  readonly body: unknown;
}

/** Starts a receiver at a free port; it lasts until the last test of the file. */
export const startWebhookReceiver = async () => {
  const received: ReceivedWebhook[] = [];
  const receiver = { received, url: '', does: 'answer' as 'answer' | 'fail' | 'hang' };
  const server = createServer(async (request, response) => {
    const body = await json(request);
    received.push({ id: request.headers['webhook-id'], body });
    if (receiver.does === 'hang') return;
    response.writeHead(receiver.does === 'fail' ? 500 : 204).end();
  });
  receiver.url = await listen(server);
  return receiver;
};
