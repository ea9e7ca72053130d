/** How long each contestant takes from its start to its first right answer, with a database that is there. */

import type { Contestant, Prepared } from '../targets/contestant';
import type { Plan } from './plan';
import type { Progress } from './race';

/** Starts and stops each in turn; the times are milliseconds. */
export const startTimes = async (
  plan: Plan,
  field: ReadonlyMap<Contestant, Prepared>,
  progress: Progress,
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const times = new Map<string, number[]>();
  for (let count = 0; count < plan.starts; count += 1) {
    for (const [{ id, phases }, prepared] of field) {
      if (!phases.includes('read')) continue;
      progress.step(0, 0, `starting: ${id}`);
      const running = await prepared.start(plan.core);
      times.set(id, [...(times.get(id) ?? []), running.startMilliseconds]);
      await running.stop();
    }
  }
  return times;
};
