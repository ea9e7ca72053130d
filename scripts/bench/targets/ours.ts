/** Ours, started as production starts it: the built program, its log and its metrics on. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from '../data/pets';
import { atInterruption } from '../machine/interrupt';
import type { Contestant, Prepared, Running } from './contestant';
import { cachedFile, copyOf, freshPath, isThere, removeDatabase } from './database-files';
import { type Launch, launch } from './launch';
import { issueCredentials, seedByHttp } from './seed-ours';

/** What ours is given beside its database. */
export interface OurOptions {
  /** The folder in which `dist` and `specs` are. */
  readonly folder: string;
  /** Arguments of Node.js beside those that `npm start` gives it. */
  readonly nodeArgs?: readonly string[];
  /** Variables beside those that it needs to take part. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly say: (line: string) => void;
}

/** What `npm start` gives Node.js: its options and the program. Another checkout has its own. */
const startArguments = (folder: string): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // `exec node …`, so that signals to npm reach the program.
  return scripts.start
    .replace(/^exec /, '')
    .split(' ')
    .slice(1);
};

/** Starts ours on a database. The rate limit still counts, it only never refuses. */
export const startOurs = (
  { folder, nodeArgs = [], environment = {} }: OurOptions,
  databaseUrl: string,
  credentials: Credentials,
  core: number | undefined,
  rest: Pick<Launch, 'cleanUp' | 'firstPath'> = {},
): Promise<Running> =>
  launch({
    args: () => [...nodeArgs, ...startArguments(folder)],
    environment: (port) => ({
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      RATE_LIMIT_PER_HOUR: '1000000000',
      // All callers are at one address.
      MAX_CONNECTIONS_PER_ADDRESS: environment['MAX_CONNECTIONS'] ?? '2000',
      ...environment,
    }),
    folder,
    core,
    credentials,
    ...rest,
  });

/** Fills the database at the URL, which is new. */
export const fillOurs = async (
  options: OurOptions,
  databaseUrl: string,
  pets: number,
): Promise<Credentials> => {
  const { folder, say } = options;
  const credentials = issueCredentials(folder, databaseUrl);
  const firstPath = '/petstore/store/inventory';
  const server = await startOurs(options, databaseUrl, credentials, undefined, { firstPath });
  try {
    await seedByHttp(server, credentials, pets, (done) => {
      say(`Filling a database of ours: ${done.toLocaleString('en')} pets`);
    });
  } finally {
    await server.stop();
  }
  return credentials;
};

/** Says which build filled a database: one of another storage may have other tables. */
const storageVersion = (folder: string): string => {
  const storage = join(folder, 'dist/src');
  const hash = createHash('sha256');
  const names = readdirSync(storage, { recursive: true, encoding: 'utf8' }).sort();
  for (const name of names.filter((file) => file.endsWith('.js'))) {
    hash.update(readFileSync(join(storage, name)));
  }
  return hash.digest('hex').slice(0, 12);
};

/** A filled SQLite file, made at first use. */
export const ourFile = async (options: OurOptions, pets: number) => {
  const path = cachedFile(`ours-${pets}-${storageVersion(options.folder)}.sqlite`);
  const secrets = path.replace(/sqlite$/, 'json');
  if (isThere(path) && isThere(secrets)) {
    const credentials: Credentials = JSON.parse(readFileSync(secrets, 'utf8'));
    return { path, credentials };
  }
  const making = freshPath();
  const callOff = atInterruption(() => removeDatabase(making));
  const credentials = await fillOurs(options, `sqlite:${making}`, pets);
  for (const suffix of ['', '-wal']) {
    if (isThere(making + suffix)) renameSync(making + suffix, path + suffix);
  }
  writeFileSync(secrets, JSON.stringify(credentials));
  callOff();
  return { path, credentials };
};

/** Ours on SQLite: this checkout, or another one under a name of its own. */
export const oursOnSqlite = (
  options: OurOptions,
  id = 'ours',
  title = 'ours (SQLite)',
): Contestant => ({
  id,
  title,
  kind: 'ours',
  hasXml: true,
  async prepare(pets): Promise<Prepared> {
    const { path, credentials } = await ourFile(options, pets);
    return {
      start(core) {
        const copy = copyOf(path);
        const cleanUp = (): void => removeDatabase(copy);
        return startOurs(options, `sqlite:${copy}`, credentials, core, { cleanUp });
      },
    };
  },
});
