/** Sends one request and tells exactly how far it came. */

import { Agent, type IncomingMessage, request } from 'node:http';

/** A request. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * - `unsent`: nobody was there to hear it; - `broken`: the connection ended before the whole answer was there;
 * - `silent`: the connection stands, and no answer came in time.
 */
export type Failure = 'unsent' | 'broken' | 'silent';

/** Asks, one question at a time. */
export interface Asker {
  ask(question: Question): Promise<Answer | Failure>;
  close(): void;
}

/** Longer than anything that the server itself waits for. */
const patienceMilliseconds = 40_000;

const readAll = async (message: IncomingMessage): Promise<Answer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return { status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(chunks) };
};

const failureOf = (error: unknown): Failure => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' ? 'unsent' : 'broken';
};

/** Opens connections to the server at the port, as many as there are questions at a time. */
export const openAsker = (port: number): Asker => {
  const agent = new Agent({ keepAlive: true });
  return {
    ask: ({ method, path, headers = {}, body }) =>
      new Promise((resolve) => {
        const sent = request({ agent, host: '127.0.0.1', port, method, path, headers });
        const silent = setTimeout(() => {
          resolve('silent');
          sent.destroy();
        }, patienceMilliseconds);
        const end = (result: Answer | Failure): void => {
          clearTimeout(silent);
          resolve(result);
        };
        sent.on('error', (error) => end(failureOf(error)));
        sent.on('response', (message) => readAll(message).then(end, () => end('broken')));
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
};

/** The question with a JSON body. */
export const withJson = (question: Omit<Question, 'body'>, value: unknown): Question => ({
  ...question,
  headers: { ...question.headers, 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
