/** What is cleaned up when the benchmark is interrupted: servers end, copies of databases go. */

let interrupted = false;

/** Whether everything is being cleaned up: what fails meanwhile fails because of that. */
export const isInterrupted = (): boolean => interrupted;

const tasks = new Set<() => void | Promise<void>>();

/** Runs the task at an interruption; returns a function that cancels that. */
export const atInterruption = (task: () => void | Promise<void>): (() => void) => {
  tasks.add(task);
  return () => tasks.delete(task);
};

const exitCode = { SIGINT: 130, SIGTERM: 143 } as const;

/** Makes the signals to stop clean up first, in reverse order. */
export const handleInterruptions = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      interrupted = true;
      for (const task of [...tasks].reverse()) {
        // One that fails must not keep the others.
        await Promise.resolve(task()).catch((error: unknown) => console.error(String(error)));
      }
      process.exit(exitCode[signal]);
    });
  }
};
