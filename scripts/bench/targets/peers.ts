/** The peers that keep their pets in SQLite, each with its own program. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../../root-folder';
import { peerCredentials } from '../data/pets';
import { peerBuild } from '../machine/places';
import type { Contestant } from './contestant';
import { cachedFile, copyOf, freshPath, isThere, removeDatabase } from './database-files';
import { launch } from './launch';

const specs = join(rootFolder, 'specs');

/** The filled file that all these peers start from. */
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

type Facts = Pick<Contestant, 'id' | 'title' | 'cannot'> & { readonly program: string };

const sqlitePeer = (facts: Facts): Contestant => ({
  id: facts.id,
  title: facts.title,
  kind: 'peer',
  cannot: facts.cannot,
  checks: 'content',
  async prepare(pets) {
    const source = peerDatabase(pets);
    return {
      start(core) {
        const path = copyOf(source);
        return launch({
          args: () => [join(peerBuild, facts.program)],
          environment: (port) => ({
            PORT: String(port),
            DATABASE_PATH: path,
            SPECS: specs,
          }),
          folder: rootFolder,
          core,
          credentials: peerCredentials,
          cleanUp: () => removeDatabase(path),
        });
      },
    };
  },
});

const noXml = 'has no XML';

const sqlitePeers: readonly Facts[] = [
  {
    id: 'hand-written',
    title: 'hand-written node:http + better-sqlite3',
    program: 'hand-written/server.js',
    cannot: {},
  },
  {
    id: 'fastify',
    title: 'fastify + fastify-openapi-glue + better-sqlite3',
    program: 'fastify-glue.js',
    cannot: { xml: noXml },
  },
  {
    id: 'express-validator',
    title: 'express + express-openapi-validator + better-sqlite3',
    program: 'express-validator.js',
    cannot: { xml: noXml },
  },
  {
    id: 'plain',
    title: 'express + openapi-backend + knex + sqlite3 + xml2js, as their READMEs show',
    program: 'plain.js',
    cannot: { 'unsupported-media-type': 'does not look at media types (responds 405)' },
  },
];

/** Each as durable as ours: a confirmed write survives a power cut. */
export const databasePeers: readonly Contestant[] = sqlitePeers.map(sqlitePeer);
