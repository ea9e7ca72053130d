/**
 * Enforces how many calls a user may make in an hour (the X-Rate-Limit that a login announces), across all processes. A
 * process leases some calls in advance, so that not every call waits for the database, and releases what it does not need.
 */

import { HttpError } from '../../engine';
import type { EventCount, EventCountStorage } from '../../storage/identity/event-counts';

/** HttpError 429 (RFC 6585 section 4) with `Retry-After` in whole seconds. Times are milliseconds since 1970. */
export const tooManyRequests = (message: string, now: number, endsAt: number): HttpError =>
  new HttpError(429, 'too-many-requests', message, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil((endsAt - now) / 1000))) },
  });

/** Counts one call of the user with that key. Rejects with HttpError 429 beyond the limit. */
export type CountCall = (userKey: string) => Promise<void>;

/** The calls that this process has leased for one user. */
interface QuotaLease {
  readonly name: string;
  /** Leased and not yet used. */
  left: number;
  /** The end of the hour that they are counted in; milliseconds since 1970. */
  endsAt: number;
  /** Calls known to be counted in that hour, by all processes. */
  counted: number;
  /** Under way; all who need a call wait for the same. */
  acquiring: Promise<void> | undefined;
}

const hour = 60 * 60 * 1000;

/** Of what is left to the user, so that a process never withholds much from the others. */
const leasedShare = 0.01;

/** Milliseconds after which unused calls are released. */
const releaseAfter = 500;

/** Makes the counter; an hour begins with the first call in it. */
export const rateLimit = (
  counts: EventCountStorage,
  callsPerHour: number,
  clock: () => number,
): CountCall => {
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

  /** Whether the hour's calls are used up; once they were, this is looked up before more are leased. */
  const isUsedUp = async (lease: QuotaLease, now: number): Promise<boolean> => {
    if (lease.endsAt <= now || lease.counted < callsPerHour) return false;
    const [count] = await counts.read([lease.name], now, hour);
    if (count === undefined) return false;
    update(lease, count);
    return count.count >= callsPerHour;
  };

  const acquireOnce = async (lease: QuotaLease): Promise<void> => {
    const now = clock();
    if (await isUsedUp(lease, now)) return;
    const remaining = lease.endsAt > now ? callsPerHour - lease.counted : callsPerHour;
    const wanted = Math.max(1, Math.floor(remaining * leasedShare));
    const [count] = await counts.add([lease.name], now, hour, wanted);
    if (count === undefined) throw new Error('The database did not count');
    const tooMany = Math.min(wanted, Math.max(0, count.count - callsPerHour));
    if (tooMany > 0) await counts.subtract(lease.name, count.expiresAt, tooMany);
    update(lease, count);
    lease.left = wanted - tooMany;
  };

  const acquire = (userKey: string, lease: QuotaLease): Promise<void> => {
    lease.acquiring ??= acquireOnce(lease).finally(() => {
      lease.acquiring = undefined;
      // Where the database is unavailable then, the hour's end releases them.
      setTimeout(() => release(userKey, lease).catch(() => undefined), releaseAfter).unref();
    });
    return lease.acquiring;
  };

  const isAllowed = (lease: QuotaLease, now: number): boolean =>
    lease.endsAt > now && lease.left > 0;

  /** A call that comes too late for one lease waits for the next, unless nothing was left. */
  const acquireAndCount = async (userKey: string, lease: QuotaLease): Promise<void> => {
    while (!isAllowed(lease, clock())) {
      await acquire(userKey, lease);
      const now = clock();
      if (lease.left === 0 && lease.counted >= callsPerHour && lease.endsAt > now) {
        throw tooManyRequests('The calls allowed per hour are used up.', now, lease.endsAt);
      }
    }
    lease.left -= 1;
  };

  return (userKey) => acquireAndCount(userKey, leaseOf(userKey));
};
