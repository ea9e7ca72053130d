/** TLS to the database, as libpq names it: what each sslmode takes and refuses. */

import { chown, copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { makeAuthority } from '../support/certificates';
import { describeOnPostgres, usePrivatePostgres } from '../support/private-postgres';

interface Encryption {
  readonly ssl: boolean;
}

/** Tells whether the connections of both kinds are encrypted, or why there are none. */
const open = async (url: string): Promise<string> => {
  try {
    const db = await openDatabase(url);
    const own = db.knex('pg_stat_ssl').whereRaw('pid = pg_backend_pid()').select('ssl');
    const statement = db.prepare<Record<string, never>, Encryption>(own.clone());
    const rows: Encryption[] = [...(await db.all(statement, {})), ...(await own)];
    await closeDatabase(db);
    return rows.map(({ ssl }) => (ssl ? 'TLS' : 'plain')).join(', ');
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
};

const rules = `
hostssl all certified all cert
hostnossl all encrypted all reject
`;

describeOnPostgres('TLS to PostgreSQL', () => {
  const postgres = usePrivatePostgres();
  let folder = '';
  const files: Record<string, string> = {};

  /** With parameters in which words in braces stand for files. */
  const urlOf = (host: string, parameters: string, user = 'postgres'): string => {
    const url = postgres().url().replace('postgres@127.0.0.1', `${user}@${host}`);
    return `${url}?${parameters.replace(/\{(\w+)\}/g, (_, name) => String(files[name]))}`;
  };

  const show = async (setting: string): Promise<string> => {
    const [row] = await postgres().query(`select current_setting('${setting}') as value`);
    return String(Object.values(row ?? {})[0]);
  };

  const turnOn = async (): Promise<void> => {
    const data = await show('data_directory');
    const { uid, gid } = await stat(data);
    for (const name of ['server.crt', 'server.key', 'trusted.crt']) {
      await copyFile(join(folder, name), join(data, name));
      await chown(join(data, name), uid, gid);
    }
    const hostRules = join(data, 'pg_hba.conf');
    await writeFile(hostRules, `${rules}${await readFile(hostRules, 'utf8')}`);
    await postgres().query('create role certified superuser login');
    await postgres().query('create role encrypted superuser login');
    await postgres().query(`alter system set ssl_ca_file = 'trusted.crt'`);
    await postgres().query('alter system set ssl = on');
    await postgres().query('select pg_reload_conf()');
    await until('TLS is on', async () => ((await show('ssl')) === 'on' ? true : undefined));
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'certificates-'));
    const trusted = await makeAuthority(folder, 'trusted');
    const stranger = await makeAuthority(folder, 'stranger');
    await trusted.issue('server', 'DNS:localhost');
    const client = await trusted.issue('certified', 'DNS:client');
    const missing = join(folder, 'missing.crt');
    Object.assign(files, { ...client, missing, trusted: trusted.cert, stranger: stranger.cert });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each<[string, RegExp]>([
    ['sslmode=require', /turn TLS on there, or say sslmode=disable: /],
    ['sslmode=disable', /^plain, plain$/],
  ])('a server without it, %s', async (parameters, seen) => {
    expect(await open(urlOf('localhost', parameters))).toMatch(seen);
  });

  describe('that is on', () => {
    beforeAll(turnOn);

    const unfit =
      /see that sslrootcert and the host in the URL fit the certificate of the server: /;
    test.each<[string, string, RegExp]>([
      ['localhost', '', /^plain, plain$/],
      ['localhost', 'sslmode=disable', /^plain, plain$/],
      ['localhost', 'sslmode=require', /^TLS, TLS$/],
      ['127.0.0.1', 'sslmode=require', /^TLS, TLS$/],
      ['127.0.0.1', 'sslmode=require&sslrootcert={trusted}', /^TLS, TLS$/],
      ['127.0.0.1', 'sslmode=require&sslrootcert={stranger}', unfit],
      ['127.0.0.1', 'sslmode=verify-ca&sslrootcert={trusted}', /^TLS, TLS$/],
      ['localhost', 'sslmode=verify-ca&sslrootcert={stranger}', unfit],
      ['localhost', 'sslmode=verify-full&sslrootcert={trusted}', /^TLS, TLS$/],
      ['127.0.0.1', 'sslmode=verify-full&sslrootcert={trusted}', unfit],
      ['localhost', 'sslmode=verify-full&sslrootcert={stranger}', unfit],
      ['localhost', 'sslmode=verify-full', unfit],
      ['localhost', 'sslmode=verify-ca', /requires specifying a CA with sslrootcert/],
      ['localhost', 'sslmode=verify-full&sslrootcert={missing}', /no such file .*missing\.crt/],
    ])('%s, %s', async (host, parameters, seen) => {
      expect(await open(urlOf(host, parameters))).toMatch(seen);
    });

    const refused = /it wants another TLS: see sslmode, sslcert and sslkey in the URL: /;
    test.each<[string, string, RegExp]>([
      ['certified', 'sslmode=require&sslcert={cert}&sslkey={key}', /^TLS, TLS$/],
      ['certified', 'sslmode=require', refused],
      ['encrypted', 'sslmode=require', /^TLS, TLS$/],
      ['encrypted', 'sslmode=disable', refused],
    ])('the user %s, %s', async (user, parameters, seen) => {
      expect(await open(urlOf('localhost', parameters, user))).toMatch(seen);
    });

    test('of several hosts, each is held to its own name', async () => {
      const parameters = 'sslmode=verify-full&sslrootcert={trusted}';
      const hosts = `127.0.0.1:${new URL(postgres().url()).port},localhost`;
      expect(await open(urlOf(hosts, parameters))).toBe('TLS, TLS');
    });
  });
});
