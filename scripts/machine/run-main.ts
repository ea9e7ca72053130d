/** Runs a program to its end. */

/** Ends the process with the exit code that `main` resolves to, or with 1 and the reason; exiting ends what is still kept running. */
export const runMain = (main: () => Promise<number>): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  main().then(
    (exitCode) => process.exit(exitCode),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
};
