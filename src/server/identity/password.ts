/** Hashes and compares passwords with scrypt (RFC 7914), off the event loop. */

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { composed, opaqueString } from '../../base/precis';
import { HttpError } from '../../engine';

/** How much work is let in. */
interface AdmissionLimits {
  /** Pieces of work under way at the same time. */
  readonly atOnce: number;
  /** Pieces that may wait for their turn. */
  readonly waiting: number;
}

/** Runs the work when its turn comes. Those for whom work is done take turns; of one of them, who comes first is served first. */
type Admit = <Value>(work: () => Promise<Value>, whose?: string) => Promise<Value>;

/** Work that waits for its turn. */
interface WaitingWork {
  readonly start: () => void;
  readonly refuse: (error: HttpError) => void;
}

const busy = (): HttpError =>
  new HttpError(503, 'unavailable', 'The server is busy; try again in a moment.', {
    headers: { 'Retry-After': '5' },
  });

/**
 * Makes a gate. What comes while as much waits as may gets HttpError 503 `unavailable` with `Retry-After`, unless somebody else has more
 * work waiting: then the latest piece of whoever has the most gets it (fair queuing that drops from the longest queue).
 */
export const admission = ({ atOnce, waiting }: AdmissionLimits): Admit => {
  /** By whose the work is, in the order of their turns; none is empty. */
  const queues = new Map<string, WaitingWork[]>();
  let running = 0;
  let length = 0;

  const longest = (): WaitingWork[] =>
    [...queues.values()].reduce((most, queue) => (queue.length > most.length ? queue : most), []);

  /** Refuses the latest piece of whoever has the most; the newcomer's where that leaves them no more than the newcomer. */
  const makeRoom = (whose: string): void => {
    const most = longest();
    const after = (queues.get(whose)?.length ?? 0) + 1;
    if (most.length <= after) throw busy();
    most.pop()?.refuse(busy());
    length -= 1;
  };

  const enter = (whose: string): Promise<void> | undefined => {
    if (running < atOnce) {
      running += 1;
      return undefined;
    }
    if (length >= waiting) makeRoom(whose);
    length += 1;
    const queue = queues.get(whose) ?? [];
    queues.set(whose, queue);
    return new Promise((start, refuse) => queue.push({ start, refuse }));
  };

  /** The first work of whoever has the turn, who goes to the end. */
  const takeNext = (): WaitingWork | undefined => {
    const [first] = queues;
    if (first === undefined) return undefined;
    const [whose, queue] = first;
    const next = queue.shift();
    queues.delete(whose);
    if (queue.length > 0) queues.set(whose, queue);
    length -= 1;
    return next;
  };

  // The place of finished work goes straight to the next, so `running` changes only where none waits.
  const leave = (): void => {
    const next = takeNext();
    if (next) next.start();
    else running -= 1;
  };

  return async (work, whose = '') => {
    await enter(whose);
    try {
      return await work();
    } finally {
      leave();
    }
  };
};

/**
 * What keeps a text from being a new password, as the end of a sentence about the password, which is never repeated; undefined
 * where nothing does. Characters are counted as code points (NIST SP 800-63B section 3.1.1.2).
 */
export const passwordProblem = (password: string, minLength: number): string | undefined =>
  [...opaqueString(password)].length < minLength
    ? `must have at least ${minLength} characters`
    : undefined;

/** Hashing and comparing at one cost. */
export interface Passwords {
  /**
   * Makes a salted hash as text: `$scrypt$ln=16,r=8,p=2$SALT$HASH`. Those for whom it is made take turns. Throws HttpError 503
   * under too much load.
   */
  hash(password: string, caller?: string): Promise<string>;
  /**
   * Whether the password is the one that was hashed. Without a hash the result is false after the same work, so that
   * the time taken does not reveal whether there is an account. Networks take turns. Throws HttpError 503 under too much load.
   */
  matches(password: string, hash: string | undefined, network?: string): Promise<boolean>;
}

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

// Two hashes at once leave the other two threads of libuv's pool to the database.
// What would wait for many seconds is refused at once.
const hashingLimits: AdmissionLimits = { atOnce: 2, waiting: 32 };

/** OWASP's Password Storage Cheat Sheet: less memory (N) is made up for by more rounds (p). */
const roundsFor: ReadonlyMap<number, number> = new Map([
  [13, 10],
  [14, 5],
  [15, 3],
  [16, 2],
]);

const derive = (password: string, salt: Buffer, { ln, r, p }: ScryptCost): Promise<Buffer> => {
  const N = 2 ** ln;
  // Node refuses to work with more than 32 MiB by default; the algorithm needs 128 * r * (N + p) bytes and a little more.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * r * (N + p + 32) };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hashBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
};

const print = ({ ln, r, p }: ScryptCost, salt: Buffer, hash: Buffer): string =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;

const hashPattern = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

const parse = (text: string): { cost: ScryptCost; salt: Buffer; hash: Buffer } => {
  const [, ln, r, p, salt, hash] = hashPattern.exec(text) ?? [];
  if (salt === undefined || hash === undefined)
    throw new Error('A stored password hash is unreadable.');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
};

/**
 * Makes the two functions. `ln` is the base-2 logarithm of scrypt's N: from 13 on the cost is at least the minimum that
 * OWASP names; below is for tests.
 */
export const scryptPasswords = (ln: number, limits: AdmissionLimits = hashingLimits): Passwords => {
  const cost: ScryptCost = { ln, r: 8, p: roundsFor.get(ln) ?? 1 };
  const admit = admission(limits);
  const noAccount = print(cost, randomBytes(saltBytes), randomBytes(hashBytes));
  return {
    async hash(password, caller) {
      const salt = randomBytes(saltBytes);
      const work = () => derive(opaqueString(password), salt, cost);
      return print(cost, salt, await admit(work, caller));
    },
    async matches(password, hash, network) {
      const stored = parse(hash ?? noAccount);
      const isRight = async (text: string): Promise<boolean> => {
        const work = () => derive(text, stored.salt, stored.cost);
        const derived = await admit(work, network);
        return timingSafeEqual(derived, stored.hash) && hash !== undefined;
      };
      const prepared = opaqueString(password);
      if (await isRight(prepared)) return true;
      // Earlier versions kept the blanks of other scripts as they were.
      const earlier = composed(password);
      return earlier !== prepared && (await isRight(earlier));
    },
  };
};
