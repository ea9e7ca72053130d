/** Hashes and compares passwords with scrypt (RFC 7914), off the event loop. */

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { composed, opaqueString } from '../base/text/precis';
import { type HttpError, unavailable } from '../http/http-error';

const busy = (): HttpError => unavailable('The server is busy; try again in a moment.', 5);

/**
 * Makes a queue in which clients take turns, and the work of one client keeps its order. Where the queue is full, new work gets
 * HttpError 503 `unavailable` with `Retry-After`, unless another client has more work waiting: then that client's latest work gets
 * it (fair queuing that drops from the longest queue).
 *
 * @param atOnce - the number of works that run at the same time
 * @param mostWaiting - the number of works that may wait
 */
export const fairQueue = (atOnce: number, mostWaiting: number) => {
  /** The waiting work by client, in the order of their turns; no list is empty. */
  const lists = new Map<string, { start(): void; refuse(error: HttpError): void }[]>();
  let running = 0;
  let waiting = 0;

  const makeRoom = (own: number): void => {
    const [longest = []] = [...lists.values()].sort((one, other) => other.length - one.length);
    if (longest.length <= own + 1) throw busy();
    longest.pop()?.refuse(busy());
    waiting -= 1;
  };

  const enter = (client: string): Promise<void> | undefined => {
    if (running < atOnce) {
      running += 1;
      return undefined;
    }
    if (waiting >= mostWaiting) makeRoom(lists.get(client)?.length ?? 0);
    waiting += 1;
    const list = lists.get(client) ?? [];
    lists.set(client, list);
    return new Promise((start, refuse) => list.push({ start, refuse }));
  };

  /** Starts the first work of the client whose turn it is, in the place of the work that has ended. */
  const leave = (): void => {
    const [turn] = lists;
    if (turn === undefined) {
      running -= 1;
      return;
    }
    const [client, [next, ...others]] = turn;
    lists.delete(client);
    if (others.length > 0) lists.set(client, others);
    waiting -= 1;
    next?.start();
  };

  return async <Value>(work: () => Promise<Value>, client = ''): Promise<Value> => {
    await enter(client);
    try {
      return await work();
    } finally {
      leave();
    }
  };
};

/**
 * Says why a text cannot be a new password, as the end of a sentence about the password; undefined where it can. Characters are
 * code points (NIST SP 800-63B section 3.1.1.2).
 */
export const passwordProblem = (password: string, minLength: number): string | undefined =>
  [...opaqueString(password)].length < minLength
    ? `must have at least ${minLength} characters`
    : undefined;

interface ScryptCost {
  /** Base-2 logarithm of N, the CPU and memory cost. */
  readonly ln: number;
  /** Block size. */
  readonly r: number;
  /** Parallelization. */
  readonly p: number;
}

const saltBytes = 16;
const hashBytes = 32;

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const derive = (password: string, salt: Buffer, { ln, r, p }: ScryptCost): Promise<Buffer> => {
  const N = 2 ** ln;
  // Node refuses to work with more than 32 MiB by default; the algorithm needs 128 * r * (N + p) bytes and a little more.
  return deriveKey(password, salt, hashBytes, { N, r, p, maxmem: 128 * r * (N + p + 32) });
};

const print = ({ ln, r, p }: ScryptCost, salt: Buffer, hash: Buffer): string =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;

/**
 * Makes what makes and compares password hashes of one cost.
 *
 * @param ln - the base-2 logarithm of scrypt's N: from 13 on the cost is at least the minimum of OWASP; lower values are for tests
 */
export const scryptPasswords = (ln: number) => {
  // Two hashes at once leave the other two threads of libuv's pool to the database.
  const hashesAtOnce = 2;
  // A longer queue would take many seconds.
  const mostWaitingHashes = 32;
  // The rounds (p) that make up for less memory (N), by OWASP's Password Storage Cheat Sheet.
  const roundsFor: Readonly<Record<number, number>> = { 13: 10, 14: 5, 15: 3, 16: 2 };
  const cost: ScryptCost = { ln, r: 8, p: roundsFor[ln] ?? 1 };
  const inTurn = fairQueue(hashesAtOnce, mostWaitingHashes);
  const noAccount = print(cost, randomBytes(saltBytes), randomBytes(hashBytes));
  return {
    /** Makes a salted hash as text: `$scrypt$ln=16,r=8,p=2$SALT$HASH`. Callers take turns. Throws HttpError 503 under too much load. */
    async hash(password: string, caller?: string): Promise<string> {
      const salt = randomBytes(saltBytes);
      const derived = await inTurn(() => derive(opaqueString(password), salt, cost), caller);
      return print(cost, salt, derived);
    },
    /**
     * Tells whether the hash is of this password. Without a hash the result is false after the same work, so that the time does not
     * reveal whether the account exists. Networks take turns. Throws HttpError 503 under too much load.
     */
    async matches(password: string, hash: string | undefined, network?: string): Promise<boolean> {
      const hashPattern = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;
      const [, N, r, p, saltText, hashText] = hashPattern.exec(hash ?? noAccount) ?? [];
      if (saltText === undefined || hashText === undefined) {
        throw new Error('A stored password hash is unreadable.');
      }
      const storedCost = { ln: Number(N), r: Number(r), p: Number(p) };
      const salt = Buffer.from(saltText, 'base64url');
      const stored = Buffer.from(hashText, 'base64url');
      const isRight = async (text: string): Promise<boolean> => {
        const derived = await inTurn(() => derive(text, salt, storedCost), network);
        return timingSafeEqual(derived, stored) && hash !== undefined;
      };
      const prepared = opaqueString(password);
      if (await isRight(prepared)) return true;
      // Earlier versions kept the blanks of other scripts as they were.
      const earlier = composed(password);
      return earlier !== prepared && (await isRight(earlier));
    },
  };
};

/** Makes and compares password hashes of one cost. */
export type Passwords = ReturnType<typeof scryptPasswords>;
