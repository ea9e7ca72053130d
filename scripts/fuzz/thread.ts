/** Runs one task in a thread, and ends it where it hangs or takes too much memory. */

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { headBytes, type Report, type Task } from './messages';
import { mostLength } from './target';

/** How a thread has ended: by itself, or with the input that it was at. */
export type ThreadEnd = { readonly executions: number } & (
  | { readonly kind: 'done' }
  | {
      readonly kind: 'lost';
      /** Undefined where the thread had not come to an input. */
      readonly input: Uint8Array | undefined;
      readonly what: string;
    }
);

/** What is far beyond the time that any input takes. */
const usualPatience = 10;
const heapMegabytes = 512;

const executionsIn = (shared: SharedArrayBuffer): number =>
  Atomics.load(new Int32Array(shared, 0, 2), 0);

const inputOf = (shared: SharedArrayBuffer): Uint8Array | undefined => {
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
    // What comes before the first execution, such as starting a server, takes what it takes.
    still = now === last && now > 0 ? still + 1 : 0;
    last = now;
    if (still === seconds) stuck();
  }, 1000);
};

/**
 * Resolves when the thread has ended.
 * @param build the folder of the compiled program
 * @param patience seconds after which an input hangs
 */
export const runThread = (
  build: string,
  task: Omit<Task, 'shared' | 'targets'>,
  take: (report: Report) => void,
  patience = usualPatience,
): Promise<ThreadEnd> =>
  new Promise((resolve) => {
    const shared = new SharedArrayBuffer(headBytes + mostLength);
    const worker = new Worker(join(build, 'scripts/fuzz/worker.js'), {
      workerData: { ...task, shared, targets: join(build, 'test/fuzz/targets.js') } satisfies Task,
      // Nothing of what runs this process, such as a compiler, runs that one.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    const lose = (what: string): void => {
      clearInterval(timer);
      const executions = executionsIn(shared);
      resolve({ kind: 'lost', executions, input: inputOf(shared), what });
    };
    const timer = watchProgress(shared, patience, () => {
      lose(`Hangs: no end after ${patience} s`);
      void worker.terminate();
    });
    worker.on('message', take);
    worker.on('error', (error) => lose(error.stack ?? error.message));
    worker.on('exit', () => {
      clearInterval(timer);
      resolve({ kind: 'done', executions: executionsIn(shared) });
    });
  });
