/** A real OpenID provider beside the tests of a file. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';

/** The content of a JWT. */
export interface Signed {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The provider, as tests use it. */
export interface Provider {
  /** Its identifier. */
  readonly issuer: string;
  /** An access token of its own making, by the client credentials grant (RFC 6749 section 4.4). */
  token(resource: string, scope: string, client?: 'shop' | 'other-shop'): Promise<string>;
  /** A JWT of the test's making, signed with the provider's key. */
  sign(given: Signed): Promise<string>;
  /** New keys; those from before are gone. */
  rotate(): Promise<void>;
  /** Stops answering until it listens again. */
  leave(): Promise<void>;
  listen(): Promise<void>;
  /** The targets it was asked for since this was last looked at. */
  requests(): Promise<string[]>;
}

const ask = (child: ChildProcess, id: number, deed?: string, given?: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const onMessage = (message: { id: number; value?: unknown; error?: string }): void => {
      if (message.id !== id) return;
      child.off('message', onMessage);
      child.off('exit', onExit);
      if (message.error === undefined) resolve(message.value);
      else reject(new Error(message.error));
    };
    const onExit = (): void => reject(new Error('The provider has ended'));
    child.on('message', onMessage);
    child.once('exit', onExit);
    if (deed !== undefined) child.send({ id, deed, given });
  });

const fetchToken = async (
  issuer: string,
  resource: string,
  scope: string,
  client: string,
): Promise<string> => {
  const credentials = Buffer.from(`${client}:${client}-secret`).toString('base64');
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`The provider gives no token: ${JSON.stringify(answer)}`);
  return String(Reflect.get(Object(answer), 'access_token'));
};

/** One provider for all tests of the file; call the result inside tests, or in a `beforeAll` that comes later. */
export const useProvider = (): (() => Provider) => {
  let child: ChildProcess | undefined;
  let provider: Provider | undefined;
  let lastId = 0;

  beforeAll(async () => {
    const running = fork(join(__dirname, 'provider-process.mjs'), [], {
      silent: true,
      execArgv: [],
    });
    child = running;
    const issuer = String(await ask(running, 0));
    const tell = (deed: string, given?: unknown): Promise<unknown> => {
      lastId += 1;
      return ask(running, lastId, deed, given);
    };
    provider = {
      issuer,
      token: (resource, scope, client = 'shop') => fetchToken(issuer, resource, scope, client),
      sign: async (given) => String(await tell('sign', given)),
      rotate: async () => void (await tell('rotate')),
      leave: async () => void (await tell('leave')),
      listen: async () => void (await tell('listen')),
      requests: async () => (await tell('requests')) as string[],
    };
  });
  afterAll(async () => {
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  });

  return () => {
    if (provider === undefined) throw new Error('The provider has not started');
    return provider;
  };
};
