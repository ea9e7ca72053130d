/** Runs admin commands as the program does, and keeps what they print. */

import type { AdminContext } from '../../../../src/server/admin/admin-context';
import { runAdmin } from '../../../../src/server/admin/run-admin';

/** What a command left behind. */
export interface Outcome {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Two seconds go by between any two looks at the clock. */
const hastyClock = (): (() => number) => {
  let now = Date.UTC(2030, 0, 1, 12);
  return () => {
    now += 2000;
    return now;
  };
};

/** Runs a command; what the context does not give is of no use to it. */
export const runIn = async (given: Partial<AdminContext>, args: readonly string[]) => {
  const output = { out: '', err: '' };
  const writeTo = (name: 'out' | 'err') => (text: string) => {
    output[name] += text;
  };
  const context: AdminContext = {
    services: [],
    unserved: [],
    databaseUrl: '',
    controlSocket: undefined,
    database: () => Promise.reject(new Error('Nobody opens the database')),
    passwords: { hash: async () => '', matches: async () => false },
    tokenTtlSeconds: 3600,
    clock: hastyClock(),
    print: (line) => writeTo('out')(`${line}\n`),
    readLine: async () => '',
    loadModule: () => Promise.reject(new Error('Nobody loads a module')),
    ...given,
  };
  const exitCode = await runAdmin(args, context, { out: writeTo('out'), err: writeTo('err') });
  return { exitCode, ...output };
};

/** Runs a command that takes the database at the URL as a whole. */
export const runWith = (databaseUrl: string, ...args: string[]): Promise<Outcome> =>
  runIn({ databaseUrl }, args);
