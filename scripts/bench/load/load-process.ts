/** A load generator in a process of its own. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { pinProcess } from '../../machine/cores';
import { drive, faultsOf, type WireRequest } from './drive';

/** What one load generator is to do. */
export interface Task {
  readonly port: number;
  readonly requests: readonly WireRequest[];
  readonly connections: number;
  readonly seconds: number;
}

/** What came of it. */
export interface Done {
  readonly perSecond: number;
  readonly faults: string | undefined;
}

/** A running load generator. */
export interface LoadProcess {
  run(task: Task): Promise<Done>;
  stop(): void;
}

const perform = async ({ port, requests, connections, seconds }: Task): Promise<Done> => {
  const driven = await drive({
    ...{ port, requests, connections, settle: seconds / 10 },
    enough: (elapsed) => elapsed >= seconds,
  });
  return { perSecond: driven.answers / driven.seconds, faults: faultsOf(driven) };
};

/** Starts one on the core; anywhere where it is undefined. */
export const startLoadProcess = (core: number | undefined): LoadProcess => {
  // Bytes stay bytes on their way.
  const child: ChildProcess = fork(__filename, { serialization: 'advanced' });
  if (core !== undefined && child.pid !== undefined) pinProcess(child.pid, core);
  const ended = once(child, 'exit').then(() => {
    throw new Error('A load generator has ended');
  });
  // Whoever waits for it is told below; that it ends when it is stopped is nobody's fault.
  ended.catch(() => undefined);
  return {
    async run(task) {
      const done = once(child, 'message') as Promise<[Done]>;
      child.send(task);
      const [result] = await Promise.race([done, ended]);
      return result;
    },
    stop() {
      child.kill();
    },
  };
};

// Whoever starts this file as a program sends tasks.
if (require.main === module) {
  process.on('message', async (task: Task) => {
    process.send?.(await perform(task));
  });
}
