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

/**
 * Makes the statement that sets limits, in milliseconds, and has commits survive the loss of power, also where the server's own setting
 * says otherwise. Stricter ones stay.
 *
 * @param isLocal - true: for one transaction; false: for the session
 */
export const settingsStatement = (
  limits: Readonly<Record<string, number>>,
  isLocal: boolean,
): string => {
  const set = (name: string, value: unknown) => `set_config('${name}', '${value}', ${isLocal})`;
  const timeouts = Object.entries(limits).map(([name, milliseconds]) => set(name, milliseconds));
  const durably = `case when current_setting('synchronous_commit', true) = 'off'
    then ${set('synchronous_commit', 'on')} end`;
  return `select ${[...timeouts, durably].join(', ')}`;
};
