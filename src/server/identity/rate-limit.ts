/**
 * Enforces how many calls a user may make in an hour (the X-Rate-Limit that a login announces), across all processes. A
 * process books some calls in advance, so that not every call waits for the database, and gives back what it does not need.
 */

import type { MaybePromise } from '../../engine';
import type { EventCount, EventCountStorage } from '../storage/identity/event-counts';
import { tooManyRequests } from './too-many-requests';

/** Counts one call of the user with that key; at once, where it is booked. Rejects with HttpError 429 beyond the limit. */
export type CountCall = (userKey: string) => MaybePromise<void>;

/** What this process has booked for one user. */
interface QuotaLease {
  readonly name: string;
  /** Booked and not yet used. */
  left: number;
  /** The end of the hour that they are booked in; milliseconds since 1970. */
  endsAt: number;
  /** Calls known to be counted in that hour, by all processes. */
  counted: number;
  /** Under way; all who need a call wait for the same. */
  more: Promise<void> | undefined;
}

const hour = 60 * 60 * 1000;

/** Of what is left to the user, so that a process never keeps much from the others. */
const bookedShare = 0.01;

/** Milliseconds after which unused calls are given back. */
const unusedFor = 500;

/** Makes the counter; an hour begins with the first call in it. */
export const rateLimit = (
  counts: EventCountStorage,
  callsPerHour: number,
  clock: () => number,
): CountCall => {
  const bookings = new Map<string, QuotaLease>();

  const bookingOf = (userKey: string): QuotaLease => {
    const known = bookings.get(userKey);
    if (known !== undefined) return known;
    const name = `calls ${userKey}`;
    const booking: QuotaLease = { name, left: 0, endsAt: 0, counted: 0, more: undefined };
    bookings.set(userKey, booking);
    return booking;
  };

  const giveBackUnused = async (userKey: string, booking: QuotaLease): Promise<void> => {
    if (booking.more !== undefined) return;
    if (bookings.get(userKey) === booking) bookings.delete(userKey);
    const { name, left, endsAt } = booking;
    booking.left = 0;
    if (left > 0) await counts.takeBack(name, endsAt, left);
  };

  /** Where the database is away, the hour's end gives them back. */
  const giveBackLater = (userKey: string, booking: QuotaLease): void => {
    setTimeout(() => {
      giveBackUnused(userKey, booking).catch(() => undefined);
    }, unusedFor).unref();
  };

  const remember = (booking: QuotaLease, { count, expiresAt }: EventCount): void => {
    booking.counted = Math.min(count, callsPerHour);
    booking.endsAt = expiresAt;
  };

  /** Whether the hour's calls are used up; once they were, this is looked up before more are booked. */
  const isUsedUp = async (booking: QuotaLease, now: number): Promise<boolean> => {
    if (booking.endsAt <= now || booking.counted < callsPerHour) return false;
    const [count] = await counts.read([booking.name], now);
    if (count === undefined) return false;
    remember(booking, count);
    return count.count >= callsPerHour;
  };

  const book = async (booking: QuotaLease): Promise<void> => {
    const now = clock();
    if (await isUsedUp(booking, now)) return;
    const remaining = booking.endsAt > now ? callsPerHour - booking.counted : callsPerHour;
    const wanted = Math.max(1, Math.floor(remaining * bookedShare));
    const [count] = await counts.add([booking.name], now, hour, wanted);
    if (count === undefined) throw new Error('The database did not count');
    const tooMany = Math.min(wanted, Math.max(0, count.count - callsPerHour));
    if (tooMany > 0) await counts.takeBack(booking.name, count.expiresAt, tooMany);
    remember(booking, count);
    booking.left = wanted - tooMany;
  };

  const bookTogether = (userKey: string, booking: QuotaLease): Promise<void> => {
    booking.more ??= book(booking).finally(() => {
      booking.more = undefined;
      giveBackLater(userKey, booking);
    });
    return booking.more;
  };

  const isAllowed = (booking: QuotaLease, now: number): boolean =>
    booking.endsAt > now && booking.left > 0;

  /** Whoever comes too late for one booking takes part in the next, unless it found nothing left. */
  const bookAndCount = async (userKey: string, booking: QuotaLease): Promise<void> => {
    while (!isAllowed(booking, clock())) {
      await bookTogether(userKey, booking);
      const now = clock();
      if (booking.left === 0 && booking.counted >= callsPerHour && booking.endsAt > now) {
        throw tooManyRequests('The calls allowed per hour are used up.', now, booking.endsAt);
      }
    }
    booking.left -= 1;
  };

  return (userKey) => {
    const booking = bookingOf(userKey);
    if (!isAllowed(booking, clock())) return bookAndCount(userKey, booking);
    booking.left -= 1;
    return undefined;
  };
};
