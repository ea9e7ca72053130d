/** The programs that take part: ours, another checkout of ours, and the peers. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../../root-folder';
import { type Credentials, peerCredentials } from '../pets';

/** A server program. */
export interface Program {
  readonly id: string;
  readonly title: string;
  /** Programs of the same tables share the database that was filled for the first of them. */
  readonly tables: string;
  readonly hasXml: boolean;
  readonly folder: string;
  /** The arguments of Node.js. */
  readonly args: readonly string[];
  /** Returns the variables beside port and database. */
  environment(credentials: Credentials): Readonly<Record<string, string>>;
  /** Issues the credentials of a new database. */
  issueCredentials(databaseUrl: string): Credentials;
}

const inTenYears = String(10 * 365 * 24 * 60 * 60);

/** Runs the admin program, and returns what it prints. */
const admin = (folder: string, databaseUrl: string, ...args: string[]): string =>
  execFileSync(process.execPath, [join(folder, 'dist/src/admin.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', DATABASE_URL: databaseUrl },
    encoding: 'utf8',
  }).trim();

const issueCredentials = (folder: string, databaseUrl: string): Credentials => {
  const run = (...args: string[]): string => admin(folder, databaseUrl, ...args);
  const token = (service: string, scope: string, ...fields: string[]): string => {
    const user = ['--username', 'bench', '--password', 'a password of the benchmark'];
    run('user', 'create', '--service', service, ...user, ...fields);
    const holder = ['--service', service, '--user', 'bench', '--ttl', inTenYears];
    return run('token', 'create', ...holder, '--scope', scope);
  };
  return {
    petsToken: token('petstore', 'write:pets read:pets'),
    adsToken: token('ads', 'write:ads read:ads', '--field', 'isAgent=true'),
    apiKey: run('api-key', 'create', '--service', 'petstore', '--label', 'bench'),
  };
};

/** The arguments that `npm start` of a checkout gives Node.js: options and program, after `exec node`. */
const startArguments = (folder: string): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return scripts.start
    .replace(/^exec /, '')
    .split(' ')
    .slice(1);
};

/** Returns a checkout of ours. The rate limit counts and never refuses; all callers are at one address. */
const ours = (id: string, folder: string): Program => ({
  id,
  title: id,
  tables: folder,
  hasXml: true,
  folder,
  args: startArguments(folder),
  environment: () => ({
    RATE_LIMIT_PER_HOUR: '1000000000',
    MAX_CONNECTIONS: '4000',
    MAX_CONNECTIONS_PER_ADDRESS: '4000',
  }),
  issueCredentials: (databaseUrl) => issueCredentials(folder, databaseUrl),
});

const peer = (id: string, title: string, hasXml: boolean): Program => ({
  id,
  title,
  tables: 'peers',
  hasXml,
  folder: rootFolder,
  args: [join(rootFolder, `scripts/bench/build/servers/${id}.js`)],
  environment: ({ apiKey, petsToken, adsToken }) => ({
    API_KEY: apiKey,
    PETS_TOKEN: petsToken,
    ADS_TOKEN: adsToken,
    SPECS: join(rootFolder, 'specs'),
  }),
  issueCredentials: () => peerCredentials,
});

/** The peers, as durable as ours: a confirmed write survives a power cut. The first one fills their database. */
export const peers: readonly Program[] = [
  peer('hand-written', 'hand-written node:http', true),
  peer('fastify', 'fastify + fastify-openapi-glue', false),
];

/** Returns all programs, or those that are named. */
export const choosePrograms = (
  names: readonly string[] | undefined,
  before: string | undefined,
): readonly Program[] => {
  const other = before === undefined ? [] : [ours('before', before)];
  const all = [ours('ours', rootFolder), ...other, ...peers];
  const unknown = names?.find((name) => all.every(({ id }) => id !== name));
  if (unknown !== undefined) {
    const known = all.map(({ id }) => id).join(', ');
    throw new Error(`Unknown contestant ${unknown}; choose from ${known}`);
  }
  return all.filter(({ id }) => names?.includes(id) ?? true);
};
