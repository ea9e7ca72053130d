/** Without group commit: each change has a transaction of its own, and its own wait for the disk. The queue stays as long. */

import type { GroupCommit, Transact } from '../../../src/storage/database/group-commit';
import type { Sharing } from '../../../src/storage/database/shared-transaction';
import { countRun, moduleOf } from './product';

const ours = moduleOf<typeof import('../../../src/storage/database/group-commit')>(
  'storage/database/group-commit',
);
const { groupCommit } = ours;

const usual = { group: 1, waiting: 4096, timeoutMilliseconds: 10_000 };

ours.groupCommit = <Trx>(
  transact: Transact<Trx>,
  sharing?: Sharing<Trx>,
  limits = usual,
  clock?: () => number,
): GroupCommit<Trx> => {
  const commit = groupCommit(transact, sharing, { ...limits, group: 1 }, clock);
  return Object.assign(
    <Result>(work: (trx: Trx) => Promise<Result>, order?: string) => {
      countRun();
      return commit(work, order);
    },
    { alone: commit.alone },
  );
};
