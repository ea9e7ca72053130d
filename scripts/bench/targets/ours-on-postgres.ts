/** Ours on PostgreSQL, where one can be reached: a database of this run's own, which is dropped in the end. */

import { Client } from 'pg';
import { atInterruption } from '../machine/interrupt';
import type { Contestant } from './contestant';
import { fillOurs, type OurOptions, startOurs } from './ours';

const run = async (serverUrl: string, ...statements: string[]): Promise<void> => {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 3000 });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

const drop = (name: string): string => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;

/**
 * Makes the contestant.
 * @param serverUrl a database of the server in which others may be created
 */
export const oursOnPostgres = (options: OurOptions, serverUrl: string): Contestant => ({
  id: 'ours-postgres',
  title: 'ours (PostgreSQL)',
  kind: 'ours',
  cannot: {},
  checks: 'content',
  async prepare(pets) {
    const filled = `bench_${process.pid}`;
    let copies = 0;
    const urlOf = (name: string): string => {
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      return url.href;
    };
    const dispose = async (): Promise<void> => {
      await run(serverUrl, drop(filled));
      callOff();
    };
    const callOff = atInterruption(dispose);
    await run(serverUrl, drop(filled), `CREATE DATABASE ${filled}`);
    try {
      const credentials = await fillOurs(options, urlOf(filled), pets);
      return {
        async start(core) {
          copies += 1;
          const name = `${filled}_${copies}`;
          await run(serverUrl, drop(name), `CREATE DATABASE ${name} TEMPLATE ${filled}`);
          const cleanUp = (): Promise<void> => run(serverUrl, drop(name));
          return startOurs(options, urlOf(name), credentials, core, { cleanUp });
        },
        dispose,
      };
    } catch (error) {
      await dispose();
      throw error;
    }
  },
});
