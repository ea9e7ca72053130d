/** Requests and responses between the primary and one of its workers. */

import { errorMessage } from '../../base/error-message';

/** One end of the channel that node:cluster opens: a `Worker`, which either side has of the other. */
export interface ProcessEnd {
  send(message: object, done: (error: Error | null) => void): boolean;
  on(event: 'message' | 'disconnect', listener: (message: unknown) => void): unknown;
}

/** Makes the response of the value that came with the request. */
export type RequestHandler = (value: unknown) => unknown;

interface RequestMessage {
  readonly request: string;
  readonly id: number;
  readonly value?: unknown;
}

interface ResponseMessage {
  readonly responseTo: number;
  readonly value?: unknown;
  /** The reason why there is no value. */
  readonly reason?: string;
}

const isRequest = (message: unknown): message is RequestMessage =>
  typeof message === 'object' && message !== null && 'request' in message;

const isResponse = (message: unknown): message is ResponseMessage =>
  typeof message === 'object' && message !== null && 'responseTo' in message;

const usualMilliseconds = 2000;

const respond = async (
  { id, request, value }: RequestMessage,
  handler?: RequestHandler,
): Promise<ResponseMessage> => {
  try {
    if (handler === undefined) throw new Error(`Unknown request "${request}"`);
    return { responseTo: id, value: await handler(value) };
  } catch (error) {
    return { responseTo: id, reason: errorMessage(error) };
  }
};

/** Opens a channel at one end, over which either side requests and responds; the other end does the same. Values travel as JSON. */
export const openChannel = (end: ProcessEnd) => {
  const handlers = new Map<string, RequestHandler>();
  const pending = new Map<number, (response: ResponseMessage) => void>();
  let lastId = 0;
  let isOpen = true;

  const settle = (response: ResponseMessage): void => {
    pending.get(response.responseTo)?.(response);
    pending.delete(response.responseTo);
  };
  const fail = (id: number, reason: string): void => settle({ responseTo: id, reason });

  end.on('message', async (message) => {
    if (isResponse(message)) settle(message);
    if (!isRequest(message)) return;
    const response = await respond(message, handlers.get(message.request));
    // A process that exited needs no response. Without a function the failure would be thrown.
    end.send(response, () => undefined);
  });
  end.on('disconnect', () => {
    isOpen = false;
    for (const id of pending.keys()) fail(id, 'The other process exited');
  });

  return {
    /**
     * Resolves to the other side's response.
     * @param milliseconds - how long that may take; a process that is busy for longer counts as one that does not respond
     * @throws Error with the other side's reason, or where it exited, does not know the name, or does not respond in time
     */
    request: (name: string, value?: unknown, milliseconds = usualMilliseconds): Promise<unknown> =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        const timer = setTimeout(
          () => fail(id, 'The other process does not respond'),
          milliseconds,
        );
        pending.set(id, (response) => {
          clearTimeout(timer);
          if (response.reason === undefined) resolve(response.value);
          else reject(new Error(response.reason));
        });
        end.send({ request: name, id, value }, (error) => {
          if (error) fail(id, error.message);
        });
      }),
    /** Sets how a request is handled from now on; where the handler throws, its message is the reason that the other side gets. */
    handle(name: string, handler: RequestHandler): void {
      handlers.set(name, handler);
    },
    /** Tells whether the other process is still there. */
    isOpen: () => isOpen,
  };
};

/** A channel between the primary and one of its workers. */
export type Channel = ReturnType<typeof openChannel>;
