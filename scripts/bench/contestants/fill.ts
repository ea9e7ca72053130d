/** Fills the databases of contestants over their own HTTP APIs, and starts contestants on copies. */

import { drive, faultsOf, type WireRequest } from '../load/drive';
import { type Request, requestBytes, type Target } from '../load/request';
import { type Credentials, orderIds, storedOrder, storedPet } from '../pets';
import { byToken, jsonBody, orderPath, petPath, write } from '../scenarios/scenario';
import type { Databases } from './databases';
import { launch, type Running } from './launch';
import type { Program } from './programs';

const batch = 10_000;
const connections = 64;

/** Sends requests 1 to `count`, each of which must succeed. */
const sendAll = async (
  target: Target,
  count: number,
  request: (number: number) => Request,
): Promise<void> => {
  for (let from = 0; from < count; from += batch) {
    const size = Math.min(batch, count - from);
    const requests = Array.from({ length: size }, (_, index): WireRequest => {
      return { bytes: requestBytes(request(from + index + 1), target), status: 200 };
    });
    const enough = (_seconds: number, responses: number): boolean => responses >= size;
    const { port } = target;
    const faults = faultsOf(await drive({ port, requests, connections, most: size, enough }));
    if (faults !== undefined) throw new Error(`Filling a database got wrong responses: ${faults}`);
  }
};

/** Stores that many pets, and the orders, under the ids that the scenarios expect. */
const fillByHttp = async (
  target: Target,
  credentials: Credentials,
  pets: number,
): Promise<void> => {
  const headers = byToken(credentials);
  await sendAll(target, pets, (number) =>
    write('POST', petPath(), jsonBody(storedPet(number, pets)), headers),
  );
  await sendAll(target, orderIds.length, (number) =>
    write('POST', orderPath(), jsonBody(storedOrder(orderIds[number - 1] ?? 0))),
  );
};

/** A program whose database is filled. */
export interface Contestant {
  readonly program: Program;
  /** Starts it on a copy of that database, which is removed when it stops. */
  start(core: number | undefined): Promise<Running>;
}

/** Fills a database with that many pets for each kind of tables, and returns the programs ready to start. */
export const prepareContestants = async (
  programs: readonly Program[],
  databases: Databases,
  pets: number,
): Promise<readonly Contestant[]> => {
  const filled = new Map<string, { readonly url: string; readonly credentials: Credentials }>();
  const contestants: Contestant[] = [];
  for (const program of programs) {
    let source = filled.get(program.tables);
    if (source === undefined) {
      const url = await databases.create();
      const credentials = program.issueCredentials(url);
      // Peers commit each pet for itself, and would wait for the disk as often.
      const environment = { SYNCHRONOUS: 'OFF' };
      const server = await launch(program, url, credentials, undefined, environment);
      await fillByHttp(server, credentials, pets);
      await server.stop();
      await databases.settle(url);
      source = { url, credentials };
      filled.set(program.tables, source);
    }
    const { url, credentials } = source;
    contestants.push({
      program,
      async start(core) {
        const copy = await databases.create(url);
        const running = await launch(program, copy, credentials, core);
        const stop = async (): Promise<void> => {
          await running.stop();
          await databases.remove(copy);
        };
        return { ...running, stop };
      },
    });
  }
  return contestants;
};
