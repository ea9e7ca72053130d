/** Without answering at once: every step of a request takes a promise, whether or not there is something to wait for. */

import type { MaybePromise } from '../../../src/engine/lang/maybe-promise';
import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/engine/lang/maybe-promise')>(
  'engine/lang/maybe-promise',
).andThen = <Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => {
  countRun();
  return new Promise<Value>((resolve) => resolve(value)).then(next);
};
