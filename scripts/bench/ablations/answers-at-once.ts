/** Without answering at once: every step of a request takes a promise, whether or not there is something to wait for. */

import type { Awaitable } from '../../../src/engine/lang/awaitable';
import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/engine/lang/awaitable')>('awaitable').whenReady = <
  Value,
  Result,
>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> => {
  countRun();
  return new Promise<Value>((resolve) => resolve(value)).then(next);
};
