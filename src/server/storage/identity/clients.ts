/** Stores the registered OAuth clients of a service (RFC 6749 section 2). */

import type { Database } from '../database/database';
import { param } from '../sql/statement';

/** A client that may ask users for access. */
export interface OAuthClient {
  readonly clientId: string;
  /** What the consent page calls it. */
  readonly name: string;
  /** Where responses may be sent; compared character by character (RFC 6749 section 3.1.2.3). */
  readonly redirectUris: readonly string[];
}

/** The clients of one service. */
export interface ClientStorage {
  /** Registers a client; false where the identifier is taken. */
  add(client: OAuthClient): Promise<boolean>;
  find(clientId: string): Promise<OAuthClient | undefined>;
  /** All clients, by identifier. */
  list(): Promise<OAuthClient[]>;
  /** Removes a client; false where there is none. */
  remove(clientId: string): Promise<boolean>;
}

interface ClientRow {
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: string;
}

// No URI contains a line break, so a list of them is stored as lines.
const toClient = (row: ClientRow): OAuthClient => ({
  clientId: row.client_id,
  name: row.name,
  redirectUris: row.redirect_uris.split('\n'),
});

const columns = ['client_id', 'name', 'redirect_uris'];

type ClientValues = Readonly<Record<'clientId' | 'name' | 'uris', string>>;

/** Stores clients in the table `clients`. */
export const knexClients = (
  { knex, prepare, all, transaction }: Database,
  service: string,
): ClientStorage => {
  const named = () => knex('clients').where({ service, client_id: param('clientId') });
  const add = prepare<ClientValues, never>(
    knex('clients')
      .insert({
        service,
        client_id: param('clientId'),
        name: param('name'),
        redirect_uris: param('uris'),
      })
      .onConflict()
      .ignore(),
  );
  const find = prepare<{ clientId: string }, ClientRow>(named().select(columns));
  const list = prepare<Record<string, never>, ClientRow>(
    knex('clients').where({ service }).orderBy('client_id').select(columns),
  );
  const remove = prepare<{ clientId: string }, never>(named().delete());
  return {
    add({ clientId, name, redirectUris }) {
      const values = { clientId, name, uris: redirectUris.join('\n') };
      return transaction(async (trx) => (await trx.run(add, values)) > 0);
    },

    async find(clientId) {
      const [row] = await all(find, { clientId });
      return row && toClient(row);
    },

    async list() {
      return (await all(list, {})).map(toClient);
    },

    remove: (clientId) => transaction(async (trx) => (await trx.run(remove, { clientId })) > 0),
  };
};
