/** Unit of work (Fowler): what one piece of work changes is committed when the work has succeeded, and undone when it fails. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from '../connections/database-errors';
import type { Transaction } from './transaction';

/** Runs the work in a transaction that it shares with nobody. */
type TransactAlone = <Result>(work: (trx: Transaction) => Promise<Result>) => Promise<Result>;

/** One unit: its transaction begins with its first change. */
interface Unit {
  /** Undefined before the first change, and after the end. */
  readonly transaction: Transaction | undefined;
  /** Does a part of the work: all of it or nothing. */
  change<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result>;
  commit(): Promise<void>;
  /** Undoes what was changed. */
  rollback(): Promise<void>;
}

/** Why a transaction is given up. */
class RolledBack extends Error {}

const openUnit = (transact: TransactAlone): Unit => {
  let transaction: Transaction | undefined;
  let end: ((isGood: boolean) => void) | undefined;
  let opening: Promise<Transaction> | undefined;
  let finished: Promise<void> = Promise.resolve();
  // One part after the other: the savepoints of two must not cross.
  let last: Promise<unknown> = Promise.resolve();

  const open = (): Promise<Transaction> =>
    new Promise((resolve, reject) => {
      let hasBegun = false;
      finished = transact(async (trx) => {
        // The parts were done once, and their results are known: they cannot be done again here.
        if (hasBegun) throw unavailable(new Error('The transaction was lost'));
        hasBegun = true;
        transaction = trx;
        const isGood = await new Promise<boolean>((settle) => {
          end = settle;
          resolve(trx);
        });
        transaction = undefined;
        if (!isGood) throw new RolledBack();
      });
      finished.catch(reject);
    });

  return {
    get transaction() {
      return transaction;
    },
    change(work) {
      opening ??= open();
      const trx = opening;
      const part = last.then(async () => (await trx).savepoint(work));
      last = part.catch(() => undefined);
      return part;
    },
    async commit() {
      await last;
      end?.(true);
      await finished;
    },
    async rollback() {
      await last;
      end?.(false);
      // Why the work failed is told. Whatever ends the transaction otherwise undoes it, too.
      await finished.catch(() => undefined);
    },
  };
};

/** The unit of work that surrounds a call, and how one begins. */
export interface UnitsOfWork {
  /** The unit that the caller is in. */
  current(): Unit | undefined;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Makes the units of work of one database. */
export const unitsOfWork = (transact: TransactAlone): UnitsOfWork => {
  const units = new AsyncLocalStorage<Unit>();
  return {
    current: () => units.getStore(),
    async run(work) {
      const unit = openUnit(transact);
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await units.run(unit, work);
      } catch (error) {
        await unit.rollback();
        throw error;
      }
      await unit.commit();
      return result;
    },
  };
};
