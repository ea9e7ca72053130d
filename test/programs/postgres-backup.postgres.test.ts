/** The commands by which src/server/database.md backs a PostgreSQL database up, restores it into another, and checks that. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findPostgres } from '../../scripts/machine/postgres-cluster';
import { rootFolder } from '../../scripts/root-folder';
import { describeOnPostgres, usePrivatePostgres } from '../support/private-postgres';
import { useProgram } from '../support/program';

const program = useProgram();

const commandsOf = (readme: string): string => {
  const text = readFileSync(join(rootFolder, readme), 'utf8');
  const [, commands] = /```sh\n(pg_dump [^`]*)```/.exec(text) ?? [];
  if (commands === undefined) throw new Error(`${readme} has no commands of pg_dump`);
  return commands;
};

describeOnPostgres('pg_dump and pg_restore', () => {
  const postgres = usePrivatePostgres();

  test('bring every item into a new database', async () => {
    await postgres().query('create database services');
    const server = await program().start({ DATABASE_URL: postgres().url('services') });
    expect(await server.end('SIGTERM')).toBe(0);

    const { build, directory } = program();
    const script = commandsOf('src/server/database.md')
      .replaceAll('/backups', directory)
      .replaceAll('npm run admin --', `'${process.execPath}' '${build}/src/admin.js'`);
    const { hostname, port } = new URL(postgres().url());
    const printed = execFileSync('sh', ['-ec', script], {
      cwd: rootFolder,
      encoding: 'utf8',
      env: {
        PATH: `${findPostgres()}:${process.env['PATH']}`,
        ...{ PGHOST: hostname, PGPORT: port, PGUSER: 'postgres' },
      },
    });
    expect(printed).toMatch(/^All [1-9]\d* stored items fit the document\.\n$/);
  });
});
