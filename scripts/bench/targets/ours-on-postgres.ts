/** Ours on PostgreSQL: this checkout, or another one under a name of its own. */

import type { Contestant } from './contestant';
import { fillOurs, type OurOptions, startOurs } from './ours';
import { prepareDatabase } from './postgres-databases';
import type { DatabaseServer } from './postgres-server';

/** Makes the contestant. */
export const oursOnPostgres = (
  options: OurOptions,
  server: DatabaseServer,
  id = 'ours',
  title = 'ours (PostgreSQL)',
): Contestant => ({
  id,
  title,
  kind: 'ours',
  hasXml: true,
  prepare: (pets) =>
    prepareDatabase(server, {
      id,
      fill: (url) => fillOurs(options, url, pets),
      start: (url, credentials, core, cleanUp) =>
        startOurs(options, url, credentials, core, { cleanUp }),
    }),
});
