/**
 * Runs the program in the file that is named until it answers at PORT, keeps the code that V8 has made of it by then, and ends
 * it. That takes a process, since the program ends with its process.
 */

import { argv, env, exit, kill, pid } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { compiledProgram } from '../../src/compiled-program';
import { starting } from '../../src/runtime-settings';

const betweenLooks = 10;
const patience = 60_000;

const isReady = async (): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${env['PORT']}/readyz`)).ok;
  } catch {
    return false;
  }
};

const untilReady = async (): Promise<void> => {
  const deadline = performance.now() + patience;
  while (!(await isReady())) {
    // The program has said why it does not start.
    if (process.exitCode !== undefined) exit();
    if (performance.now() > deadline) throw new Error('The program did not answer in a minute');
    await setTimeout(betweenLooks);
  }
};

const keepCode = async (file: string): Promise<void> => {
  const program = compiledProgram(file);
  program.run();
  await untilReady();
  // V8 takes code only under the settings under which it was kept.
  starting();
  program.keep();
  kill(pid, 'SIGTERM');
};

// The program must not take it for an option of its own.
const [file = ''] = argv.splice(2);

keepCode(file).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  exit(1);
});
