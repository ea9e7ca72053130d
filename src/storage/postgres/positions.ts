/** Positions in the log of PostgreSQL: what a standby must have replayed, and what it has. */

/** The standby has not replayed what a read must see. */
export class Behind extends Error {}

/**
 * A position in the log as one number: its timeline, which each promotion of a standby begins anew, before the bytes of all of the log
 * until there.
 */
export const positionOf = (timeline: string, location: string): string =>
  `(${timeline} * 2::numeric ^ 64 + pg_wal_lsn_diff(${location}, '0/0'))::numeric(40, 0)::text`;

/**
 * How far a standby is; NULL where it is none. The timeline is that of its last restartpoint, which may be an earlier one. It is asked
 * on the connection of the reads, since two connections may lead to two hosts, and in a statement before them, whose snapshots are taken
 * later: at READ COMMITTED alone.
 */
export const replayed = `select case when pg_is_in_recovery()
    and current_setting('transaction_isolation') = 'read committed'
  then ${positionOf('(pg_control_checkpoint()).timeline_id', 'pg_last_wal_replay_lsn()')}
  end as position`;

const noStandby = 'The host is no standby, or its transactions are not READ COMMITTED';

/** Whether it is no standby any more, or never was. */
export const isPromoted = ([row]: readonly unknown[]): boolean =>
  (row as { readonly position: string | null }).position === null;

/** Makes what rejects the reads that a host is not to answer, by what `replayed` gave. */
export const refusalBy =
  ([row]: readonly unknown[]) =>
  ({ position }: { readonly position: bigint }): Error | undefined => {
    const { position: reached } = row as { readonly position: string | null };
    if (reached === null) return new Error(noStandby);
    return BigInt(reached) < position ? new Behind('The standby is behind') : undefined;
  };
