/** Runs `npm run contract` in this process, and keeps what it prints. */

import { runContract } from '../../../scripts/contract/run-contract';

/** The outcome of a command. */
export interface Outcome {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command. */
export const runCommand = async (...args: readonly string[]): Promise<Outcome> => {
  const written = { out: '', err: '' };
  const writeTo = (name: 'out' | 'err') => (text: string) => {
    written[name] += text;
  };
  const exitCode = await runContract(args, { out: writeTo('out'), err: writeTo('err') });
  return { exitCode, ...written };
};
