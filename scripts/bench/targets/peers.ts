/** The peers that keep their pets in SQLite or PostgreSQL, each with its own program. */

import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rootFolder } from '../../root-folder';
import { peerCredentials } from '../data/pets';
import { peerBuild } from '../machine/places';
import type { Contestant, Running } from './contestant';
import { cachedFile, copyOf, freshPath, isThere, removeDatabase } from './database-files';
import { launch } from './launch';
import { prepareDatabase } from './postgres-databases';
import type { DatabaseServer } from './postgres-server';

const run = promisify(execFile);

const specs = join(rootFolder, 'specs');

/** The filled file that all peers on SQLite start from. */
const peerDatabase = (pets: number): string => {
  const parts = ['seed.js', 'database.js', '../data/pets.js'];
  const made = parts.map((name) => readFileSync(join(peerBuild, name), 'utf8')).join('');
  const version = createHash('sha256').update(made).digest('hex').slice(0, 12);
  const path = cachedFile(`peers-${pets}-${version}.sqlite`);
  if (isThere(path)) return path;
  const making = freshPath();
  execFileSync(process.execPath, [join(peerBuild, 'seed.js'), making, String(pets)]);
  renameSync(making, path);
  return path;
};

type Facts = Pick<Contestant, 'id' | 'title' | 'hasXml'> & { readonly program: string };

/** The parts that no database changes. */
const peer = ({ id, title, hasXml }: Facts) => ({ id, title, kind: 'peer', hasXml }) as const;

const launchPeer = (
  { program }: Facts,
  database: Readonly<Record<string, string>>,
  core: number | undefined,
  cleanUp: () => void | Promise<void>,
): Promise<Running> =>
  launch({
    args: () => [join(peerBuild, program)],
    environment: (port) => ({ PORT: String(port), SPECS: specs, ...database }),
    folder: rootFolder,
    core,
    credentials: peerCredentials,
    cleanUp,
  });

const sqlitePeer = (facts: Facts): Contestant => ({
  ...peer(facts),
  async prepare(pets) {
    const source = peerDatabase(pets);
    return {
      start(core) {
        const path = copyOf(source);
        return launchPeer(facts, { DATABASE_PATH: path }, core, () => removeDatabase(path));
      },
    };
  },
});

const postgresPeer = (facts: Facts, server: DatabaseServer): Contestant => ({
  ...peer(facts),
  prepare: (pets) =>
    prepareDatabase(server, {
      id: facts.id,
      async fill(url) {
        await run(process.execPath, [join(peerBuild, 'postgres/seed.js'), url, String(pets)]);
        return peerCredentials;
      },
      start: (url, _credentials, core, cleanUp) =>
        launchPeer(facts, { DATABASE_URL: url }, core, cleanUp),
    }),
});

/** Those that serve from either database; their titles name the driver. */
const peersWith = (driver: string): readonly Facts[] => [
  {
    id: 'hand-written',
    title: `hand-written node:http + ${driver}`,
    program: 'hand-written/server.js',
    hasXml: true,
  },
  {
    id: 'fastify',
    title: `fastify + fastify-openapi-glue + ${driver}`,
    program: 'fastify-glue.js',
    hasXml: false,
  },
  {
    id: 'express-validator',
    title: `express + express-openapi-validator + ${driver}`,
    program: 'express-validator.js',
    hasXml: false,
  },
];

/** Each as durable as ours: a confirmed write survives a power cut. */
export const sqlitePeers: readonly Contestant[] = peersWith('better-sqlite3').map(sqlitePeer);

/** Each with a database of its own in the server. */
export const postgresPeers = (server: DatabaseServer): readonly Contestant[] =>
  peersWith('pg').map((facts) => postgresPeer(facts, server));
