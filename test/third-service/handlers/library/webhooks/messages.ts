/** Messages to a receiver: stored in the transaction of what they tell of, and sent again and again until they have arrived. */

import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { JobTools } from '../../../../../src/host/lifetime';

/** A receiver of messages. */
export interface Receiver {
  /** Its address; without one there are no messages. */
  readonly url: string | undefined;
  /** Milliseconds after which an attempt has failed. */
  readonly timeout: number;
}

interface Message {
  readonly id: string;
  readonly body: string;
  readonly attempts: number;
}

const longestWait = 3600;

const after = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

/** Adds a message. In a transaction it is there only if the rest of that is. */
export const addMessage = async (database: Knex, type: string, data: object): Promise<void> => {
  const timestamp = after(0);
  const body = JSON.stringify({ type, timestamp, data });
  await database('library_message').insert({ id: randomUUID(), body, next_at: timestamp });
};

const post = async (url: string, { id, body }: Message, signal: AbortSignal): Promise<void> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Webhook-Id': id },
    body,
    redirect: 'error',
    signal,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The receiver answered ${response.status}`);
};

/** Sends the messages that are due. One that did not arrive waits for twice as long as the time before, an hour at the most. */
export const sendMessages = async (
  { database, log, signal }: JobTools & { readonly database: Knex },
  url: string,
  timeout: number,
): Promise<void> => {
  const messages = () => database<Message & { next_at: string }>('library_message');
  const due = await messages().where('next_at', '<=', after(0)).orderBy('next_at').limit(20);
  const send = async (message: Message): Promise<void> => {
    const { id, attempts } = message;
    try {
      await post(url, message, AbortSignal.any([signal, AbortSignal.timeout(timeout)]));
    } catch (err) {
      // What ends with its process was not the receiver's fault: another process sends it.
      if (signal.aborted) return;
      const wait = Math.min(2 ** attempts, longestWait);
      log.warn({ err, id, attempts, wait }, 'A message did not arrive');
      await messages()
        .where({ id })
        .update({ attempts: attempts + 1, next_at: after(wait) });
      return;
    }
    await messages().where({ id }).delete();
  };
  await Promise.all(due.map(send));
};
