/**
 * Support for a pooler in transaction mode (PgBouncer, pool_mode): each transaction may run on another connection of the server, so
 * that neither settings of a session nor prepared statements last.
 */

import type { ClientBase } from 'pg';

const behindPooler = new WeakSet<object>();

/** Marks a new connection that leads to a pooler. */
export const markPooled = (client: ClientBase): void => {
  behindPooler.add(client);
};

/** Checks whether a connection leads to a pooler. */
export const isPooled = (client: ClientBase): boolean => behindPooler.has(client);

const isLax = `current_setting('synchronous_commit', true) = 'off'`;

/** Makes the commit of one transaction survive the loss of power. */
export const durablyInTransaction = `select set_config('synchronous_commit', 'on', true) where ${isLax}`;

/** Makes the statement that sets limits, in milliseconds, and durability for one transaction. */
export const settingsForTransaction = (limits: Readonly<Record<string, number>>): string => {
  const set = Object.entries(limits).map(
    ([name, milliseconds]) => `set_config('${name}', '${milliseconds}', true)`,
  );
  const durably = `case when ${isLax} then set_config('synchronous_commit', 'on', true) end`;
  return `select ${[...set, durably].join(', ')}`;
};
