/** Which servers take part in a race. */

import { rootFolder } from '../../root-folder';
import type { Options } from '../options';
import type { Contestant } from '../targets/contestant';
import { oursOnSqlite } from '../targets/ours';
import { oursOnPostgres } from '../targets/ours-on-postgres';
import { databasePeers } from '../targets/peers';
import { prism } from '../targets/prism';

/** Whether a contestant is this program, which needs no packages of other servers. */
export const isOurs = (id: string): boolean => ['ours', 'ours-postgres', 'before'].includes(id);

/** Left out of `--quick`: they are slow to start or add little. */
const notQuick: readonly string[] = ['prism', 'ours-postgres'];

/** Everybody, or those that the command line names. */
export const chooseContestants = (
  { contestants: chosen, before, quick, postgres }: Options,
  say: (line: string) => void,
): readonly Contestant[] => {
  const ours = { folder: rootFolder, say };
  const all = [
    oursOnSqlite(ours),
    ...(before ? [oursOnSqlite({ folder: before, say }, 'before', 'ours before')] : []),
    oursOnPostgres(ours, postgres),
    ...databasePeers,
    prism,
  ];
  if (chosen === undefined) return all.filter(({ id }) => !(quick && notQuick.includes(id)));
  const unknown = chosen.find((name) => !all.some(({ id }) => id === name));
  if (unknown !== undefined) {
    throw new Error(
      `No contestant is called ${unknown}; there are ${all.map(({ id }) => id).join(', ')}`,
    );
  }
  return all.filter(({ id }) => chosen.includes(id));
};
