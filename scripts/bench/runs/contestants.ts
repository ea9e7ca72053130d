/** Which servers take part in a race. */

import { rootFolder } from '../../root-folder';
import type { Options } from '../options';
import type { Contestant } from '../targets/contestant';
import { oursOnSqlite } from '../targets/ours';
import { oursOnPostgres } from '../targets/ours-on-postgres';
import { postgresPeers, sqlitePeers } from '../targets/peers';
import type { DatabaseServer } from '../targets/postgres-server';

/** Whether a contestant is this program, which needs no packages of other servers. */
export const isOurs = (id: string): boolean => ['ours', 'before'].includes(id);

type Say = (line: string) => void;

const onSqlite = ({ before }: Options, say: Say): readonly Contestant[] => {
  const ours = { folder: rootFolder, say };
  return [
    oursOnSqlite(ours),
    ...(before ? [oursOnSqlite({ folder: before, say }, 'before', 'ours before')] : []),
    ...sqlitePeers,
  ];
};

const onPostgres = (
  { before }: Options,
  server: DatabaseServer,
  say: Say,
): readonly Contestant[] => [
  oursOnPostgres({ folder: rootFolder, say }, server),
  ...(before ? [oursOnPostgres({ folder: before, say }, server, 'before', 'ours before')] : []),
  ...postgresPeers(server),
];

/**
 * Everybody, or those that the command line names.
 * @param server in which all of them keep their things; undefined: SQLite
 */
export const chooseContestants = (
  options: Options,
  server: DatabaseServer | undefined,
  say: Say,
): readonly Contestant[] => {
  const { contestants: chosen } = options;
  const all = server === undefined ? onSqlite(options, say) : onPostgres(options, server, say);
  if (chosen === undefined) return all;
  const unknown = chosen.find((name) => !all.some(({ id }) => id === name));
  if (unknown !== undefined) {
    throw new Error(
      `No contestant is called ${unknown}; there are ${all.map(({ id }) => id).join(', ')}`,
    );
  }
  return all.filter(({ id }) => chosen.includes(id));
};
