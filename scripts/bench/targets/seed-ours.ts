/** Fills a database of ours as its users would: the admin program for credentials, its own HTTP API for content. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Credentials, orderIds, storedOrder, storedPet } from '../data/pets';
import { drive, faultsOf, type WireRequest } from '../load/drive';
import { type Request, requestBytes, type Target } from '../load/request';
import { byToken, json, orderPath, petPath, write } from '../scenarios/requests';

const inTenYears = String(10 * 365 * 24 * 60 * 60);

/** Runs the admin program; throws what it says where it fails. */
const admin = (folder: string, databaseUrl: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'dist/src/admin.js'), ...args],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', DATABASE_URL: databaseUrl },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr.trim().replaceAll(/\s+/g, ' '));
  return stdout.trim();
};

/**
 * Issues the credentials; the database is made where there is none.
 *
 * @param folder in which the `dist` of ours is
 */
export const issueCredentials = (folder: string, databaseUrl: string): Credentials => {
  const run = (...args: string[]): string => admin(folder, databaseUrl, ...args);
  const token = (service: string, scope: string, ...fields: string[]): string => {
    const user = ['--username', 'bench', '--password', 'a password of the benchmark'];
    run('user', 'create', '--service', service, ...user, ...fields);
    const whose = ['--service', service, '--user', 'bench', '--ttl', inTenYears];
    return run('token', 'create', ...whose, '--scope', scope);
  };
  return {
    petsToken: token('petstore', 'write:pets read:pets'),
    adsToken: token('ads', 'write:ads read:ads', '--field', 'isAgent=true'),
    apiKey: run('api-key', 'create', '--service', 'petstore', '--label', 'bench'),
  };
};

const batch = 10_000;
const connections = 64;

/** Sends requests 1 to `count`, each of which must succeed. */
export const sendAll = async (
  target: Target,
  count: number,
  request: (number: number) => Request,
  say: (done: number) => void,
): Promise<void> => {
  for (let from = 0; from < count; from += batch) {
    const size = Math.min(batch, count - from);
    const requests = Array.from({ length: size }, (_, index): WireRequest => {
      return { bytes: requestBytes(request(from + index + 1), target), status: 200 };
    });
    const enough = (_seconds: number, responses: number): boolean => responses >= size;
    const { port } = target;
    const driven = await drive({ port, requests, connections, most: size, enough });
    const faults = faultsOf(driven);
    if (faults !== undefined) throw new Error(`seeding got wrong responses: ${faults}`);
    say(from + size);
  }
};

/** Stores that many pets, and the orders, under the ids that the scenarios expect. */
export const seedByHttp = async (
  target: Target,
  credentials: Credentials,
  pets: number,
  say: (done: number) => void,
): Promise<void> => {
  const headers = byToken(credentials);
  const addPet = (number: number): Request =>
    write('POST', petPath(), json(storedPet(number, pets)), headers);
  const addOrder = (number: number): Request =>
    write('POST', orderPath(), json(storedOrder(orderIds[number - 1] ?? 0)));
  await sendAll(target, pets, addPet, say);
  await sendAll(target, orderIds.length, addOrder, () => {});
};
