/** Runs a search in a thread, and ends it where an input hangs or takes too much memory. */

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { rootFolder } from '../root-folder';
import { mostLength } from './target';

/** One search of one target. */
export interface Task {
  /** The module with the targets. */
  readonly targets: string;
  readonly name: string;
  readonly corpus: readonly Uint8Array[];
  readonly seconds: number;
  readonly seed: number;
  /** The number of executions, the length of the input that runs, its bytes. */
  readonly shared: SharedArrayBuffer;
}

/** The length of the numbers at the head of `shared`, in bytes. */
export const headBytes = 8;

/** An input that breaks the target; without one, something that a whole search shows. */
export interface Fault {
  readonly input?: Uint8Array | undefined;
  /** A sentence or a stack. */
  readonly text: string;
}

/** The end of a thread: `isLost` where an input ended it. */
export interface ThreadEnd {
  readonly executions: number;
  readonly isLost: boolean;
}

/** Seconds far beyond the time that any input takes. */
const usualPatience = 10;
const heapMegabytes = 512;

const executionsIn = (shared: SharedArrayBuffer): number =>
  Atomics.load(new Int32Array(shared, 0, 2), 0);

const inputIn = (shared: SharedArrayBuffer): Uint8Array | undefined => {
  const [executions, length] = new Int32Array(shared, 0, 2);
  if (executions === 0) return undefined;
  return Uint8Array.from(new Uint8Array(shared, headBytes, length));
};

/** Calls back once where the number of executions has stood still. */
const watchProgress = (
  shared: SharedArrayBuffer,
  seconds: number,
  stuck: () => void,
): NodeJS.Timeout => {
  let last = -1;
  let still = 0;
  return setInterval(() => {
    const now = executionsIn(shared);
    // Work before the first execution, such as starting a server, has no bound.
    still = now === last && now > 0 ? still + 1 : 0;
    last = now;
    if (still === seconds) stuck();
  }, 1000);
};

/**
 * Runs the search. Resolves when the thread has ended.
 *
 * @param report is called for each fault
 * @param patience seconds after which an input hangs
 */
export const runThread = (
  task: Omit<Task, 'shared'>,
  report: (fault: Fault) => void,
  patience = usualPatience,
): Promise<ThreadEnd> =>
  new Promise((resolve) => {
    const shared = new SharedArrayBuffer(headBytes + mostLength);
    const worker = new Worker(join(__dirname, 'worker.ts'), {
      workerData: { ...task, shared } satisfies Task,
      execArgv: ['--require', join(rootFolder, 'node_modules/tsx/dist/cjs/index.cjs')],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    const lose = (text: string): void => {
      clearInterval(timer);
      report({ input: inputIn(shared), text });
      resolve({ executions: executionsIn(shared), isLost: true });
    };
    const timer = watchProgress(shared, patience, () => {
      lose(`Hangs: no end after ${patience} s`);
      void worker.terminate();
    });
    worker.on('message', report);
    worker.on('error', (error) => lose(error.stack ?? error.message));
    worker.on('exit', () => {
      clearInterval(timer);
      resolve({ executions: executionsIn(shared), isLost: false });
    });
  });
