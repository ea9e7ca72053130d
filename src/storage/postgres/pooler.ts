/**
 * What a pooler in transaction mode (PgBouncer, pool_mode) takes away, and what stands in for it: each transaction may run on another
 * connection of the server, so that neither settings of a session nor prepared statements last.
 */

import type { ClientBase } from 'pg';

const behindPooler = new WeakSet<object>();

/** Notes of a new connection that it leads to a pooler. */
export const markPooled = (client: ClientBase): void => {
  behindPooler.add(client);
};

export const isPooled = (client: ClientBase): boolean => behindPooler.has(client);

const isLax = `current_setting('synchronous_commit', true) = 'off'`;

/** A commit is to survive the loss of power: for one transaction. */
export const durablyInTransaction = `select set_config('synchronous_commit', 'on', true) where ${isLax}`;

/** Makes the statement that sets limits, in milliseconds, and durability for one transaction. */
export const settingsForTransaction = (limits: Readonly<Record<string, number>>): string => {
  const set = Object.entries(limits).map(
    ([name, milliseconds]) => `set_config('${name}', '${milliseconds}', true)`,
  );
  const durably = `case when ${isLax} then set_config('synchronous_commit', 'on', true) end`;
  return `select ${[...set, durably].join(', ')}`;
};
