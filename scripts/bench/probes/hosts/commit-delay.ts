/** Makes commits of one database slow, as on a server whose disk or replica is far away. */

import type { Client } from 'pg';

/**
 * Lets every transaction that writes items take that much longer at its commit, all its locks still held: a deferred trigger
 * runs after the last statement. It sleeps once, however many items were written.
 */
export const delayCommits = async (client: Client, milliseconds: number): Promise<void> => {
  await client.query(`
    CREATE FUNCTION delay_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF coalesce(current_setting('bench.delayed', true), '') <> 'yes' THEN
        PERFORM set_config('bench.delayed', 'yes', true);
        PERFORM pg_sleep(${milliseconds / 1000});
      END IF;
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER delay_commit AFTER INSERT OR UPDATE ON items
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION delay_commit();`);
};
