/** Runs admin commands as the program does, and keeps what they print. */

import { expect } from '@jest/globals';
import type { AdminContext } from '../../../../src/server/admin/admin-context';
import { runAdmin } from '../../../../src/server/admin/run-admin';
import { readSettings } from '../../../../src/server/config/config';
import type { Outcome } from '../../../support/sessions';

/** Makes a clock that goes on by two seconds at each call. */
const hastyClock = (): (() => number) => {
  let now = Date.UTC(2030, 0, 1, 12);
  return () => {
    now += 2000;
    return now;
  };
};

/** Runs a command with a context that has only the given parts. */
export const runIn = async (given: Partial<AdminContext>, args: readonly string[]) => {
  const output = { out: '', err: '' };
  const writeTo = (name: 'out' | 'err') => (text: string) => {
    output[name] += text;
  };
  const context: AdminContext = {
    settings: readSettings({}),
    services: [],
    unserved: [],
    database: () => Promise.reject(new Error('There is no database')),
    passwords: { hash: async () => '', matches: async () => false },
    clock: hastyClock(),
    print: (line) => writeTo('out')(`${line}\n`),
    readLine: async () => '',
    loadModule: () => Promise.reject(new Error('There is no module')),
    ...given,
  };
  const exitCode = await runAdmin(args, context, { out: writeTo('out'), err: writeTo('err') });
  return { exitCode, ...output };
};

/** Runs a command that takes the database at the URL as a whole. */
export const runWith = (databaseUrl: string, ...args: string[]): Promise<Outcome> =>
  runIn({ settings: readSettings({ DATABASE_URL: databaseUrl }) }, args);

const said = (text: string | RegExp) =>
  typeof text === 'string' ? text : expect.stringMatching(text);

/** The outcome of a command that did its work. */
export const done = (out: string | RegExp) => ({ exitCode: 0, out: said(out), err: '' });

/** The outcome of a command that failed. */
export const failed = (err: string) => ({ exitCode: 1, out: '', err });

/** The outcome of a command that was called wrongly, and did nothing. */
export const refused = (err: string | RegExp) => ({ exitCode: 2, out: '', err: said(err) });
