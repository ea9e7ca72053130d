/**
 * Limits the calls that a user makes in an hour, across all processes. A process leases some calls in advance, so that not every
 * call waits for the database, and releases those that it does not need.
 */

import { HttpError } from '../http/http-error';
import type { EventCount, EventCountStorage } from '../storage/identity/event-counts';
import type { Clock } from './token';

/** Makes an HttpError 429 (RFC 6585 section 4) with `Retry-After` in whole seconds. Times are milliseconds since 1970. */
export const tooManyRequests = (message: string, now: number, endsAt: number): HttpError =>
  new HttpError(429, 'too-many-requests', message, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil((endsAt - now) / 1000))) },
  });

/** Counts one call of the user with that key. Rejects with HttpError 429 beyond the limit. */
export type CountCall = (userKey: string) => Promise<void>;

/** The calls that this process has leased of one user. */
interface QuotaLease {
  readonly name: string;
  /** Leased and not yet used. */
  left: number;
  /** The end of the hour in which they are counted; milliseconds since 1970. */
  endsAt: number;
  /** The number of calls that all processes together have counted in that hour, as far as this process knows. */
  counted: number;
  /** The lease that is being taken; all calls wait for the same. */
  acquiring: Promise<void> | undefined;
}

const hour = 60 * 60 * 1000;

/** Makes the counter; an hour begins with the first call in it. */
export const rateLimit = (
  counts: EventCountStorage,
  callsPerHour: number,
  clock: Clock,
): CountCall => {
  // Milliseconds after which unused calls are released.
  const releaseAfter = 500;
  const leases = new Map<string, QuotaLease>();

  const leaseOf = (userKey: string): QuotaLease => {
    const known = leases.get(userKey);
    if (known !== undefined) return known;
    const name = `calls ${userKey}`;
    const lease: QuotaLease = { name, left: 0, endsAt: 0, counted: 0, acquiring: undefined };
    leases.set(userKey, lease);
    return lease;
  };

  const release = async (userKey: string, lease: QuotaLease): Promise<void> => {
    if (lease.acquiring !== undefined) return;
    if (leases.get(userKey) === lease) leases.delete(userKey);
    const { name, left, endsAt } = lease;
    lease.left = 0;
    if (left > 0) await counts.subtract(name, endsAt, left);
  };

  const update = (lease: QuotaLease, { count, expiresAt }: EventCount): void => {
    lease.counted = Math.min(count, callsPerHour);
    lease.endsAt = expiresAt;
  };

  /** Tells whether the calls of the hour are used up. Once they were, it is looked up before more are leased. */
  const isUsedUp = async (lease: QuotaLease, now: number): Promise<boolean> => {
    if (lease.endsAt <= now || lease.counted < callsPerHour) return false;
    const [count] = await counts.read([lease.name], now, hour);
    if (count === undefined) return false;
    update(lease, count);
    return count.count >= callsPerHour;
  };
  // The share of the calls left that is leased, so that a process never withholds much from the others.
  const leasedShare = 0.01;

  const acquireOnce = async (lease: QuotaLease): Promise<void> => {
    const now = clock();
    if (await isUsedUp(lease, now)) return;
    const remaining = lease.endsAt > now ? callsPerHour - lease.counted : callsPerHour;
    const wanted = Math.max(1, Math.floor(remaining * leasedShare));
    const [count] = await counts.add([lease.name], now, hour, wanted);
    if (count === undefined) throw new Error('Counter update returned no row');
    const tooMany = Math.min(wanted, Math.max(0, count.count - callsPerHour));
    if (tooMany > 0) await counts.subtract(lease.name, count.expiresAt, tooMany);
    update(lease, count);
    lease.left = wanted - tooMany;
  };

  const acquire = (userKey: string, lease: QuotaLease): Promise<void> => {
    lease.acquiring ??= acquireOnce(lease).finally(() => {
      lease.acquiring = undefined;
      // Where the database is unavailable, the end of the hour releases them.
      setTimeout(() => release(userKey, lease).catch(() => undefined), releaseAfter).unref();
    });
    return lease.acquiring;
  };

  return async (userKey) => {
    const lease = leaseOf(userKey);
    // Where other calls used it up, it waits for the next, unless the hour has none left.
    while (lease.endsAt <= clock() || lease.left === 0) {
      await acquire(userKey, lease);
      const now = clock();
      if (lease.left === 0 && lease.counted >= callsPerHour && lease.endsAt > now) {
        throw tooManyRequests('The calls allowed per hour are used up.', now, lease.endsAt);
      }
    }
    lease.left -= 1;
  };
};
