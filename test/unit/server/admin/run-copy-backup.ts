/** Runs the admin commands that take the database as a whole. */

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

/** Runs a command for the database at the URL. */
export const runWith = async (databaseUrl: string, ...args: string[]): Promise<Outcome> => {
  const output = { out: '', err: '' };
  const context: AdminContext = {
    services: [],
    databaseUrl,
    database: () => Promise.reject(new Error('Nobody opens the database')),
    passwords: { hash: async () => '', matches: async () => false },
    tokenTtlSeconds: 1,
    clock: hastyClock(),
    print: (line) => {
      output.out += `${line}\n`;
    },
    readLine: async () => '',
  };
  const exitCode = await runAdmin(args, context, {
    out: (text) => {
      output.out += text;
    },
    err: (text) => {
      output.err += text;
    },
  });
  return { exitCode, ...output };
};
