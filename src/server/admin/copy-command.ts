/** `admin copy`: moves everything from one database to another. */

import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import { sqlitePath } from '../storage/backup/sqlite-files';
import {
  type CopiedTable,
  type CopyProgress,
  CopyRefused,
  copyDatabase,
} from '../storage/copy/copy';
import { closeDatabase, type Database, openDatabase } from '../storage/database/database';
import { type AdminContext, Refusal } from './admin-context';

interface CopyOptions {
  readonly from: string;
  readonly to: string;
}

const secondMilliseconds = 1000;

/** A line when a table is through, and one a second meanwhile. */
const progressPrinter = ({ print, clock }: AdminContext): CopyProgress => {
  let last = clock();
  return ({ doing, table, done, total }) => {
    const isThrough = done === total;
    if (!isThrough && clock() - last < secondMilliseconds) return;
    last = clock();
    print(`${table}: ${done} of ${total ?? 'an unknown number of'} rows ${doing}`);
  };
};

/** Opening a file that is not there would create it. */
const requireSource = async (url: string): Promise<void> => {
  const path = sqlitePath(url);
  if (path === undefined) return;
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new Refusal(`There is no database "${path}".`);
};

const withDatabase = async <Result>(
  url: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> => {
  const db = await openDatabase(url, { connections: 2 });
  try {
    return await work(db);
  } finally {
    await closeDatabase(db);
  }
};

const linesOf = ({ table, source, target, fault }: CopiedTable): string[] => {
  if (fault === undefined) return [`${table}\t${source.rows}\t${source.checksum}`];
  return [
    `${table}\tsource\t${source.rows}\t${source.checksum}`,
    `${table}\ttarget\t${target.rows}\t${target.checksum}`,
  ];
};

const copy = async (context: AdminContext, { from, to }: CopyOptions): Promise<void> => {
  await requireSource(from);
  const copied = await withDatabase(from, (source) =>
    withDatabase(to, (target) => copyDatabase(source, target, progressPrinter(context))),
  ).catch((error: unknown) => {
    throw error instanceof CopyRefused ? new Refusal(error.message) : error;
  });
  for (const line of copied.flatMap(linesOf)) context.print(line);
  const faulty = copied.find(({ fault }) => fault !== undefined);
  if (faulty?.fault !== undefined) throw new Error(faulty.fault);
  context.print('Copied and verified: all tables match.');
};

/** Makes the command. */
export const copyCommand = (context: AdminContext): Command =>
  new Command('copy')
    .description(
      'copy everything into another, empty database; interrupted, start again with an empty target',
    )
    .requiredOption('--from <url>', 'the database to read, whose servers must be stopped')
    .requiredOption('--to <url>', 'the database to fill')
    .action((options: CopyOptions) => copy(context, options));
