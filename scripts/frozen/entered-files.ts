/** Finds the files of `src` that a request enters once everything is compiled. */

import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { demoCredentials } from '../../src/host/demo-data';
import { readConfig } from '../../src/server/config/config';
import { startServer } from '../../src/server/server';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { issueToken } from '../machine/issue-token';
import { rootFolder } from '../root-folder';

const mocks = { MOCK_MISSING_HANDLERS: 'false' };

const source = `${pathToFileURL(join(rootFolder, 'src')).href}/`;

/** Tells whether a function ran; those by which the compiler gives exports, `() => name`, do not count. */
const isEntered = ({ functionName: name, ranges: [range] }: Profiler.FunctionCoverage): boolean =>
  range !== undefined &&
  range.count > 0 &&
  name !== 'get' &&
  range.endOffset - range.startOffset > `() => ${name}`.length;

/** Makes the requests, by the name that their list gets. */
const requestsWith = (
  token: string,
): Readonly<Record<string, readonly [path: string, init: RequestInit]>> => {
  const headers = { api_key: demoCredentials.apiKey };
  const pet = { name: 'doggie', photoUrls: ['https://photos.example/1'] };
  const signedIn = { Authorization: `Bearer ${token}` };
  const asJson = { ...signedIn, 'Content-Type': 'application/json' };
  return {
    get: ['/petstore/pet/1', { headers }],
    list: ['/petstore/pet/findByStatus?status=available', { headers: signedIn }],
    post: ['/petstore/pet', { method: 'POST', headers: asJson, body: JSON.stringify(pet) }],
  };
};

/** Lists, for each request, the number of files and functions, and the files. */
export async function* enteredFiles(folder: string) {
  const DATABASE_URL = `sqlite:${join(folder, 'entered.sqlite')}`;
  const config = readConfig({
    PORT: '0',
    DATABASE_URL,
    DEMO_DATA: 'true',
    VALIDATE_RESPONSES: 'false',
    ...mocks,
  });
  const server = await startServer(config, { log: pino({ level: 'silent' }) });
  const db = await openDatabase(DATABASE_URL);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    const scopes = ['write:pets', 'read:pets'];
    const kind = 'access-token' as const;
    const grant = { service: 'petstore', user: demoCredentials.username, kind, scopes };
    const token = (await issueToken(db, grant, 3_600_000)) ?? '';
    // What is compiled between requests would be counted among them.
    const { signal } = new AbortController();
    for (const service of server.app.services) await service.precompile(signal, () => undefined);
    for (const [name, [path, init]] of Object.entries(requestsWith(token))) {
      const send = async () => {
        const response = await fetch(server.origin + path, init);
        await response.text();
        if (!response.ok) throw new Error(`${name} is answered by ${response.status}`);
      };
      for (let count = 0; count < 50; count += 1) await send();
      await session.post('Profiler.takePreciseCoverage');
      await send();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const entered = result
        .filter(({ url }) => url.startsWith(source))
        .map(({ url, functions }) => ({
          file: url.slice(source.length),
          count: functions.filter(isEntered).length,
        }))
        .filter(({ count }) => count > 0);
      const functions = entered.reduce((sum, { count }) => sum + count, 0);
      const files = entered.map(({ file }) => file).sort();
      yield [name, [`${files.length} files, ${functions} functions`, ...files].join('\n')] as const;
    }
  } finally {
    session.disconnect();
    await closeDatabase(db);
    await server.stop();
  }
}
