/** Cleaning up: however the benchmark ends, its servers end, and their databases are removed. */

const tasks = new Set<() => void | Promise<void>>();

/** Runs the task at the end; returns a function that runs it earlier, and once only. */
export const atEnd = (task: () => void | Promise<void>): (() => Promise<void>) => {
  tasks.add(task);
  return async () => {
    if (tasks.delete(task)) await task();
  };
};

/** Runs the tasks, the newest first. */
const cleanUp = async (): Promise<void> => {
  for (const task of [...tasks].reverse()) {
    tasks.delete(task);
    // One that fails must not keep the others from running.
    await Promise.resolve()
      .then(task)
      .catch((error: unknown) => console.error(String(error)));
  }
};

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs the program, cleans up, and ends the process with the exit code; so do the signals to stop. */
export const runAndCleanUp = (main: () => Promise<number>): void => {
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      isInterrupted = true;
      await cleanUp();
      process.exit(exitCodes[signal]);
    });
  }
  const end = async (code: number): Promise<void> => {
    // What fails while the servers end fails because of that.
    if (isInterrupted) return;
    await cleanUp();
    process.exit(code);
  };
  main().then(end, (error: unknown) => {
    if (!isInterrupted) console.error(error instanceof Error ? error.stack : String(error));
    return end(1);
  });
};
