/** Without group commit: each change has a transaction of its own, and its own wait for the disk. The queue stays as long. */

import type { GroupCommit, Transactions } from '../../../src/storage/database/group-commit';
import { moduleOf } from './product';

const ours = moduleOf<typeof import('../../../src/storage/database/group-commit')>(
  'storage/database/group-commit',
);
const { groupCommit } = ours;

const usual = { group: 1, waiting: 4096, milliseconds: 5000 };

ours.groupCommit = <Shared, Trx>(
  transactions: Transactions<Shared, Trx>,
  limits = usual,
  clock?: () => number,
): GroupCommit<Trx> => {
  const commit = groupCommit(transactions, { ...limits, group: 1 }, clock);
  return (work, lock) => {
    return commit(work, lock);
  };
};
