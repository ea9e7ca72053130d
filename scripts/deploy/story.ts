/** The story that each way to run the server has to pass: sign-in, pets, an order, metrics, a reload, and a stop under load. */

import assert from 'node:assert';
import { until } from '../machine/until';

/** A server as one of the ways runs it. */
export interface Deployed {
  readonly url: string;
  /** The token of its metrics. */
  readonly metricsToken: string;
  /** Runs an admin command beside it. */
  admin(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<string>;
  /** Makes it read its documents again. */
  reload(): Promise<unknown>;
  /** Stops it by SIGTERM; rejects where its exit code is not 0. */
  stop(): Promise<void>;
  /** Starts it again. */
  start(): Promise<unknown>;
  /** Reads the last lines that it logged. */
  log(): Promise<string>;
}

const untilReady = (url: string): Promise<true> =>
  until(`${url} is ready`, async () => (await fetch(`${url}/readyz`)).ok);

/** Sends a request; resolves to the text of a response with the status, and rejects where it has another. */
const send = async (
  url: string,
  init: RequestInit & { headers?: Readonly<Record<string, string>> } = {},
  status = 200,
): Promise<string> => {
  const response = await fetch(url, init);
  const text = await response.text();
  assert.equal(response.status, status, `${init.method ?? 'GET'} ${url}: ${text}`);
  return text;
};

const json = 'application/json';
const xml = 'application/xml';
const user = { name: 'operator', password: 'a password of the trial' };

/** Adds a pet; resolves to its id. */
const addPet = async (url: string, authorization: string, name: string): Promise<number> => {
  const headers = { authorization, 'content-type': json };
  const body = JSON.stringify({ name, photoUrls: [] });
  return JSON.parse(await send(`${url}/petstore/pet`, { method: 'POST', headers, body })).id;
};

/** Adds pets by several callers until the server takes no more; resolves to the ids that were answered. */
const addUntilStopped = async (
  { url, stop }: Deployed,
  authorization: string,
): Promise<readonly number[]> => {
  const added: number[] = [];
  const enough = 200;
  let stopped: Promise<void> | undefined;
  const add = async (): Promise<void> => {
    for (;;) {
      const id = await addPet(url, authorization, 'late').catch((error: unknown) => {
        // A response with another status is a fault; no response is what a stopped server gives.
        if (error instanceof assert.AssertionError) throw error;
        return undefined;
      });
      if (id === undefined) return;
      if (added.push(id) === enough) stopped = stop();
    }
  };
  await Promise.all(Array.from({ length: 16 }, add));
  assert(stopped !== undefined, `the server ended after ${added.length} pets`);
  await stopped;
  return added;
};

const checkMetrics = async ({ url, metricsToken }: Deployed): Promise<void> => {
  await send(`${url}/metrics`, {}, 401);
  const headers = { authorization: `Bearer ${metricsToken}` };
  const metrics = await send(`${url}/metrics`, { headers });
  assert.match(metrics, /^http_request_duration_seconds_count\{.*addPet.*\} \d+$/m);
};

const checkPages = async (url: string): Promise<void> => {
  assert.match(await send(`${url}/petstore/docs/`), /swagger/i);
  assert.match(await send(`${url}/ads/openapi.json`), /"openapi"/);
  await send(`${url}/petstore/docs/swagger-ui-bundle.js`);
};

const signIn = ({ url }: Deployed): Promise<string> => {
  const query = new URLSearchParams({ username: user.name, password: user.password });
  return send(`${url}/petstore/user/login?${query}`);
};

const goThrough = async (deployed: Deployed): Promise<string> => {
  const { url, admin } = deployed;
  const of = ['--service', 'petstore'];
  await admin(['user', 'create', ...of, '--username', user.name], { USER_PASSWORD: user.password });
  const grant = ['--user', user.name, '--scope', 'write:pets read:pets'];
  const authorization = `Bearer ${await admin(['token', 'create', ...of, ...grant])}`;
  const apiKey = { api_key: await admin(['api-key', 'create', ...of, '--label', 'trial']) };
  assert.match(await signIn(deployed), /^".+"$/);

  const id = await addPet(url, authorization, 'Rex & Co');
  const pet = `${url}/petstore/pet/${id}`;
  assert.equal(JSON.parse(await send(pet, { headers: apiKey })).name, 'Rex & Co');
  assert.match(await send(pet, { headers: { ...apiKey, accept: xml } }), /<name>Rex &amp; Co</);
  const asXml = { authorization, 'content-type': xml, accept: xml };
  const body = '<pet><name>Tom</name><photoUrls/></pet>';
  const added = await send(`${url}/petstore/pet`, { method: 'POST', headers: asXml, body });
  assert.match(added, /<name>Tom</);
  const order = await send(`${url}/petstore/store/order`, {
    method: 'POST',
    headers: { 'content-type': json },
    body: JSON.stringify({ id: 1, petId: id, quantity: 2 }),
  });
  await checkPages(url);
  await deployed.reload();
  await checkMetrics(deployed);

  const late = await addUntilStopped(deployed, authorization);
  await deployed.start();
  await untilReady(url);
  assert.equal(await send(`${url}/petstore/store/order/1`), order);
  await signIn(deployed);
  for (const one of late) await send(`${url}/petstore/pet/${one}`, { headers: apiKey });
  return `${late.length} pets added until the stop are there after it`;
};

/**
 * Goes through the story on a server with an empty database, once that is ready.
 *
 * @param checkPlace - checks what the way promises of the place in which the server runs
 * @returns a sentence with its figures
 */
export const tellStory = async (
  deployed: Deployed,
  checkPlace: () => Promise<void>,
): Promise<string> => {
  try {
    await untilReady(deployed.url);
    await checkPlace();
    return await goThrough(deployed);
  } catch (error) {
    const told = error instanceof Error ? error.stack : String(error);
    throw new Error(`${told}\nIts log ends with:\n${await deployed.log()}`, { cause: error });
  }
};
