/** The conditions under which mocks answer, so that callers can be tried with slow answers and failures: the same for the same seed. */

import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { recoverFromCode } from '../base/recover';
import { requireKnownNames } from '../base/text/nearest-name';
import type { Client } from '../http/caller';
import type { Operation } from '../model/operation';
import { statusOf } from './samples/mock';

/** The options of mocks. */
export interface MockOptions {
  /** Milliseconds that an answer takes, or the least and the most of them: 0. */
  readonly delay?: number | readonly [least: number, most: number];
  /** The share of requests, from 0 to 1, that a declared failure answers: 0. */
  readonly faults?: number;
}

/** The most milliseconds of a delay: hosts close connections without traffic. */
export const longestDelay = 60_000;

/**
 * Makes the function that gives each request its conditions, by the count of those to its operation: the milliseconds that its answer
 * takes, and the status of the failure that answers, if one does.
 * @param seed the same number gives the same conditions
 * @throws TypeError where an option cannot be used
 */
export const compileConditions = (options: MockOptions, seed: number) => {
  requireKnownNames(Object.keys(options), ['delay', 'faults'], 'option of mocks');
  const { delay = 0, faults = 0 } = options;
  const [least = 0, most = least, ...further] = [delay].flat();
  const isDelay = (value: number) => Number.isInteger(value) && value >= 0 && value <= longestDelay;
  if (![least, most].every(isDelay) || least > most || further.length > 0) {
    const range = `whole milliseconds up to ${longestDelay}, or [least, most]`;
    throw new TypeError(`The option delay of mocks must be ${range}, not ${String(delay)}`);
  }
  if (typeof faults !== 'number' || !(faults >= 0 && faults <= 1)) {
    const range = 'a number from 0 to 1';
    throw new TypeError(`The option faults of mocks must be ${range}, not ${String(faults)}`);
  }
  const counts = new Map<string, number>();
  return {
    next({ operationId, responses }: Operation) {
      if (most === 0 && faults === 0) return { milliseconds: 0, fault: undefined };
      const count = (counts.get(operationId) ?? 0) + 1;
      counts.set(operationId, count);
      const digest = createHash('sha256').update(`${seed} ${operationId} ${count}`).digest();
      const [time = 0, chance = 0, choice = 0] = [0, 4, 8].map(
        (at) => digest.readUInt32BE(at) / 2 ** 32,
      );
      // These say that a service fails, or is asked too much.
      const failures = responses.filter(({ key }) => /^(?:429|5\d\d|5XX)$/.test(key));
      const chosen = failures[Math.floor(choice * failures.length)];
      return {
        milliseconds: least + Math.floor(time * (most - least + 1)),
        fault: chance < faults && chosen ? statusOf(chosen.key) : undefined,
      };
    },
    /** Begins again with the first request of each operation. */
    reset: () => counts.clear(),
  };
};

/** Waits, unless the caller leaves. */
export const pause = (milliseconds: number, { signal }: Pick<Client, 'signal'>) =>
  setTimeout(milliseconds, undefined, { signal }).catch(recoverFromCode('ABORT_ERR', undefined));
